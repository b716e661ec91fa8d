/** What changes of the follow graph read, and what becomes of it. */
import {
  type CrowdTable,
  has,
  hourAt,
  stretchOf,
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
export interface Books {
  /** The sums of addresses. */
  readonly records: Slots<GraphRecord>;
  readonly edges: Slots<Edge>;
  /** The hours in which followers arrived. */
  readonly hours: Slots<CrowdTable>;
}

/**
 * Reads what changes need. Every change of an edge, in either direction, writes
 * the sums of the address that is followed. So sums are read first, and while
 * they stand unchanged, all that is read after them does.
 */
export async function openBooks(
  read: ReadKey,
  changes: readonly Change[],
): Promise<Books> {
  const books: Books = {
    records: new Map(),
    edges: new Map(),
    hours: new Map(),
  };
  await Promise.all(changes.flatMap(({ follower, followee }) => [
    open(read, books.records, keys.graph(follower)),
    open(read, books.records, keys.graph(followee)),
  ]));
  await Promise.all(changes.flatMap((change) => [
    openEdge(read, books, change),
    openEdge(read, books, turned(change)),
    ...change.kind === "follow" ? [openHours(read, books, change)] : [],
  ]));
  // Only now is it known when somebody arrived who may leave or weigh less.
  await Promise.all(changes.map((change) => {
    const held = edgeOf(books, change).value;
    if (change.kind === "follow" || held === null) return;
    const { followee } = change;
    return openHours(read, books, { followee, at: held.at });
  }));
  return books;
}

/** Returns the sums of an address in the books. */
export function recordOf(
  { records }: Books,
  address: string,
): Slot<GraphRecord> {
  return slotOf(records, keys.graph(address));
}

/** Returns an edge in the books. */
export function edgeOf(
  { edges }: Books,
  { follower, followee }: Ends,
): Slot<Edge> {
  return slotOf(edges, keys.follow(follower, followee));
}

/** Returns in the books the hours of a stretch. */
export function hoursOf(
  { hours }: Books,
  address: string,
  stretch: number,
): Slot<CrowdTable> {
  return slotOf(hours, keys.followerHours(address, stretch));
}

/** Returns the edge back. */
export function turned({ follower, followee }: Ends): Ends {
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

async function open<Value>(
  read: ReadKey,
  slots: Slots<Value>,
  key: Deno.KvKey,
): Promise<void> {
  const entry = await read<Value>(key);
  slots.set(idOf(key), { entry, value: entry.value });
}

/** Opens an edge, unless the sums of either side say that there is none. */
async function openEdge(
  read: ReadKey,
  books: Books,
  { follower, followee }: Ends,
): Promise<void> {
  const isPossible = recordOf(books, follower).value?.following &&
    recordOf(books, followee).value?.followers;
  if (isPossible) {
    await open(read, books.edges, keys.follow(follower, followee));
  }
}

/** Opens the stretch of an instant and its neighbours, as far as anybody arrived in them. */
async function openHours(
  read: ReadKey,
  books: Books,
  { followee, at }: { readonly followee: string; readonly at: number },
): Promise<void> {
  const peaks = recordOf(books, followee).value?.peaks;
  if (!peaks) return;
  const stretch = stretchOf(hourAt(at));
  await Promise.all(
    [stretch - 1, stretch, stretch + 1]
      .filter((near) => has(peaks, near))
      .map((near) =>
        open(read, books.hours, keys.followerHours(followee, near))
      ),
  );
}

const idOf = (key: Deno.KvKey) => key.join("/");
