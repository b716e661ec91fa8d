/**
 * Rate limits of what one wallet changes, of free requests of one network that write to
 * the store or call an upstream, and of calls that clients share.
 */
import {
  describeLimits,
  type Limit,
  requesterOfClient,
  type SharedAdmission,
  type SharedBudget,
  UNSHARED,
  usedByOf,
} from "./call_budget.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../days.ts";
import { callsUsedUp, Fault } from "../fault.ts";
import { retryWords } from "../text.ts";
import { NETWORK_SIZES, networksOf } from "./networks.ts";
import type { Clock } from "../clock.ts";
import type { BudgetStore } from "./call_budgets_store.ts";

/** Dependencies of the rate limits. */
export interface RateLimitDeps extends Clock {
  readonly store: { readonly budgets: BudgetStore };
}

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

/**
 * Takes one call from a budget for a network, which gets at most half of what is
 * left, or for the service itself. Throws a fault if none is left for it.
 */
export async function takeForClient(
  deps: RateLimitDeps,
  { name, limits }: Omit<SharedBudget, "shares">,
  client: string | undefined,
): Promise<void> {
  const budget = { name, limits, shares: UNSHARED };
  const admission = await deps.store.budgets.takeShared(
    budget,
    requesterOfClient(client),
    deps,
  );
  if (!admission.allowed) throw refusalOf(name, client, admission);
}

/** Throws as `takeForClient` does if no call is left, but takes none and writes nothing. */
export async function requireLeftForClient(
  { now, store: { budgets } }: RateLimitDeps,
  { name, limits }: Omit<SharedBudget, "shares">,
  client: string | undefined,
): Promise<void> {
  const budget = { name, limits, shares: UNSHARED };
  const requester = requesterOfClient(client);
  const admission = await budgets.look(budget, requester, now().getTime());
  if (!admission.allowed) throw refusalOf(name, client, admission);
}

function refusalOf(
  upstream: string,
  client: string | undefined,
  { retryAfterMs, party }: SharedAdmission & { allowed: false },
): Fault {
  return callsUsedUp("scoringBusy", {
    upstream,
    requester: client ?? upstream,
    usedBy: usedByOf(party),
    retryAfterMs,
  });
}
