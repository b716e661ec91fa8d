/** Rate limits, by network, of free requests that write to the store or call an upstream. */
import type { RateLimitDeps } from "./take_call.ts";
import { describeLimits, type Limit } from "./call_budget.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../days.ts";
import { Fault } from "../fault.ts";
import { retryWords } from "../retry_after.ts";
import { NETWORK_SIZES, networksOf } from "./networks.ts";

/** The limits by action. */
const LIMITS = {
  /** At most 120 pending messages of less than 2 kB for each network. */
  challenge: [
    { calls: 12, perMs: MINUTE_MS },
    { calls: 120, perMs: HOUR_MS },
  ],
  /** The free quota is per wallet, and anyone can create wallets. */
  keyCreation: [{ calls: 20, perMs: DAY_MS }],
  /** A fifth of the addresses that everybody without a key may have scored in a day. */
  publicScore: [
    { calls: 12, perMs: MINUTE_MS },
    { calls: 60, perMs: HOUR_MS },
    { calls: 200, perMs: DAY_MS },
  ],
  /** Changes of wallets without a plan. Each stores up to 2 kB, for ever. */
  freeWrite: [
    { calls: 120, perMs: MINUTE_MS },
    { calls: 600, perMs: HOUR_MS },
    { calls: 2_000, perMs: DAY_MS },
  ],
} as const satisfies Record<string, readonly Limit[]>;

/** The limits of a /64, a /56 and a /48, as multiples of the limit of a /64. */
const SIZES: Readonly<Record<keyof typeof LIMITS, readonly number[]>> = {
  challenge: NETWORK_SIZES,
  // Providers assign a whole /48 to one customer.
  keyCreation: [1, 1, 2],
  publicScore: NETWORK_SIZES,
  freeWrite: NETWORK_SIZES,
};

/** Names of the actions in messages. */
const NOUNS: Readonly<Record<keyof typeof LIMITS, string>> = {
  challenge: "sign-in messages",
  keyCreation: "new keys",
  publicScore: "new scores",
  freeWrite: "changes by wallets without a plan",
};

/** Counts an action of a client by each of its networks. Throws a fault beyond a limit. */
export async function limitFreeAction(
  { now, store }: RateLimitDeps,
  what: keyof typeof LIMITS,
  hostname: string,
): Promise<void> {
  // The smallest comes first: a refused /64 takes nothing from its neighbours.
  for (const [nth, network] of networksOf(hostname).entries()) {
    const limits = LIMITS[what].map(({ calls, perMs }) => ({
      calls: calls * SIZES[what][nth]!,
      perMs,
    }));
    const name = `${what} ${network}`;
    const admission = await store.budgets.take(name, limits, { now });
    if (!admission.allowed) {
      const limit = describeLimits(limits, NOUNS[what]);
      throw new Fault(
        `Rate limit of this network exceeded: expected at most ${limit}; ${
          retryWords(admission.retryAfterMs)
        }`,
        { kind: "tooManyChanges", retryAfterMs: admission.retryAfterMs },
      );
    }
  }
}
