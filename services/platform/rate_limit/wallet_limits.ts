/** Rate limits of the changes that one wallet makes. */
import type { RateLimitDeps } from "./take_call.ts";
import type { Limit } from "./call_budget.ts";
import { Fault } from "../fault.ts";

/** The limits by kind of change. */
const LIMITS = {
  profile: [{ calls: 20, perMs: 60_000 }],
  /** Each change calls an upstream. */
  social: [{ calls: 10, perMs: 60_000 }],
  donation: [{ calls: 20, perMs: 60_000 }],
  follow: [{ calls: 100, perMs: 60_000 }],
  quote: [{ calls: 20, perMs: 60_000 }],
  claim: [{ calls: 20, perMs: 60_000 }],
} as const satisfies Record<string, readonly Limit[]>;

/** Counts a change of a wallet. Throws a fault beyond the limit. */
export async function limitWallet(
  { now, store }: RateLimitDeps,
  what: keyof typeof LIMITS,
  wallet: string,
): Promise<void> {
  const name = `${what} ${wallet}`;
  const at = now().getTime();
  const admission = await store.budgets.take(name, LIMITS[what], at);
  if (admission.allowed) return;
  throw new Fault("Cannot change this now: too many changes of yours", {
    kind: "tooManyChanges",
    retryAfterMs: admission.retryAfterMs,
  });
}
