/** Keyed requests: who calls, what the call costs, and the headers that say so. */
import type { Context, MiddlewareHandler } from "hono";
import {
  type Caller,
  giveBack,
  readStanding,
  requirePlan as requirePlanOf,
  spend,
  unauthorized,
} from "../../services/accounts/access.ts";
import type { Metered } from "../../services/payments/plans_schema.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import { isoTimestamps } from "../../services/platform/iso_timestamps.ts";
import type { Standing } from "../../services/accounts/quota/quota.ts";
import { standingOfRefused } from "../../services/scores/test_keys/test_key_answers.ts";
import { looksLikeKey } from "../../services/accounts/key_format.ts";
import type { KnownCallers } from "../../services/accounts/caller_cache.ts";
import { decodePercent } from "../../services/platform/observability/redact.ts";
import { policyEntry, standingEntry } from "./rate_limit_headers.ts";

/** What keyed routes know of a request. */
export interface CallerEnv {
  Variables: { caller: Caller; standing: Standing | undefined };
}

const PERIOD_S = 30 * 86_400;
const BURST_S = 60;

/** Finds the caller, and says on every answer, errors too, how they stand. */
export function keyed(
  deps: AccountsDeps,
  callers: KnownCallers,
): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    c.header("Vary", "X-Api-Key");
    refuseMisplacedKey(c);
    const caller = await callers.authorize(c.req.header("X-Api-Key"));
    c.set("caller", caller);
    await next();
    const standing = c.get("standing") ??
      await readStanding(deps, caller, "score");
    const headers = keyedHeaders(standing, deps.now().getTime());
    for (const [name, value] of Object.entries(headers)) {
      c.res.headers.set(name, value);
    }
  };
}

/** Lets only callers pass whose plan includes the endpoint. */
export function requirePlan(
  deps: AccountsDeps,
  endpoint: Metered,
): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    requirePlanOf(deps, c.get("caller"), endpoint);
    await next();
  };
}

/** A call of an endpoint, and the work to be done for it. */
export interface Call<T> {
  readonly endpoint: Metered;
  readonly units: number;
  readonly work: () => Promise<T>;
  /** What a test key is answered in its place. */
  readonly fixture: () => T;
}

/**
 * Counts a call and does its work. A refusal counts nothing; what the work
 * throws gives the units back, since the caller got nothing for them.
 */
export async function metered<T>(
  deps: AccountsDeps,
  c: Context<CallerEnv>,
  call: Call<T>,
): Promise<T> {
  const { endpoint, units, work } = call;
  const caller = c.get("caller");
  if (caller.kind === "test") return await answerFixture(deps, c, call);
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

/** Answers a test key: nothing is counted, so only an invented refusal changes how it stands. */
async function answerFixture<T>(
  deps: AccountsDeps,
  c: Context<CallerEnv>,
  { endpoint, fixture }: Call<T>,
): Promise<T> {
  const standing = await readStanding(deps, c.get("caller"), endpoint);
  c.set("standing", standing);
  try {
    return fixture();
  } catch (error) {
    if (error instanceof Fault) {
      const now = deps.now().getTime();
      c.set("standing", standingOfRefused(standing, error, now));
    }
    throw error;
  }
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

/** Units leave with their hour, so that many answers name the same instant. */
const resetInstant = isoTimestamps();

/** Returns the headers of every keyed answer: the spec's, and those of the IETF draft on rate limits. */
export function keyedHeaders(
  { limit, remaining, resetAt, burst }: Standing,
  now: number,
): Record<string, string> {
  const seconds = (at: number) => Math.max(0, Math.ceil((at - now) / 1000));
  return {
    "Vary": "X-Api-Key",
    "Cache-Control": "private, no-store",
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": resetInstant(resetAt),
    "RateLimit-Policy": policyEntry("period", limit, PERIOD_S) + ", " +
      policyEntry("burst", burst.limit, BURST_S),
    "RateLimit": standingEntry("period", remaining, seconds(resetAt)) + ", " +
      standingEntry("burst", burst.remaining, seconds(burst.resetAt)),
  };
}
