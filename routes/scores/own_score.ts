/** The score of the signed-in wallet, for its owner's pages. */
import { createRoute, z } from "@hono/zod-openapi";
import { READER_WAIT_MS } from "../../services/platform/rate_limit/call_budget.ts";
import { NoQuery } from "../../services/platform/wire_schema.ts";
import type { ScoreRead } from "../../services/model/scores_schema.ts";
import type { ScoresDeps } from "../../services/scores/deps.ts";
import { readScorePage } from "../../services/scores/score_page.ts";
import { json, newRouter } from "../http/router.ts";
import { networkOfClient } from "../http/client_address.ts";
import { type AccountEnv, ofWallet, READ_ERRORS } from "../accounts/session.ts";
import { LowerCaseAddress } from "../../services/platform/address_schema.ts";

const dimensionsOf = (
  { humanity, activity, social, economic }: ScoreRead["s4"],
) => ({ humanity, activity, social, economic });

/** Serves the score of the signed-in wallet. */
export function ownScore(deps: ScoresDeps) {
  const getOwnScore = createRoute({
    operationId: "getOwnScore",
    description:
      "The headline and the dimensions of the wallet's own score. It costs no units. Profile, follows and purchases are current; on-chain signals are at most 24 hours old, or older while no source can be read.",
    ...ofWallet(deps),
    method: "get",
    path: "/score",
    summary: "Read the headline of your own score",
    request: { query: NoQuery },
    responses: { 200: json(OwnScore, "The score"), ...READ_ERRORS },
  });
  return newRouter<AccountEnv>().openapi(getOwnScore, async (c) => {
    const { wallet } = c.var;
    const client = networkOfClient(deps, c);
    const { read } = await readScorePage(deps, wallet, {
      client,
      // A page reloads itself until the score is there. A JSON answer cannot.
      patienceMs: READER_WAIT_MS,
    });
    const { score = null, tierLabel = null } = read?.headline ?? {};
    return c.json({
      address: wallet,
      score,
      tierLabel,
      dimensions: read && dimensionsOf(read.s4),
    }, 200);
  });
}

/** The headline of the signed-in wallet's score. */
const OwnScore = z.object({
  address: LowerCaseAddress,
  score: z.number().nullable().meta({
    description:
      "Headline score; null if the wallet was never scored and cannot be now",
    example: 61,
  }),
  tierLabel: z.string().nullable().meta({
    description: "Label of the tier; null without a score",
    example: "Established",
  }),
  dimensions: z.object({
    humanity: z.number().meta({ description: "Humanity", example: 40.2 }),
    activity: z.number().meta({ description: "Activity", example: 71.5 }),
    social: z.number().meta({ description: "Social", example: 12.9 }),
    economic: z.number().meta({ description: "Economic", example: 55 }),
  }).nullable().meta({
    description: "The dimensions from 0 to 100; null without a score",
  }),
}).meta({ id: "OwnScore" });
