/** The write set of follow changes: entries read from the store, and their new values. */
import {
  type ArrivalTable,
  hasSlot,
  hourAt,
  hourRangeOf,
} from "./follower_arrivals.ts";
import {
  type Edge,
  type EdgeChange,
  type Ends,
  type GraphRecord,
} from "./follow_edges.ts";
import type { ReadKey } from "../../platform/kv/shared_reads.ts";

/** Keys of the follow graph. */
export const graphKeys = {
  /** Sums over the follow edges of an address. */
  graph: (address: string) => ["graphs", address],
  /** The edge of one address that follows another. */
  follow: (follower: string, followee: string) => [
    ...graphKeys.follows(follower),
    followee,
  ],
  /** Prefix of the edges of a follower. */
  follows: (follower: string) => ["graphs", follower, "follows"],
  /** Index entry: an address is followed by another. */
  follower: (followee: string, follower: string) => [
    ...graphKeys.followers(followee),
    follower,
  ],
  /** Prefix of the followers of an address. */
  followers: (followee: string) => ["graphs", followee, "followers"],
  /** Follower arrivals of an address in one hour range. */
  followerHours: (address: string, hourRange: number) => [
    ...graphKeys.followerHoursOf(address),
    hourRange,
  ],
  /** Prefix of the follower arrivals of an address. */
  followerHoursOf: (address: string) => ["graphs", address, "hours"],
};

/** A change of the edge between two addresses. */
export type Change = EdgeChange & Ends;

/** A stored entry and its new value; null deletes it. */
interface WriteSetEntry<Value> {
  readonly entry: Deno.KvEntryMaybe<Value>;
  value: Value | null;
}

/** Entries by key. */
type Entries<Value> = Map<string, WriteSetEntry<Value>>;

/** Everything that a batch of changes reads and writes. */
export interface FollowWriteSet {
  /** The sums of addresses. */
  readonly records: Entries<GraphRecord>;
  readonly edges: Entries<Edge>;
  /** Follower arrivals by hour range. */
  readonly hours: Entries<ArrivalTable>;
}

/**
 * Reads the write set of changes. Every change of an edge writes the sums of the
 * followed address. So sums are read first: if they are unchanged at the commit,
 * everything read after them is unchanged too.
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
    readEntry(read, writeSet.records, graphKeys.graph(follower)),
    readEntry(read, writeSet.records, graphKeys.graph(followee)),
  ]));
  await Promise.all(changes.flatMap((change) => [
    readEdge(read, writeSet, change),
    readEdge(read, writeSet, reversed(change)),
    ...change.kind === "follow" ? [readHours(read, writeSet, change)] : [],
  ]));
  // The arrival time of a removed or reweighed edge is known only after reading it.
  await Promise.all(changes.map((change) => {
    const held = edgeOf(writeSet, change).value;
    // A follow removes the edge of an address that is leaving.
    const isKept = change.kind === "follow" &&
      !recordOf(writeSet, change.follower).value?.isLeaving;
    if (isKept || held === null) return;
    const { followee } = change;
    return readHours(read, writeSet, { followee, at: held.at });
  }));
  return writeSet;
}

/** Returns the entry of the sums of an address. */
export function recordOf(
  { records }: FollowWriteSet,
  address: string,
): WriteSetEntry<GraphRecord> {
  return entryOf(records, graphKeys.graph(address));
}

/** Returns the entry of an edge. */
export function edgeOf(
  { edges }: FollowWriteSet,
  { follower, followee }: Ends,
): WriteSetEntry<Edge> {
  return entryOf(edges, graphKeys.follow(follower, followee));
}

/** Returns the entry of an hour range of arrivals. */
export function hoursOf(
  { hours }: FollowWriteSet,
  address: string,
  hourRange: number,
): WriteSetEntry<ArrivalTable> {
  return entryOf(hours, graphKeys.followerHours(address, hourRange));
}

/** Returns the ends of the reverse edge. */
export function reversed({ follower, followee }: Ends): Ends {
  return { follower: followee, followee: follower };
}

/** Finds an entry. A missing one is created empty: it is known to be absent. */
function entryOf<Value>(
  entries: Entries<Value>,
  key: Deno.KvKey,
): WriteSetEntry<Value> {
  const id = idOf(key);
  let found = entries.get(id);
  if (found === undefined) {
    found = { entry: { key, value: null, versionstamp: null }, value: null };
    entries.set(id, found);
  }
  return found;
}

async function readEntry<Value>(
  read: ReadKey,
  entries: Entries<Value>,
  key: Deno.KvKey,
): Promise<void> {
  const entry = await read<Value>(key);
  entries.set(idOf(key), { entry, value: entry.value });
}

/** Reads an edge, unless the sums of either address rule it out. */
async function readEdge(
  read: ReadKey,
  writeSet: FollowWriteSet,
  { follower, followee }: Ends,
): Promise<void> {
  const isPossible = recordOf(writeSet, follower).value?.following &&
    recordOf(writeSet, followee).value?.followers;
  if (isPossible) {
    await readEntry(read, writeSet.edges, graphKeys.follow(follower, followee));
  }
}

/** Reads the hour range of an instant and its neighbours, if they have arrivals. */
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
        readEntry(read, writeSet.hours, graphKeys.followerHours(followee, near))
      ),
  );
}

const idOf = (key: Deno.KvKey) => key.join("/");
