/** Rate limits of what one wallet changes, and of free requests of one network that write to the store or call an upstream. */
import type { RateLimitDeps } from "./take_call.ts";
import { describeLimits, type Limit } from "./call_budget.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../days.ts";
import { Fault } from "../fault.ts";
import { retryWords } from "../text.ts";
import { NETWORK_SIZES, networksOf } from "./networks.ts";

/** The limits of a kind of change. */
interface ChangeLimits {
  /** Its name in messages. */
  readonly noun: string;
  readonly limits: readonly Limit[];
}

/** Those of a /64, and the limits of it, of its /56 and of its /48 as multiples. */
interface NetworkLimits extends ChangeLimits {
  readonly sizes: readonly number[];
}

/** The changes that a wallet makes. */
const OF_WALLET = {
  profile: {
    noun: "profile changes",
    limits: [{ calls: 20, perMs: MINUTE_MS }],
  },
  /** Each reads all follows. */
  export: { noun: "exports", limits: [{ calls: 5, perMs: MINUTE_MS }] },
  /** Each change calls an upstream, or stores a sign-in that is pending. */
  social: {
    noun: "social account changes",
    limits: [{ calls: 10, perMs: MINUTE_MS }, { calls: 30, perMs: HOUR_MS }],
  },
  donation: { noun: "donations", limits: [{ calls: 20, perMs: MINUTE_MS }] },
  follow: {
    noun: "follow changes",
    limits: [{ calls: 100, perMs: MINUTE_MS }],
  },
  /** Each costs a unit: whoever has the session alone spends no quota fast. */
  signature: {
    noun: "signed scores of the dashboard",
    limits: [{ calls: 5, perMs: MINUTE_MS }, { calls: 30, perMs: HOUR_MS }],
  },
  quote: { noun: "quotes", limits: [{ calls: 20, perMs: MINUTE_MS }] },
} as const satisfies Record<string, ChangeLimits>;

/** What the wallets and visitors of a network do for free. */
const OF_NETWORK = {
  /** At most 120 pending messages of less than 2 kB for each network. */
  challenge: {
    noun: "sign-in messages",
    limits: [{ calls: 12, perMs: MINUTE_MS }, { calls: 120, perMs: HOUR_MS }],
    sizes: NETWORK_SIZES,
  },
  /** The free quota is per wallet, and anyone can create wallets. */
  keyCreation: {
    noun: "new keys",
    limits: [{ calls: 20, perMs: DAY_MS }],
    // Providers assign a whole /48 to one customer.
    sizes: [1, 1, 2],
  },
  /** A fifth of the addresses that everybody without a key may have scored in a day. */
  publicScore: {
    noun: "new scores",
    limits: [
      { calls: 12, perMs: MINUTE_MS },
      { calls: 60, perMs: HOUR_MS },
      { calls: 200, perMs: DAY_MS },
    ],
    sizes: NETWORK_SIZES,
  },
  /** Changes of wallets without a plan. Each stores up to 2 kB, for ever. */
  freeWrite: {
    noun: "changes by wallets without a plan",
    limits: [
      { calls: 120, perMs: MINUTE_MS },
      { calls: 600, perMs: HOUR_MS },
      { calls: 2_000, perMs: DAY_MS },
    ],
    sizes: NETWORK_SIZES,
  },
} as const satisfies Record<string, NetworkLimits>;

/** Counts a change of a wallet. Throws a fault beyond the limit. */
export async function limitWallet(
  deps: RateLimitDeps,
  what: keyof typeof OF_WALLET,
  wallet: string,
): Promise<void> {
  await count(deps, `${what} ${wallet}`, "wallet", OF_WALLET[what]);
}

/** Counts an action of a client by each of its networks. Throws a fault beyond a limit. */
export async function limitFreeAction(
  deps: RateLimitDeps,
  what: keyof typeof OF_NETWORK,
  hostname: string,
): Promise<void> {
  const { noun, limits, sizes } = OF_NETWORK[what];
  // The smallest comes first: a refused /64 takes nothing from its neighbours.
  for (const [nth, network] of networksOf(hostname).entries()) {
    await count(deps, `${what} ${network}`, "network", {
      noun,
      limits: limits.map(({ calls, perMs }) => ({
        calls: calls * sizes[nth]!,
        perMs,
      })),
    });
  }
}

/** Takes a change from a budget, or throws the fault of its limits. */
async function count(
  { now, store }: RateLimitDeps,
  name: string,
  of: "network" | "wallet",
  { noun, limits }: ChangeLimits,
): Promise<void> {
  const admission = await store.budgets.take(name, limits, { now });
  if (admission.allowed) return;
  const { retryAfterMs } = admission;
  throw new Fault(
    `Rate limit of this ${of} exceeded: expected at most ${
      describeLimits(limits, noun)
    }; ${retryWords(retryAfterMs)}`,
    { kind: "tooManyChanges", retryAfterMs },
  );
}
