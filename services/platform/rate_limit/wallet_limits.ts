/** Rate limits of the changes that one wallet makes. */
import type { RateLimitDeps } from "./take_call.ts";
import { describeLimits, type Limit } from "./call_budget.ts";
import { HOUR_MS, MINUTE_MS } from "../days.ts";
import { Fault } from "../fault.ts";
import { retryWords } from "../retry_after.ts";

/** The limits by kind of change. */
const LIMITS = {
  profile: [{ calls: 20, perMs: MINUTE_MS }],
  /** Each reads all follows. */
  export: [{ calls: 5, perMs: MINUTE_MS }],
  /** Each change calls an upstream, or stores a sign-in that is pending. */
  social: [
    { calls: 10, perMs: MINUTE_MS },
    { calls: 30, perMs: HOUR_MS },
  ],
  donation: [{ calls: 20, perMs: MINUTE_MS }],
  follow: [{ calls: 100, perMs: MINUTE_MS }],
  /** Each costs a unit: whoever has the session alone spends no quota fast. */
  signature: [
    { calls: 5, perMs: MINUTE_MS },
    { calls: 30, perMs: HOUR_MS },
  ],
  quote: [{ calls: 20, perMs: MINUTE_MS }],
} as const satisfies Record<string, readonly Limit[]>;

/** Names of the changes in messages. */
const NOUNS: Readonly<Record<keyof typeof LIMITS, string>> = {
  profile: "profile changes",
  export: "exports",
  social: "social account changes",
  donation: "donations",
  follow: "follow changes",
  signature: "signed scores of the dashboard",
  quote: "quotes",
};

/** Counts a change of a wallet. Throws a fault beyond the limit. */
export async function limitWallet(
  { now, store }: RateLimitDeps,
  what: keyof typeof LIMITS,
  wallet: string,
): Promise<void> {
  const name = `${what} ${wallet}`;
  const admission = await store.budgets.take(name, LIMITS[what], { now });
  if (admission.allowed) return;
  const limit = describeLimits(LIMITS[what], NOUNS[what]);
  throw new Fault(
    `Rate limit of this wallet exceeded: expected at most ${limit}; ${
      retryWords(admission.retryAfterMs)
    }`,
    { kind: "tooManyChanges", retryAfterMs: admission.retryAfterMs },
  );
}
