/**
 * Follower analysis of the models: the weight of a follower, the
 * anomaly flags, and their damping. The constants are part of the model.
 */
import { GRAPH_FLAG_NAMES, type GraphFlag } from "./score_terms_schema.ts";
import type { ActiveDay, GraphSignals } from "./signals.ts";

/** The known facts of a follower. */
export interface Follower {
  readonly claimed: boolean;
  /** Whether it has sent a transaction; null if unknown. */
  readonly hasHistory: boolean | null;
  /** Gas of its own transactions at one reference price, in AVAX; see `gasAtReference`. */
  readonly gasAvax: number;
}

/** The weight of a follower: `paid` mass is bounded by gas that the follower paid; `free` mass costs nothing and is capped. */
interface Mass {
  readonly paid: number;
  readonly free: number;
}

/** The result of analysing the followers of an address. */
export interface FollowerAnalysis {
  /** Paid mass plus the counted part of the free mass. */
  readonly mass: number;
  /** The raised flags with their damping factors, in the order of answers. */
  readonly factors: ReadonlyMap<GraphFlag, number>;
  /** Factor of the social dimension: 1 without flags, at least 0.25. */
  readonly damping: number;
}

/** Gas, in AVAX, at which a follower has its full paid mass. An estimate, to be calibrated on real addresses. */
const FULL_GAS_AVAX = 0.05;

const PAID_SHARE = { claimed: 1, unclaimed: 0.4 };

const FREE_MASS = {
  unknown: { claimed: 0.25, unclaimed: 0.10 },
  withoutHistory: { claimed: 0.15, unclaimed: 0.05 },
};

/** Free mass counts up to `base` plus this share of the paid mass. */
const FREE_CAP = { share: 0.1, base: 1 };

/** The part of social that a flag removes if it concerns the whole mass. */
const CUTS: Readonly<Record<GraphFlag, number>> = {
  follow_ring: 0.45,
  follower_burst: 0.40,
  thin_followers: 0.50,
  self_donation: 0.10,
};

/** Minimum share that a raised flag concerns. */
const LEAST_SHARE = 0.2;

const LEAST_DAMPING = 0.25;

/** Minimum number of followers that can form a pattern. */
const LEAST_FOLLOWERS = 5;

/** A group of followers: their count and mass. */
interface Group extends Mass {
  readonly count: number;
}

/** The price, in AVAX, at which gas counts: the least of the first fee era. */
const REFERENCE_AVAX = 25e-9;

/** Returns the gas of days at the reference price, so that it counts the same in every fee era. */
export function gasAtReference(days: readonly ActiveDay[]): number {
  return days.reduce((sum, { gasUnits }) => sum + gasUnits, 0) *
    REFERENCE_AVAX;
}

/** Returns the mass of a follower. Paid mass is linear in gas, so that splitting a wallet gains nothing. */
export function massOf({ claimed, hasHistory, gasAvax }: Follower): Mass {
  const owner = claimed ? "claimed" : "unclaimed";
  if (hasHistory) {
    const paid = Math.min(1, Math.max(0, gasAvax) / FULL_GAS_AVAX);
    return { paid: PAID_SHARE[owner] * paid, free: 0 };
  }
  const known = hasHistory === null ? "unknown" : "withoutHistory";
  return { paid: 0, free: FREE_MASS[known][owner] };
}

/**
 * Returns the paid mass that a follower gives to each address it follows. Its gas is
 * divided by their number, so together they get no more than the gas is worth. The
 * number is rounded up to a power of two, so that edges are seldom rewritten.
 */
export function sharedMassOf(
  { claimed, hasHistory, gasAvax }: Follower,
  following: number,
): number {
  if (!hasHistory) return 0;
  const paid = Math.max(0, gasAvax) / FULL_GAS_AVAX / sharersOf(following);
  return PAID_SHARE[claimed ? "claimed" : "unclaimed"] * Math.min(1, paid);
}

/** Returns among how many a follower's mass is divided: a power of two. */
export function sharersOf(following: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, following)));
}

/** Returns whether a follower is thin: unclaimed, and known to have no history. */
export function isThin({ claimed, hasHistory }: Follower): boolean {
  return !claimed && hasHistory === false;
}

/** Computes the mass, the flags and the damping of an address's followers. */
export function analyzeFollowers(
  graph: GraphSignals,
  { selfDonated }: { readonly selfDonated: boolean },
): FollowerAnalysis {
  const paid = Math.max(0, graph.paidMass);
  const free = Math.max(0, graph.freeMass);
  const counted = countedFree(paid, free);
  const whole = { count: graph.followers, paid, free, counted };
  const shares: Record<GraphFlag, number | null> = {
    follow_ring: shareOf({
      count: graph.mutual,
      paid: graph.mutualPaidMass,
      free: graph.mutualFreeMass,
    }, whole),
    follower_burst: shareOf({
      count: graph.burst,
      paid: graph.burstPaidMass,
      free: graph.burstFreeMass,
    }, whole),
    thin_followers: shareOf({
      count: graph.thin,
      paid: 0,
      free: graph.thin * FREE_MASS.withoutHistory.unclaimed,
    }, whole),
    self_donation: selfDonated ? 1 : null,
  };
  const factors = new Map<GraphFlag, number>();
  for (const flag of GRAPH_FLAG_NAMES) {
    const share = shares[flag];
    if (share !== null) factors.set(flag, 1 - CUTS[flag] * share);
  }
  return { mass: paid + counted, factors, damping: dampingOf(factors) };
}

/** Returns the mass that counts: all paid mass, and free mass up to its cap. */
export function countedMass(paid: number, free: number): number {
  return paid + countedFree(paid, free);
}

function countedFree(paid: number, free: number): number {
  return Math.min(free, FREE_CAP.share * paid + FREE_CAP.base);
}

/** Multiplies the factors of the raised flags, optionally without one; rounded to four decimals. */
export function dampingOf(
  factors: ReadonlyMap<GraphFlag, number>,
  except?: GraphFlag,
): number {
  let product = 1;
  for (const [flag, factor] of factors) {
    if (flag !== except) product *= factor;
  }
  return Math.max(LEAST_DAMPING, Math.round(product * 1e4) / 1e4);
}

/**
 * Returns a group's share of the mass; null if it is not a majority. A majority is
 * more than half of the followers, or more than half of the paid mass plus a
 * constant: empty wallets must not hide a pattern. Paid mass counts only in the
 * second case: empty wallets must not turn paid followers against the address.
 */
function shareOf(
  group: Group,
  whole: Group & { readonly counted: number },
): number | null {
  const isMostOfCount = 2 * group.count > whole.count;
  const isMostOfPaid = 2 * group.paid > whole.paid + FREE_CAP.base;
  if (group.count < LEAST_FOLLOWERS || !(isMostOfCount || isMostOfPaid)) {
    return null;
  }
  const paid = isMostOfPaid ? Math.min(group.paid, whole.paid) : 0;
  const free = whole.free > 0
    ? whole.counted * Math.min(1, group.free / whole.free)
    : 0;
  const mass = whole.paid + whole.counted;
  return Math.max(LEAST_SHARE, mass > 0 ? (paid + free) / mass : 0);
}
