/**
 * Follower analysis of the model `s4-2026.1`: the weight of a follower, the
 * anomaly flags, and their damping. The constants are part of the model.
 */
import { GRAPH_FLAG_NAMES, type GraphFlag } from "./score_terms_schema.ts";
import type { GraphSignals } from "./signals.ts";

/** The known facts of a follower. */
export interface Follower {
  readonly claimed: boolean;
  /** Whether it has sent a transaction; null if unknown. */
  readonly hasHistory: boolean | null;
  /** Gas paid by its own transactions, in AVAX. */
  readonly gasAvax: number;
}

/** The weight of a follower: `solid` mass was paid for in gas; `soft` mass is free and capped. */
export interface Mass {
  readonly solid: number;
  readonly soft: number;
}

/** The result of analysing the followers of an address. */
export interface FollowerAnalysis {
  /** Solid mass plus the counted part of the soft mass. */
  readonly mass: number;
  /** The raised flags with their damping factors, in the order of answers. */
  readonly factors: ReadonlyMap<GraphFlag, number>;
  /** Factor of the social dimension: 1 without flags, at least 0.25. */
  readonly damping: number;
}

/** Gas, in AVAX, at which a follower has its full solid mass. An estimate, to be calibrated on real addresses. */
const FULL_GAS_AVAX = 0.05;

const SOLID_SHARE = { claimed: 1, unclaimed: 0.4 };

const SOFT_MASS = {
  unknown: { claimed: 0.25, unclaimed: 0.10 },
  withoutHistory: { claimed: 0.15, unclaimed: 0.05 },
};

/** Soft mass counts up to `base` plus this share of the solid mass. */
const SOFT_CAP = { share: 0.1, base: 1 };

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

/** Returns the mass of a follower. Solid mass is linear in gas, so that splitting a wallet gains nothing. */
export function massOf({ claimed, hasHistory, gasAvax }: Follower): Mass {
  const owner = claimed ? "claimed" : "unclaimed";
  if (hasHistory) {
    const paid = Math.min(1, Math.max(0, gasAvax) / FULL_GAS_AVAX);
    return { solid: SOLID_SHARE[owner] * paid, soft: 0 };
  }
  const known = hasHistory === null ? "unknown" : "withoutHistory";
  return { solid: 0, soft: SOFT_MASS[known][owner] };
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
  const solid = Math.max(0, graph.solidMass);
  const soft = Math.max(0, graph.softMass);
  const counted = Math.min(soft, SOFT_CAP.share * solid + SOFT_CAP.base);
  const whole = { count: graph.followers, solid, soft, counted };
  const shares: Record<GraphFlag, number | null> = {
    follow_ring: shareOf({
      count: graph.mutual,
      solid: graph.mutualSolidMass,
      soft: graph.mutualSoftMass,
    }, whole),
    follower_burst: shareOf({
      count: graph.burst,
      solid: graph.burstSolidMass,
      soft: graph.burstSoftMass,
    }, whole),
    thin_followers: shareOf({
      count: graph.thin,
      solid: 0,
      soft: graph.thin * SOFT_MASS.withoutHistory.unclaimed,
    }, whole),
    self_donation: selfDonated ? 1 : null,
  };
  const factors = new Map<GraphFlag, number>();
  for (const flag of GRAPH_FLAG_NAMES) {
    const share = shares[flag];
    if (share !== null) factors.set(flag, 1 - CUTS[flag] * share);
  }
  return { mass: solid + counted, factors, damping: dampingOf(factors) };
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
 * more than half of the followers, or more than half of the solid mass plus a
 * constant: empty wallets must not hide a pattern. Solid mass counts only in the
 * second case: empty wallets must not turn solid followers against the address.
 */
function shareOf(
  group: Group,
  whole: Group & { readonly counted: number },
): number | null {
  const isMostOfCount = 2 * group.count > whole.count;
  const isMostOfSolid = 2 * group.solid > whole.solid + SOFT_CAP.base;
  if (group.count < LEAST_FOLLOWERS || !(isMostOfCount || isMostOfSolid)) {
    return null;
  }
  const solid = isMostOfSolid ? Math.min(group.solid, whole.solid) : 0;
  const soft = whole.soft > 0
    ? whole.counted * Math.min(1, group.soft / whole.soft)
    : 0;
  const mass = whole.solid + whole.counted;
  return Math.max(LEAST_SHARE, mass > 0 ? (solid + soft) / mass : 0);
}
