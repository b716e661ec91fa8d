/** Routes of scores: single, batch, history, usage, and the score of the signed-in wallet. */
import { createRoute, z } from "@hono/zod-openapi";
import {
  readQuotaStatus,
  readUsageDays,
  requireUse,
} from "../../services/accounts/access.ts";
import { noticesOf } from "../../services/accounts/account.ts";
import { readEntitlements } from "../../services/payments/entitlements.ts";
import { UsageAnswer } from "../../services/accounts/account_schema.ts";
import {
  BatchAnswer,
  BatchBody,
  HISTORY_DAYS,
  HistoryAnswer,
  HistoryQuery,
  ScoreQuery,
  ScoreRead,
} from "../../services/model/scores_schema.ts";
import {
  AddressPath,
  LowerCaseAddress,
} from "../../services/platform/address_schema.ts";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import { PLANS } from "../../services/payments/plans_schema.ts";
import {
  meter,
  verifyCaller,
} from "../../services/scores/charge_and_refund.ts";
import type { KeyedScores } from "../../services/scores/keyed_scores.ts";
import {
  readBatch,
  readHistory,
  type ScoresDeps,
} from "../../services/scores/scores.ts";
import { formatDay } from "../../services/platform/days.ts";
import { instant } from "../../services/platform/clock.ts";
import {
  readFixtureBatch,
  readFixtureHistory,
} from "../../services/scores/test_key_answers.ts";
import { limitBody, requireJson } from "../http/body.ts";
import {
  type Answer,
  answerKeyed,
  type CallerEnv,
  requireAccess,
} from "../accounts/caller.ts";
import {
  json,
  jsonBody,
  KEY_ERRORS,
  KEYED_ERRORS,
  newRouter,
} from "../http/router.ts";
import { READER_WAIT_MS } from "../../services/platform/rate_limit/call_budget.ts";
import { readScorePage } from "../../services/scores/public_scores.ts";
import { networkOfClient } from "../http/client_address.ts";
import { type AccountEnv, ofWallet, READ_ERRORS } from "../accounts/session.ts";

/** Bytes that a batch may have: a batch of too many addresses is a 400 up to 1,400 of them. */
const MAX_BATCH_BYTES = 65_536;

/** Every route here needs a key in `X-Api-Key`. */
const API_KEY = [{ ApiKey: [] }];

/** Serves scores and usage. Mount behind `keyed`. */
export function scores(deps: ScoresDeps, keyedScores: KeyedScores) {
  const getScore = createRoute({
    operationId: "getScore",
    description:
      "Spends one unit. On-chain signals are at most 24 hours old; profile, follows and purchases are current. `explanation.reasons` says what counted: missing evidence first, then risks, then strengths.",
    tags: ["Scores"],
    method: "get",
    security: API_KEY,
    path: "/score/{address}",
    summary: "Read the live score of one address",
    middleware: [requireAccess(deps, "score")] as const,
    request: { params: AddressPath, query: ScoreQuery },
    responses: { 200: json(ScoreRead, "The score read"), ...KEYED_ERRORS },
  });
  const postBatch = createRoute({
    operationId: "postBatch",
    description:
      'Spends one unit for each address. It calls no source. An item with `signals: "none"` was never scored, and its zeroes mean "unknown".',
    tags: ["Scores"],
    method: "post",
    security: API_KEY,
    path: "/score/batch",
    summary: "Read the scores of 1 to 50 addresses from stored signals",
    middleware: [
      requireAccess(deps, "batch"),
      limitBody(MAX_BATCH_BYTES),
      requireJson,
    ] as const,
    request: { query: NoQuery, body: jsonBody(BatchBody) },
    responses: {
      200: json(BatchAnswer, "One item for each address, in the order sent"),
      ...KEYED_ERRORS,
      413: json(ErrorBody, "The body is over 64 kB; nothing is charged"),
    },
  });
  const getHistory = createRoute({
    operationId: "getHistory",
    description:
      "Spends one unit. A day on which the address was not scored is absent. `include=breakdown` adds the parts of each score.",
    tags: ["Scores"],
    method: "get",
    security: API_KEY,
    path: "/score/{address}/history",
    summary: `List the last score of each day, for up to ${HISTORY_DAYS} days`,
    middleware: [requireAccess(deps, "history")] as const,
    request: { params: AddressPath, query: HistoryQuery },
    responses: {
      200: json(HistoryAnswer, "The history, oldest first"),
      ...KEYED_ERRORS,
    },
  });
  const getUsage = createRoute({
    operationId: "getUsage",
    description:
      "The units of the last days by endpoint, and what is left of the rolling quota. All keys of a wallet share its quota.",
    tags: ["Scores"],
    method: "get",
    security: API_KEY,
    path: "/usage",
    summary: "Read the usage of the key's wallet; free of charge",
    middleware: [requireAccess(deps, "usage")] as const,
    request: { query: NoQuery },
    responses: { 200: json(UsageAnswer, "The usage"), ...KEY_ERRORS },
  });

  return newRouter<CallerEnv>()
    .openapi(getScore, async (c) => {
      const { address } = c.req.valid("param");
      const query = c.req.valid("query");
      const request = c.get("keyed");
      const text = await keyedScores.answerCached(request, address) ??
        await keyedScores.answerStored(request, address, query);
      return new Response(text) as Answer<ScoreRead>;
    })
    .openapi(postBatch, async (c) => {
      const { addresses } = c.req.valid("json");
      const work = () => readBatch(deps, addresses);
      const fixture = () => readFixtureBatch(deps, addresses);
      const call = {
        endpoint: "batch",
        units: addresses.length,
        work,
        fixture,
      } as const;
      return answerKeyed(await meter(deps, c.get("keyed"), call));
    })
    .openapi(getHistory, async (c) => {
      const { address } = c.req.valid("param");
      const { days, include } = c.req.valid("query");
      const wanted = { days, breakdown: include === "breakdown" };
      const work = () => readHistory(deps, address, wanted);
      const fixture = () => readFixtureHistory(deps, address, wanted);
      const call = { endpoint: "history", units: 1, work, fixture } as const;
      return answerKeyed(await meter(deps, c.get("keyed"), call));
    })
    .openapi(getUsage, async (c) => {
      const keyed = c.get("keyed");
      await verifyCaller(keyed);
      const { caller, hostname } = keyed;
      requireUse(deps, caller, { scope: "usage", hostname });
      const { plan, paidUntil, wallet } = caller;
      keyed.quotaStatus = await readQuotaStatus(deps, caller, "score");
      const { limit, used, remaining, resetAt, cap } = keyed.quotaStatus;
      const [days, { next }] = await Promise.all([
        readUsageDays(deps, wallet),
        readEntitlements(deps, wallet),
      ]);
      const planLabel = PLANS[plan].label;
      const until = instant(paidUntil);
      return answerKeyed({
        plan,
        planLabel,
        paidUntil: until,
        limit,
        used,
        remaining,
        resetAt: instant(resetAt),
        cap: cap && {
          limit: cap.limit,
          remaining: cap.remaining,
          resetAt: instant(cap.resetAt),
        },
        notices: noticesOf({
          planLabel,
          paidUntil: until,
          isFollowed: next.length > 0,
          used,
          limit,
        }, deps.now().getTime()),
        days: days.map(({ day, units }) => ({ date: formatDay(day), units })),
      });
    });
}

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
