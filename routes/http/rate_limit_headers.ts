/** Rate-limit headers: those of the specification, and `RateLimit-Policy` and `RateLimit` of the IETF draft. */
import type { QuotaStatus } from "../../services/accounts/quota/quota.ts";
import { PERIOD_DAYS } from "../../services/payments/plans_schema.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { isoTimestamps } from "../../services/platform/clock.ts";

const PERIOD_S = PERIOD_DAYS * DAY_MS / 1000;

/** Units expire by the hour, so that many answers have the same reset time. */
const resetTimestamp = isoTimestamps();

/** Answers differ by key. */
export const VARY_BY_KEY = { "Vary": "X-Api-Key" } as const;

/** Returns the headers of every answer to a valid key at an instant, in epoch ms. */
export function keyedHeaders(
  status: QuotaStatus,
  now: number,
): Record<string, string> {
  const { limit, remaining, resetAt, cap, burst } = status;
  const tighter = status.tighter === "cap" && cap !== null ? cap : status;
  const seconds = (at: number) => Math.max(0, Math.ceil((at - now) / 1000));
  return {
    ...VARY_BY_KEY,
    "Cache-Control": "private, no-store",
    "X-RateLimit-Limit": String(tighter.limit),
    "X-RateLimit-Remaining": String(tighter.remaining),
    "X-RateLimit-Reset": resetTimestamp(tighter.resetAt),
    "RateLimit-Policy": policyEntry("period", limit, PERIOD_S) + ", " +
      (cap === null ? "" : policyEntry("cap", cap.limit, PERIOD_S) + ", ") +
      policyEntry("burst", burst.limit, burst.perMs / 1000),
    "RateLimit": statusEntry("period", remaining, seconds(resetAt)) + ", " +
      (cap === null
        ? ""
        : statusEntry("cap", cap.remaining, seconds(cap.resetAt)) + ", ") +
      statusEntry("burst", burst.remaining, seconds(burst.resetAt)),
  };
}

/** What every answer of the scoring API says of a limit. */
export const ALLOWANCE_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const;

/** Sets the headers of an answer that no quota limits: the allowance of the client's address. */
export function setAllowance(
  headers: Headers,
  { limit, remaining, resetAt }: {
    readonly limit: number;
    readonly remaining: number;
    readonly resetAt: number;
  },
): void {
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("X-RateLimit-Reset", new Date(resetAt).toISOString());
}

/** Formats one entry of `RateLimit-Policy`: the quota and its window in seconds. */
export function policyEntry(
  name: string,
  quota: number,
  perSeconds: number,
): string {
  return `"${name}";q=${quota};w=${perSeconds}`;
}

/** Formats one entry of `RateLimit`: what remains, and the seconds until more is available. */
export function statusEntry(
  name: string,
  remaining: number,
  seconds: number,
): string {
  return `"${name}";r=${remaining};t=${seconds}`;
}
