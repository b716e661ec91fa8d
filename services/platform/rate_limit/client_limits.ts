/** Rate limits, by network, of free requests that write to the store. */
import type { RateLimitDeps } from "./take_call.ts";
import { describeLimits, type Limit } from "./call_budget.ts";
import { DAY_MS, HOUR_MS } from "../days.ts";
import { Fault } from "../fault.ts";
import { networkOf } from "./networks.ts";

/** The limits by action. */
const LIMITS = {
  /** At most 120 pending messages of less than 1 kB for each network. */
  challenge: [
    { calls: 12, perMs: 60_000 },
    { calls: 120, perMs: HOUR_MS },
  ],
  /** The free quota is per wallet, and anyone can create wallets. */
  keyCreation: [{ calls: 20, perMs: DAY_MS }],
} as const satisfies Record<string, readonly Limit[]>;

/** Names of the actions in messages. */
const NOUNS: Readonly<Record<keyof typeof LIMITS, string>> = {
  challenge: "sign-in messages",
  keyCreation: "new keys",
};

/** Counts an action of a client by its network. Throws a fault beyond the limit. */
export async function limitClient(
  { now, store }: RateLimitDeps,
  what: keyof typeof LIMITS,
  hostname: string,
): Promise<void> {
  const name = `${what} ${networkOf(hostname)}`;
  const at = now().getTime();
  const admission = await store.budgets.take(name, LIMITS[what], at);
  if (admission.allowed) return;
  const limit = describeLimits(LIMITS[what], NOUNS[what]);
  throw new Fault(
    `Rate limit of your network exceeded: expected at most ${limit}`,
    { kind: "tooManyChanges", retryAfterMs: admission.retryAfterMs },
  );
}
