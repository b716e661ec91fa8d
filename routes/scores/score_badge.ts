/** The badge of an address over HTTP. */
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { AddressPath } from "../../services/platform/address_schema.ts";
import { BadgeQuery, shownText } from "../../services/scores/badge_schema.ts";
import type { ScoresDeps } from "../../services/scores/deps.ts";
import { readBadgeScore } from "../../services/scores/public_scores.ts";
import { MINUTE_MS } from "../../services/platform/days.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import { invalidRequest, json, newRouter } from "../http/router.ts";
import { badge, badgeOfError } from "./badge.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { Fault } from "../../services/platform/fault.ts";
import { redactKeys } from "../../services/platform/observability/redact.ts";
import { anyOrigin } from "../http/cors.ts";
import { headOfFault } from "../pages/on_error.ts";
import { prefersJson } from "../pages/page.ts";

/** Memory that finished badges may take, in bytes: some thousands of them. */
export const MAX_BADGE_BYTES = 4 * 2 ** 20;

/** A badge is held here for a minute, and by others for five. */
const BADGE_MS = MINUTE_MS;
const CACHE_CONTROL = "public, max-age=300";

const SVG = "image/svg+xml; charset=utf-8";

/** Any page may show the image. The image itself may neither run nor load anything. */
const HEADERS = {
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
};

/** Serves badges. Repeated requests get the cached image. */
export function scoreBadge(deps: ScoresDeps, answers: ResponseCache) {
  const svg = { [SVG.split(";")[0]!]: { schema: { type: "string" as const } } };
  const failed = (what: string) => ({
    description: `${what}: a badge; JSON if \`Accept\` prefers it`,
    content: { ...json(ErrorBody, what).content, ...svg },
  });
  const getBadge = createRoute({
    operationId: "getScoreBadge",
    description:
      "An SVG image. It shows the last stored score and never waits for a source. An address without a score is queued to be scored.",
    tags: ["Embeds"],
    method: "get",
    path: "/score-badge/{address}",
    summary: "Draw a live badge of one address",
    request: { params: AddressPath, query: BadgeQuery },
    responses: {
      200: { description: "The badge", content: svg },
      304: { description: "Not modified" },
      400: failed("What is invalid"),
      412: failed("If-Match names another version"),
    },
  });
  const router = newRouter();
  router.use(anyOrigin());
  router.onError((error, c) => {
    if (error instanceof Fault && !prefersJson(c)) return answerImage(c, error);
    c.header("Vary", "Accept");
    throw error;
  });
  return router.openapi(getBadge, (c) => {
    const { address } = c.req.valid("param");
    const query = c.req.valid("query");
    return answers.send(c, query, async ({ client }) => {
      const facts = await readBadgeScore(deps, address, client);
      return {
        text: await badge(facts, query),
        type: SVG,
        fetchedAt: deps.now().getTime(),
        changedAt: null,
        keep: {
          forMs: BADGE_MS,
          isPersonal: true,
          headers: { ...HEADERS, "Cache-Control": CACHE_CONTROL },
        },
      };
    });
  }, (result, c) => {
    if (result.success) return;
    // A badge with all problems would be too wide to read.
    const first = new z.ZodError(result.error.issues.slice(0, 1));
    const error = prefersJson(c) ? result.error : first;
    throw invalidRequest(c, { ...result, error });
  });
}

/** Answers with a badge that shows the error, because an embedding page shows only the image. */
async function answerImage(c: Context, fault: Fault) {
  const { status, headers } = headOfFault(c, fault);
  const text = await badgeOfError(shownText(redactKeys(fault.message)));
  return c.body(text, status, {
    ...headers,
    ...HEADERS,
    "Content-Type": SVG,
    "Vary": "Accept",
  });
}
