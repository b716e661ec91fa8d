/**
 * The follow graph as it is kept: what an edge weighs, and the sums over edges
 * that each address has. Sums are whole millionths of a mass, so that they equal
 * a recount whatever came and went in between.
 */
import {
  type ArrivalTable,
  EMPTY_TABLE,
  largestOf,
} from "./follower_arrivals.ts";
import {
  type Follower,
  isThin,
  massOf,
} from "../../scores/model/follower_analysis.ts";
import {
  type ChainSignals,
  type GraphSignals,
  NO_GRAPH,
} from "../../scores/model/signals.ts";

/** What a follower adds to the sums of those it follows; masses in millionths. */
export interface Weight {
  readonly paidWeight: number;
  readonly freeWeight: number;
  readonly thin: boolean;
}

/** That one address follows another. */
export interface Edge extends Weight {
  /** Since when, epoch ms. */
  readonly at: number;
  /** Whether it is followed back. */
  readonly mutual: boolean;
}

/** The sums of an address; masses in millionths. */
export interface GraphRecord {
  /** How many it follows. */
  readonly following: number;
  /** What its own edges are weighed by; null where nobody has looked. */
  readonly known: Follower | null;
  readonly followers: number;
  readonly mutual: number;
  readonly thin: number;
  readonly paidWeight: number;
  readonly freeWeight: number;
  readonly mutualPaidWeight: number;
  readonly mutualFreeWeight: number;
  /** The most that arrived within 24 hours, by the hourRange these end in; null where nobody did. */
  readonly peaks: ArrivalTable | null;
}

/** Two addresses, the edge between them and the one back. */
export interface Pair {
  readonly edge: Edge | null;
  readonly reverse: Edge | null;
  readonly follower: GraphRecord;
  readonly followee: GraphRecord;
}

/** What happens to an edge: `reweigh` makes it weigh what its follower does. */
export type EdgeChange =
  | { readonly kind: "follow"; readonly at: number }
  | { readonly kind: "unfollow" }
  | { readonly kind: "reweigh" };

/** An address that nobody follows and that follows nobody. */
export const EMPTY_RECORD: GraphRecord = {
  following: 0,
  known: null,
  followers: 0,
  mutual: 0,
  thin: 0,
  paidWeight: 0,
  freeWeight: 0,
  mutualPaidWeight: 0,
  mutualFreeWeight: 0,
  peaks: null,
};

/** What one mass is in a sum. */
const UNIT = 1e6;

const UNKNOWN: Follower = { claimed: false, hasHistory: null, gasAvax: 0 };

/**
 * Returns what the chain says of an address as a follower. Of a contract account
 * its own transactions say nothing, and a part that shows none shows nothing either.
 */
export function withSignals(
  known: Follower | null,
  { firstTxAt, nonce, gasAvax, isContract, isPartial }: ChainSignals,
): Follower {
  const hasSent = firstTxAt !== null || nonce > 0;
  const hasHistory = hasSent || (isContract || isPartial ? null : false);
  return { claimed: known?.claimed ?? false, hasHistory, gasAvax };
}

/** Returns what is known of an address as a follower once it has a profile. */
export function withProfile(known: Follower | null): Follower {
  return { ...known ?? UNKNOWN, claimed: true };
}

/**
 * Weighs an address as a follower by what is known of it. Rounded down, so that
 * many who share what one has weigh no more than it.
 */
export function weigh(known: Follower | null): Weight {
  const follower = known ?? UNKNOWN;
  const { solid, soft } = massOf(follower);
  return {
    paidWeight: Math.floor(solid * UNIT),
    freeWeight: Math.floor(soft * UNIT),
    thin: isThin(follower),
  };
}

/** Returns whether two weights are the same. */
export function hasSameWeight(a: Weight, b: Weight): boolean {
  return a.paidWeight === b.paidWeight && a.freeWeight === b.freeWeight &&
    a.thin === b.thin;
}

/** Changes an edge and all sums that it enters; the same pair where nothing changes. */
export function changePair(held: Pair, change: EdgeChange): Pair {
  const next = nextEdge(held, change);
  return next === held.edge ? held : replaceEdge(held, next);
}

/** Returns whether an address has no edge at all. */
export function isUnconnected({ following, followers }: GraphRecord): boolean {
  return following === 0 && followers === 0;
}

/** Reads the signals of the model out of the sums of an address. */
export function graphSignalsOf(record: GraphRecord | null): GraphSignals {
  if (record === null || record.followers === 0) return NO_GRAPH;
  const { followers, mutual, thin, peaks } = record;
  const surge = largestOf(peaks ?? EMPTY_TABLE);
  return {
    analyzed: true,
    followers,
    mutual,
    thin,
    burst: surge.count,
    solidMass: record.paidWeight / UNIT,
    softMass: record.freeWeight / UNIT,
    mutualSolidMass: record.mutualPaidWeight / UNIT,
    mutualSoftMass: record.mutualFreeWeight / UNIT,
    burstSolidMass: surge.paidWeight / UNIT,
    burstSoftMass: surge.freeWeight / UNIT,
  };
}

function nextEdge({ edge, follower }: Pair, change: EdgeChange): Edge | null {
  if (change.kind === "unfollow") return null;
  const weight = weigh(follower.known);
  if (change.kind === "follow") {
    return edge ?? { at: change.at, mutual: false, ...weight };
  }
  return edge === null || hasSameWeight(edge, weight)
    ? edge
    : { ...edge, ...weight };
}

function replaceEdge(
  { edge, reverse, follower, followee }: Pair,
  next: Edge | null,
): Pair {
  const mutual = next !== null && reverse !== null;
  const after = next && { ...next, mutual };
  const back = reverse === null || reverse.mutual === mutual
    ? reverse
    : { ...reverse, mutual };
  return {
    edge: after,
    reverse: back,
    follower: follow(
      exchange(follower, reverse, back),
      Number(after !== null) - Number(edge !== null),
    ),
    followee: exchange(followee, edge, after),
  };
}

function follow(record: GraphRecord, more: number): GraphRecord {
  if (more === 0) return record;
  return { ...record, following: record.following + more };
}

function exchange(
  record: GraphRecord,
  before: Edge | null,
  after: Edge | null,
): GraphRecord {
  if (before === after) return record;
  return count(count(record, before, -1), after, 1);
}

function count(
  record: GraphRecord,
  edge: Edge | null,
  sign: 1 | -1,
): GraphRecord {
  if (edge === null) return record;
  const { paidWeight, freeWeight, thin } = edge;
  const mutual = edge.mutual ? sign : 0;
  return {
    ...record,
    followers: record.followers + sign,
    mutual: record.mutual + mutual,
    thin: record.thin + (thin ? sign : 0),
    paidWeight: record.paidWeight + sign * paidWeight,
    freeWeight: record.freeWeight + sign * freeWeight,
    mutualPaidWeight: record.mutualPaidWeight + mutual * paidWeight,
    mutualFreeWeight: record.mutualFreeWeight + mutual * freeWeight,
  };
}
