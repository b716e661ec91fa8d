/** Keyed requests: the caller, the plan, and the quota headers of every answer. */
import type { Context, MiddlewareHandler } from "hono";
import {
  readQuotaStatus,
  requirePlan as requirePlanOf,
} from "../../services/accounts/access.ts";
import type { CallerCache } from "../../services/accounts/caller_cache.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import { looksLikeKey } from "../../services/accounts/key_format.ts";
import type { QuotaStatus } from "../../services/accounts/quota/quota.ts";
import { unauthorized } from "../../services/accounts/refusals.ts";
import type { Metered } from "../../services/payments/plans_schema.ts";
import { decodePercent } from "../../services/platform/observability/redact.ts";
import {
  type KeyedRequest,
  startKeyedRequest,
  verifyCaller,
} from "../../services/scores/metered_calls.ts";
import { quotaHeaders } from "./rate_limit_headers.ts";

/** Variables of keyed routes. */
export interface CallerEnv {
  Variables: {
    keyed: KeyedRequest;
    acceptsCachedCaller: boolean | undefined;
    hasQuotaHeaders: boolean | undefined;
  };
}

/** Lets a route's use case verify the cached caller by the commit that counts the request. */
export const acceptCachedCaller: MiddlewareHandler<CallerEnv> = (c, next) => {
  c.set("acceptsCachedCaller", true);
  return next();
};

/** Authorizes the caller, and sets the quota headers of every answer, errors included. */
export function keyed(
  deps: AccountsDeps,
  callers: CallerCache,
): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    c.header("Vary", "X-Api-Key");
    refuseMisplacedKey(c);
    const acceptsCached = c.get("acceptsCachedCaller") === true;
    const key = c.req.header("X-Api-Key");
    const request = await startKeyedRequest(callers, key, { acceptsCached });
    c.set("keyed", request);
    await next();
    if (c.get("hasQuotaHeaders") === true) return;
    // Still unverified if the route refused the request before it was counted.
    await verifyCaller(callers, request);
    const status = request.quotaStatus ??
      await readQuotaStatus(deps, request.caller, "score");
    const { headers } = c.res;
    const added = quotaHeaders(status, deps.now().getTime());
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
  };
}

/**
 * Answers a counted request with a JSON text and all headers at once: to set
 * them on a finished response costs a fifth of a cached score.
 */
export function answerCounted(
  c: Context<CallerEnv>,
  text: string,
  { status, now }: { readonly status: QuotaStatus; readonly now: number },
): Response {
  c.set("hasQuotaHeaders", true);
  return new Response(text, {
    headers: {
      "Content-Type": "application/json",
      "Vary": "X-Api-Key",
      "X-Request-Id": c.get("requestId" as never),
      ...quotaHeaders(status, now),
    },
  });
}

/** Refuses callers whose plan does not include the endpoint. */
export function requirePlan(
  deps: AccountsDeps,
  endpoint: Metered,
): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    requirePlanOf(deps, c.get("keyed").caller, endpoint);
    await next();
  };
}

/** A key in a URL ends in logs and histories; the answer must not repeat it. */
function refuseMisplacedKey(c: Context): void {
  if (looksLikeKey(decodePercent(c.req.url))) {
    throw unauthorized("a key in the path or query string is never accepted");
  }
  if (looksLikeKey(c.req.header("Authorization") ?? "")) {
    throw unauthorized("a key in Authorization is not accepted");
  }
}
