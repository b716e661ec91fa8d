/**
 * Records of the follow graph: weighted edges, sums over the edges of each address, and
 * the arrivals of followers. Weights are integers in millionths, so incremental sums are
 * exact and always equal a recount. Arrivals are counted by hour, with the peak within
 * any 24 hours. Hours are stored in ranges of two weeks, each with its own peak. A change
 * touches at most two ranges, however long the history is, and can be undone exactly.
 */
import { DAY_MS, HOUR_MS } from "../../platform/days.ts";
import {
  type Follower,
  gasAtReference,
  isThin,
  massOf,
  sharedMassOf,
  sharersOf,
} from "../../model/follower_analysis.ts";
import {
  type ChainSignals,
  type GraphSignals,
  NO_GRAPH,
} from "../../model/signals.ts";

/** The two addresses of an edge, which differ; lower-case. */
export interface Ends {
  readonly follower: string;
  readonly followee: string;
}

/** What a follower adds to the sums of an address it follows; weights in millionths. */
interface Weight {
  readonly paidWeight: number;
  /** The paid weight, divided among those that the follower follows. */
  readonly sharedWeight: number;
  readonly freeWeight: number;
  readonly thin: boolean;
}

/** The edge of one address that follows another. */
export interface Edge extends Weight {
  /** When it was created, epoch ms. */
  readonly at: number;
  /** Whether the other address follows back. */
  readonly mutual: boolean;
}

/** The sums of an address; weights in millionths. */
export interface GraphRecord {
  /** Number of followed addresses. */
  readonly following: number;
  /** The known facts about it as a follower; null if nothing was read yet. */
  readonly known: Follower | null;
  readonly followers: number;
  readonly mutual: number;
  readonly thin: number;
  readonly paidWeight: number;
  readonly sharedWeight: number;
  readonly freeWeight: number;
  readonly mutualPaidWeight: number;
  readonly mutualFreeWeight: number;
  /** Peak arrivals within 24 hours, by the hour range in which the hours end; null if there are none. */
  readonly peaks: ArrivalTable | null;
  /** The profile was deleted: the address follows nobody new until a job has removed its follows. */
  readonly isLeaving?: true;
}

/** Two addresses, the edge between them and the reverse edge. */
export interface Pair {
  readonly edge: Edge | null;
  readonly reverse: Edge | null;
  readonly follower: GraphRecord;
  readonly followee: GraphRecord;
}

/**
 * A change of an edge. `reweigh` sets it to the current weight of its follower, and
 * `leave` removes it if the follower is leaving.
 */
export type EdgeChange =
  | {
    readonly kind: "follow";
    readonly at: number;
    /** Only up to the most that a wallet may follow; an import has no such bound. */
    readonly isLimited?: true;
  }
  | { readonly kind: "unfollow" }
  | { readonly kind: "reweigh" }
  | { readonly kind: "leave" };

/**
 * Expiry of signals and of what follows from them. An address without signals counts
 * as never scored, so its history and its cohorts expire with them, as do sums
 * without edges, which hold a copy.
 */
export const SIGNALS_EXPIRE_MS = 180 * DAY_MS;

/** The record of an address without edges. */
export const EMPTY_RECORD: GraphRecord = {
  following: 0,
  known: null,
  followers: 0,
  mutual: 0,
  thin: 0,
  paidWeight: 0,
  sharedWeight: 0,
  freeWeight: 0,
  mutualPaidWeight: 0,
  mutualFreeWeight: 0,
  peaks: null,
};

/** Units of a stored weight per unit of the model's mass. */
const UNIT = 1e6;

/** Most addresses that a wallet follows. An edge stays until it is removed. */
const MAX_FOLLOWING = 5_000;

/** The same of a wallet that is not known to have paid gas: anyone can make any number of them. */
const MAX_FOLLOWING_FREE = 50;

const UNKNOWN: Follower = { claimed: false, hasHistory: null, gasAvax: 0 };

/**
 * Returns what the chain signals say about an address as a follower. A contract
 * account or a partial history without transactions leaves `hasHistory` unknown.
 */
export function withSignals(
  known: Follower | null,
  { firstTxAt, nonce, use, isContract, isPartial }: Pick<
    ChainSignals,
    "firstTxAt" | "nonce" | "use" | "isContract" | "isPartial"
  >,
): Follower {
  const hasSent = firstTxAt !== null || nonce > 0;
  const hasHistory = hasSent || (isContract || isPartial ? null : false);
  return {
    claimed: known?.claimed ?? false,
    hasHistory,
    gasAvax: gasAtReference(use.days),
  };
}

/**
 * Returns what the nonce says about an address as a follower. A nonce shows no gas,
 * so a follower that has sent transactions stays unknown until it is scored.
 */
export function withNonce(known: Follower | null, nonce: number): Follower {
  const follower = known ?? UNKNOWN;
  if (follower.hasHistory) return follower;
  return { ...follower, hasHistory: nonce > 0 ? null : false };
}

/** Returns true if it is not known whether a follower has sent a transaction. */
export function isUnknown(known: Follower | null): boolean {
  return (known ?? UNKNOWN).hasHistory === null;
}

/** Returns the most addresses that a follower may follow. */
export function maxFollowing(known: Follower | null): number {
  return (known?.gasAvax ?? 0) > 0 ? MAX_FOLLOWING : MAX_FOLLOWING_FREE;
}

/** Returns the signals of a follower that has claimed a profile. */
export function withProfile(known: Follower | null): Follower {
  return { ...known ?? UNKNOWN, claimed: true };
}

/**
 * Returns the weight of a follower that follows `following` addresses. It is rounded
 * down, so that splitting funds over many addresses never gains weight.
 */
export function weigh(known: Follower | null, following: number): Weight {
  const follower = known ?? UNKNOWN;
  const { paid, free } = massOf(follower);
  return {
    paidWeight: Math.floor(paid * UNIT),
    sharedWeight: Math.floor(sharedMassOf(follower, following) * UNIT),
    freeWeight: Math.floor(free * UNIT),
    thin: isThin(follower),
  };
}

/** Returns whether two weights are equal. */
export function hasSameWeight(a: Weight, b: Weight): boolean {
  return a.paidWeight === b.paidWeight && a.sharedWeight === b.sharedWeight &&
    a.freeWeight === b.freeWeight && a.thin === b.thin;
}

/** Applies a change to an edge and all its sums. Returns the same object if nothing changes. */
export function changePair(held: Pair, change: EdgeChange): Pair {
  const { edge, reverse, follower, followee } = held;
  const next = nextEdge(held, change);
  if (next === edge) return held;
  const mutual = next !== null && reverse !== null;
  const after = next && { ...next, mutual };
  const back = reverse === null || reverse.mutual === mutual
    ? reverse
    : { ...reverse, mutual };
  const { isLeaving, ...counted } = replaceEdge(follower, reverse, back);
  const following = follower.following + Number(after !== null) -
    Number(edge !== null);
  // It has left with its last edge.
  const leaving = isLeaving && following > 0 ? { isLeaving } : {};
  return {
    edge: after,
    reverse: back,
    follower: back === reverse && following === follower.following
      ? follower
      : { ...counted, ...leaving, following },
    followee: replaceEdge(followee, edge, after),
  };
}

/** Returns the edge after a change: the same one if nothing changes. */
function nextEdge({ edge, follower }: Pair, change: EdgeChange): Edge | null {
  const { known, following, isLeaving } = follower;
  if (change.kind === "unfollow") return null;
  if (change.kind === "leave") return isLeaving ? null : edge;
  if (change.kind === "follow") {
    if (isLeaving) return null;
    if (edge !== null) return edge;
    return change.isLimited && following >= maxFollowing(known)
      ? null
      : { at: change.at, mutual: false, ...weigh(known, following + 1) };
  }
  const weight = weigh(known, following);
  return edge === null || hasSameWeight(edge, weight)
    ? edge
    : { ...edge, ...weight };
}

/** Replaces an edge in the sums of the followed address. */
function replaceEdge(
  record: GraphRecord,
  before: Edge | null,
  after: Edge | null,
): GraphRecord {
  return before === after
    ? record
    : withEdge(withEdge(record, before, -1), after, 1);
}

/** Adds an edge to the sums of the followed address, or subtracts it with a `sign` of -1. */
export function withEdge(
  record: GraphRecord,
  edge: Edge | null,
  sign: 1 | -1,
): GraphRecord {
  if (edge === null) return record;
  const { paidWeight, sharedWeight, freeWeight, thin } = edge;
  const mutual = edge.mutual ? sign : 0;
  return {
    ...record,
    followers: record.followers + sign,
    mutual: record.mutual + mutual,
    thin: record.thin + (thin ? sign : 0),
    paidWeight: record.paidWeight + sign * paidWeight,
    sharedWeight: record.sharedWeight + sign * sharedWeight,
    freeWeight: record.freeWeight + sign * freeWeight,
    mutualPaidWeight: record.mutualPaidWeight + mutual * paidWeight,
    mutualFreeWeight: record.mutualFreeWeight + mutual * freeWeight,
  };
}

/** Returns whether the weights of an address's edges are outdated by a change of their number. */
export function sharesDiffer(before: GraphRecord, after: GraphRecord): boolean {
  return after.following > 0 &&
    sharersOf(before.following) !== sharersOf(after.following) &&
    !hasSameWeight(
      weigh(after.known, before.following),
      weigh(after.known, after.following),
    );
}

/**
 * Returns whether the sums of an address expire like its signals, because anyone can
 * request any address: it has neither edges nor a profile.
 */
export function isExpiring(
  { following, followers, known }: GraphRecord,
): boolean {
  return following === 0 && followers === 0 && !known?.claimed;
}

/** Returns the model's graph signals from the sums of an address. */
export function graphSignalsOf(record: GraphRecord | null): GraphSignals {
  if (record === null || record.followers === 0) return NO_GRAPH;
  const { followers, mutual, thin, peaks } = record;
  const burst = largestOf(peaks ?? EMPTY_TABLE);
  return {
    analyzed: true,
    followers,
    mutual,
    thin,
    burst: burst.count,
    paidMass: record.paidWeight / UNIT,
    sharedPaidMass: record.sharedWeight / UNIT,
    freeMass: record.freeWeight / UNIT,
    mutualPaidMass: record.mutualPaidWeight / UNIT,
    mutualFreeMass: record.mutualFreeWeight / UNIT,
    burstPaidMass: burst.paidWeight / UNIT,
    burstFreeMass: burst.freeWeight / UNIT,
  };
}

/** Arrived followers: their number, and their weights in millionths, so that sums are exact. */
export interface Arrivals {
  readonly count: number;
  /** Weight of followers who paid for gas. */
  readonly paidWeight: number;
  /** Weight of followers that cost nothing to create. */
  readonly freeWeight: number;
}

/**
 * Arrivals by slot (an hour, or an hour range), sorted by slot, without empty
 * slots. One flat array with four numbers per row: slot, count, paidWeight,
 * freeWeight. A typed array is the fastest to store. Never changed in place.
 */
export type ArrivalTable = Float64Array<ArrayBuffer>;

/** An empty table. */
export const EMPTY_TABLE: ArrivalTable = new Float64Array();

const NO_ARRIVALS: Arrivals = { count: 0, paidWeight: 0, freeWeight: 0 };

/** Numbers per row. */
const WIDTH = 4;

/** Hours within which arrivals count as one burst. */
const BURST_HOURS = 24;

const HOURS_PER_RANGE = 14 * 24;

/** Returns the hour of an instant (epoch ms), counted from the epoch. */
export function hourAt(at: number): number {
  return Math.floor(at / HOUR_MS);
}

/** Returns the range of an hour, counted from the epoch. */
export function hourRangeOf(hour: number): number {
  return Math.floor(hour / HOURS_PER_RANGE);
}

/** Returns whether a slot has arrivals. */
export function hasSlot(table: ArrivalTable, slot: number): boolean {
  return table[rowIndexOf(table, slot)] === slot;
}

/** Adds arrivals to a slot, or subtracts them with a `sign` of -1. */
export function addArrivals(
  table: ArrivalTable,
  slot: number,
  { arrivals, sign }: { readonly arrivals: Arrivals; readonly sign: 1 | -1 },
): ArrivalTable {
  const place = rowIndexOf(table, slot);
  const sum = { ...table[place] === slot ? rowAt(table, place) : NO_ARRIVALS };
  addInto(sum, arrivals, sign);
  return setSlot(table, slot, sum);
}

/** Replaces the arrivals of a slot. Without arrivals the slot is removed. */
export function setSlot(
  table: ArrivalTable,
  slot: number,
  { count, paidWeight, freeWeight }: Arrivals,
): ArrivalTable {
  const start = rowIndexOf(table, slot);
  const end = table[start] === slot ? start + WIDTH : start;
  const row = count > 0 ? [slot, count, paidWeight, freeWeight] : [];
  const next = new Float64Array(table.length - (end - start) + row.length);
  next.set(table.subarray(0, start));
  next.set(row, start);
  next.set(table.subarray(end), start + row.length);
  return next;
}

/**
 * Returns the peak arrivals within 24 hours that end in an hour range. Each
 * measure has its own peak. `before` is the preceding range.
 */
export function peakOf(
  hourRange: ArrivalTable,
  before: ArrivalTable,
): Arrivals {
  const [first] = hourRange;
  if (first === undefined) return NO_ARRIVALS;
  const tail = before.subarray(rowIndexOf(before, first - BURST_HOURS + 1));
  const hours = new Float64Array(tail.length + hourRange.length);
  hours.set(tail);
  hours.set(hourRange, tail.length);
  const sum = { ...NO_ARRIVALS };
  const peak = { ...NO_ARRIVALS };
  let oldest = 0;
  for (let place = 0; place < hours.length; place += WIDTH) {
    addInto(sum, rowAt(hours, place), 1);
    while (hours[oldest]! <= hours[place]! - BURST_HOURS) {
      addInto(sum, rowAt(hours, oldest), -1);
      oldest += WIDTH;
    }
    if (place >= tail.length) raiseTo(peak, sum);
  }
  return peak;
}

/** Returns the maximum of each measure over all slots. */
export function largestOf(table: ArrivalTable): Arrivals {
  const peak = { ...NO_ARRIVALS };
  for (let place = 0; place < table.length; place += WIDTH) {
    raiseTo(peak, rowAt(table, place));
  }
  return peak;
}

type Sums = { -readonly [Measure in keyof Arrivals]: number };

function addInto(sum: Sums, arrivals: Arrivals, sign: 1 | -1): void {
  sum.count += sign * arrivals.count;
  sum.paidWeight += sign * arrivals.paidWeight;
  sum.freeWeight += sign * arrivals.freeWeight;
}

function raiseTo(peak: Sums, arrivals: Arrivals): void {
  peak.count = Math.max(peak.count, arrivals.count);
  peak.paidWeight = Math.max(peak.paidWeight, arrivals.paidWeight);
  peak.freeWeight = Math.max(peak.freeWeight, arrivals.freeWeight);
}

function rowAt(table: ArrivalTable, place: number): Arrivals {
  return {
    count: table[place + 1]!,
    paidWeight: table[place + 2]!,
    freeWeight: table[place + 3]!,
  };
}

/** Returns the index of the row of a slot, or where it would be. Searches from the end, where new arrivals are. */
function rowIndexOf(table: ArrivalTable, slot: number): number {
  let place = table.length;
  while (place > 0 && table[place - WIDTH]! >= slot) place -= WIDTH;
  return place;
}
