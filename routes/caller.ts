/** Keyed requests: who calls, what the call costs, and the headers that say so. */
import type { Context, MiddlewareHandler } from "hono";
import {
  authorize,
  type Caller,
  giveBack,
  readStanding,
  requirePlan as requirePlanOf,
  spend,
  unauthorized,
} from "../services/access.ts";
import type { Metered } from "../services/contract/plans.ts";
import type { Deps } from "../services/deps.ts";
import type { Standing } from "../services/domain/quota.ts";
import { looksLikeKey } from "../services/key_format.ts";

/** What keyed routes know of a request. */
export interface CallerEnv {
  Variables: { caller: Caller; standing: Standing | undefined };
}

const PERIOD_S = 30 * 86_400;
const BURST_S = 60;

/** Finds the caller, and says on every answer, errors too, how they stand. */
export function keyed(deps: Deps): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    c.header("Vary", "X-Api-Key");
    refuseMisplacedKey(c);
    const caller = await authorize(deps, c.req.header("X-Api-Key"));
    c.set("caller", caller);
    await next();
    const standing = c.get("standing") ??
      await readStanding(deps, caller, "score");
    for (const [name, value] of Object.entries(headersOf(standing, deps))) {
      c.res.headers.set(name, value);
    }
    c.res.headers.set("Vary", "X-Api-Key");
    c.res.headers.set("Cache-Control", "private, no-store");
  };
}

/** Lets only callers pass whose plan includes the endpoint. */
export function requirePlan(
  deps: Deps,
  endpoint: Metered,
): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    requirePlanOf(deps, c.get("caller"), endpoint);
    await next();
  };
}

/**
 * Counts a call and does its work. A refusal counts nothing; what the work
 * throws gives the units back, since the caller got nothing for them.
 */
export async function metered<T>(
  deps: Deps,
  c: Context<CallerEnv>,
  { endpoint, units, work }: {
    endpoint: Metered;
    units: number;
    work: () => Promise<T>;
  },
): Promise<T> {
  const caller = c.get("caller");
  const { standing, refusal, spentAt } = await spend(deps, caller, {
    endpoint,
    units,
  });
  if (standing) c.set("standing", standing);
  if (refusal) throw refusal;
  try {
    return await work();
  } catch (error) {
    await giveBack(deps, caller, { endpoint, units, spentAt });
    c.set("standing", undefined);
    throw error;
  }
}

/** A key in a URL ends in logs and histories; the answer must not repeat it. */
function refuseMisplacedKey(c: Context): void {
  if (looksLikeKey(c.req.url)) {
    throw unauthorized("a key in the path or query string is never accepted");
  }
  if (looksLikeKey(c.req.header("Authorization") ?? "")) {
    throw unauthorized("a key in Authorization is not accepted");
  }
}

/** The spec's headers, and those of the IETF draft on rate limits. */
function headersOf(
  { limit, remaining, resetAt, burst }: Standing,
  { now }: Pick<Deps, "now">,
): Record<string, string> {
  const seconds = (at: number) =>
    Math.max(0, Math.ceil((at - now().getTime()) / 1000));
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": new Date(resetAt).toISOString(),
    "RateLimit-Policy":
      `"period";q=${limit};w=${PERIOD_S}, "burst";q=${burst.limit};w=${BURST_S}`,
    "RateLimit": `"period";r=${remaining};t=${seconds(resetAt)}, ` +
      `"burst";r=${burst.remaining};t=${seconds(burst.resetAt)}`,
  };
}
