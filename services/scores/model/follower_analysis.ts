/**
 * The follower graph of the model `s4-2026.1`: what a follower weighs, which
 * anomalies are flagged, and by how much they damp. Numbers are the model's own.
 */
import { GRAPH_FLAG_NAMES, type GraphFlag } from "./score_terms_schema.ts";
import type { GraphSignals } from "./signals.ts";

/** What is known of a follower. */
export interface Follower {
  readonly claimed: boolean;
  /** Whether it has sent a transaction; null where nobody has looked. */
  readonly hasHistory: boolean | null;
  /** What its own transactions paid for gas, in AVAX. */
  readonly gasAvax: number;
}

/** What a follower weighs: `solid` was paid for, `soft` costs nothing and is capped. */
export interface Mass {
  readonly solid: number;
  readonly soft: number;
}

/** What the followers of an address are worth. */
export interface Standing {
  /** Solid mass, and soft mass as far as it counts. */
  readonly mass: number;
  /** The flags raised, each with the factor by which it damps, in the order of answers. */
  readonly factors: ReadonlyMap<GraphFlag, number>;
  /** What social is multiplied by: 1 without a flag, never below a quarter. */
  readonly damping: number;
}

/** Gas of its own, in AVAX, that makes a follower whole; by judgement, to be calibrated on real addresses. */
const WHOLE_GAS_AVAX = 0.05;

const SOLID_SHARE = { claimed: 1, unclaimed: 0.4 };

const SOFT_MASS = {
  unknown: { claimed: 0.25, unclaimed: 0.10 },
  withoutHistory: { claimed: 0.15, unclaimed: 0.05 },
};

/** Soft mass counts up to this share of the solid mass, and a little without any. */
const SOFT_CAP = { share: 0.1, base: 1 };

/** How much of social a flag takes where all of the mass is concerned. */
const CUTS: Readonly<Record<GraphFlag, number>> = {
  follow_ring: 0.45,
  follower_burst: 0.40,
  thin_followers: 0.50,
  self_donation: 0.10,
};

/** The least share that a raised flag is taken to concern. */
const LEAST_SHARE = 0.2;

const LEAST_DAMPING = 0.25;

/** Fewer followers of a kind than this are no pattern, whatever their share. */
const LEAST_HEADS = 5;

/** Followers of a kind: how many, and what they weigh. */
interface Group extends Mass {
  readonly heads: number;
}

/** Weighs a follower. Solid mass is linear in gas, so splitting a wallet gains nothing. */
export function massOf({ claimed, hasHistory, gasAvax }: Follower): Mass {
  const owner = claimed ? "claimed" : "unclaimed";
  if (hasHistory) {
    const paid = Math.min(1, Math.max(0, gasAvax) / WHOLE_GAS_AVAX);
    return { solid: SOLID_SHARE[owner] * paid, soft: 0 };
  }
  const known = hasHistory === null ? "unknown" : "withoutHistory";
  return { solid: 0, soft: SOFT_MASS[known][owner] };
}

/** Returns whether a follower counts as thin: unclaimed, and known to have no history. */
export function isThin({ claimed, hasHistory }: Follower): boolean {
  return !claimed && hasHistory === false;
}

/** Weighs the followers of an address and looks for anomalies among them. */
export function standingOf(
  graph: GraphSignals,
  { selfDonated }: { readonly selfDonated: boolean },
): Standing {
  const solid = Math.max(0, graph.solidMass);
  const soft = Math.max(0, graph.softMass);
  const counted = Math.min(soft, SOFT_CAP.share * solid + SOFT_CAP.base);
  const whole = { heads: graph.followers, solid, soft, counted };
  const shares: Record<GraphFlag, number | null> = {
    follow_ring: shareOf({
      heads: graph.mutual,
      solid: graph.mutualSolidMass,
      soft: graph.mutualSoftMass,
    }, whole),
    follower_burst: shareOf({
      heads: graph.burst,
      solid: graph.burstSolidMass,
      soft: graph.burstSoftMass,
    }, whole),
    thin_followers: shareOf({
      heads: graph.thin,
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

/** Multiplies the factors of the flags that are raised, to four decimals, leaving one out on request. */
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
 * Returns the share of the mass that a group holds; null where it is not most of
 * the followers. "Most" is more than half of the heads, or of the solid mass and
 * a little, so that empty wallets can hide no pattern. Nor can they, by joining
 * one, turn solid followers against the address: those count where they are most
 * by themselves.
 */
function shareOf(
  group: Group,
  whole: Group & { readonly counted: number },
): number | null {
  const isMostOfHeads = 2 * group.heads > whole.heads;
  const isMostOfSolid = 2 * group.solid > whole.solid + SOFT_CAP.base;
  if (group.heads < LEAST_HEADS || !(isMostOfHeads || isMostOfSolid)) {
    return null;
  }
  const solid = isMostOfSolid ? Math.min(group.solid, whole.solid) : 0;
  const soft = whole.soft > 0
    ? whole.counted * Math.min(1, group.soft / whole.soft)
    : 0;
  const mass = whole.solid + whole.counted;
  return Math.max(LEAST_SHARE, mass > 0 ? (solid + soft) / mass : 0);
}
