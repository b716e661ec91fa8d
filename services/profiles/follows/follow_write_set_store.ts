/** What changes of the follow graph read, and what becomes of it. */
import {
  type ArrivalTable,
  hasSlot,
  hourAt,
  hourRangeOf,
} from "./follower_arrivals.ts";
import {
  type Edge,
  type EdgeChange,
  type GraphRecord,
} from "./follow_edges.ts";
import * as keys from "../keys.ts";
import type { ReadKey } from "../../platform/kv/shared_reads.ts";

/** Two addresses, which are not the same. */
export interface Ends {
  readonly follower: string;
  readonly followee: string;
}

/** A change of the edge between two addresses. */
export type Change = EdgeChange & Ends;

/** An entry, and what becomes of it; null is not kept. */
export interface Slot<Value> {
  readonly entry: Deno.KvEntryMaybe<Value>;
  value: Value | null;
}

/** Entries by key. */
type Slots<Value> = Map<string, Slot<Value>>;

/** All that a group of changes reads and writes. */
export interface FollowWriteSet {
  /** The sums of addresses. */
  readonly records: Slots<GraphRecord>;
  readonly edges: Slots<Edge>;
  /** The hours in which followers arrived. */
  readonly hours: Slots<ArrivalTable>;
}

/**
 * Reads what changes need. Every change of an edge, in either direction, writes
 * the sums of the address that is followed. So sums are read first, and while
 * they stand unchanged, all that is read after them does.
 */
export async function readWriteSet(
  read: ReadKey,
  changes: readonly Change[],
): Promise<FollowWriteSet> {
  const writeSet: FollowWriteSet = {
    records: new Map(),
    edges: new Map(),
    hours: new Map(),
  };
  await Promise.all(changes.flatMap(({ follower, followee }) => [
    readSlot(read, writeSet.records, keys.graph(follower)),
    readSlot(read, writeSet.records, keys.graph(followee)),
  ]));
  await Promise.all(changes.flatMap((change) => [
    readEdge(read, writeSet, change),
    readEdge(read, writeSet, reversed(change)),
    ...change.kind === "follow" ? [readHours(read, writeSet, change)] : [],
  ]));
  // Only now is it known when somebody arrived who may leave or weigh less.
  await Promise.all(changes.map((change) => {
    const held = edgeOf(writeSet, change).value;
    if (change.kind === "follow" || held === null) return;
    const { followee } = change;
    return readHours(read, writeSet, { followee, at: held.at });
  }));
  return writeSet;
}

/** Returns the sums of an address in the writeSet. */
export function recordOf(
  { records }: FollowWriteSet,
  address: string,
): Slot<GraphRecord> {
  return slotOf(records, keys.graph(address));
}

/** Returns an edge in the writeSet. */
export function edgeOf(
  { edges }: FollowWriteSet,
  { follower, followee }: Ends,
): Slot<Edge> {
  return slotOf(edges, keys.follow(follower, followee));
}

/** Returns in the writeSet the hours of a hourRange. */
export function hoursOf(
  { hours }: FollowWriteSet,
  address: string,
  hourRange: number,
): Slot<ArrivalTable> {
  return slotOf(hours, keys.followerHours(address, hourRange));
}

/** Returns the edge back. */
export function reversed({ follower, followee }: Ends): Ends {
  return { follower: followee, followee: follower };
}

/** Finds a slot, or makes one of what is known not to be in the store. */
function slotOf<Value>(slots: Slots<Value>, key: Deno.KvKey): Slot<Value> {
  const id = idOf(key);
  let slot = slots.get(id);
  if (slot === undefined) {
    slot = { entry: { key, value: null, versionstamp: null }, value: null };
    slots.set(id, slot);
  }
  return slot;
}

async function readSlot<Value>(
  read: ReadKey,
  slots: Slots<Value>,
  key: Deno.KvKey,
): Promise<void> {
  const entry = await read<Value>(key);
  slots.set(idOf(key), { entry, value: entry.value });
}

/** Opens an edge, unless the sums of either side say that there is none. */
async function readEdge(
  read: ReadKey,
  writeSet: FollowWriteSet,
  { follower, followee }: Ends,
): Promise<void> {
  const isPossible = recordOf(writeSet, follower).value?.following &&
    recordOf(writeSet, followee).value?.followers;
  if (isPossible) {
    await readSlot(read, writeSet.edges, keys.follow(follower, followee));
  }
}

/** Opens the hourRange of an instant and its neighbours, as far as anybody arrived in them. */
async function readHours(
  read: ReadKey,
  writeSet: FollowWriteSet,
  { followee, at }: { readonly followee: string; readonly at: number },
): Promise<void> {
  const peaks = recordOf(writeSet, followee).value?.peaks;
  if (!peaks) return;
  const hourRange = hourRangeOf(hourAt(at));
  await Promise.all(
    [hourRange - 1, hourRange, hourRange + 1]
      .filter((near) => hasSlot(peaks, near))
      .map((near) =>
        readSlot(read, writeSet.hours, keys.followerHours(followee, near))
      ),
  );
}

const idOf = (key: Deno.KvKey) => key.join("/");
