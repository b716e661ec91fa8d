/**
 * Commits changes of the follow graph in one transaction: edges, the sums of
 * both addresses, and the follower arrivals.
 */
import {
  addArrivals,
  EMPTY_TABLE,
  hourAt,
  hourRangeOf,
  peakOf,
  setSlot,
} from "./follower_arrivals.ts";
import {
  changePair,
  type Edge,
  EMPTY_RECORD,
  isUnknown,
  sharesDiffer,
} from "./follow_edges.ts";
import { retryConflicts, tryCommit } from "../../platform/kv/commit.ts";
import {
  type Change,
  edgeOf,
  type FollowWriteSet,
  graphKeys,
  hoursOf,
  readWriteSet,
  recordOf,
  reversed,
} from "./follow_write_set_store.ts";
import { addPendingUpdate, putSums } from "./pending_weight_updates_store.ts";
import { dayAt, startOfDay } from "../../platform/days.ts";
import { lookupKeys } from "./follower_lookups_store.ts";
import type { ReadKey } from "../../platform/kv/shared_reads.ts";

/** Outcome of a change. */
export interface FollowOutcome {
  /** False if the edge already had the requested state. */
  readonly changed: boolean;
  readonly edge: Edge | null;
}

/** Why nothing was committed: too large for one transaction, or too many conflicts. */
export type FailedCommit = "tooLarge" | "contended";

/**
 * Bytes of a transaction, with a margin for uncounted overhead: Deno KV takes
 * 800 kB. `batch_queue.ts` bounds its checks.
 */
const MAX_BYTES = 600_000;

/** Bytes of a record without its peaks, and of an edge with its index entries. */
const BYTES = { record: 400, edge: 520 };

/** Applies changes in order and commits them atomically. */
export async function commitChanges(
  kv: Deno.Kv,
  read: ReadKey,
  changes: readonly Change[],
): Promise<FollowOutcome[] | FailedCommit> {
  const result = await retryConflicts<FollowOutcome[] | "tooLarge">(
    async () => {
      const writeSet = await readWriteSet(read, changes);
      const outcomes = changes.map((change) => applyChange(writeSet, change));
      const changed = changes.filter((_, nth) => outcomes[nth]!.changed);
      if (changed.length === 0) return { value: outcomes };
      recountPeaks(writeSet);
      const sums = listSums(writeSet, changed);
      if (changes.length > 1 && !fits(writeSet)) {
        return { value: "tooLarge" };
      }
      const atomic = kv.atomic();
      for (const sum of sums) atomic.check(sum);
      return await tryCommit(write(atomic, writeSet))
        ? { value: outcomes }
        : null;
    },
  );
  return result === null ? "contended" : result.value;
}

/** Applies a change to the write set. */
function applyChange(writeSet: FollowWriteSet, change: Change): FollowOutcome {
  const edge = edgeOf(writeSet, change);
  const reverse = edgeOf(writeSet, reversed(change));
  const follower = recordOf(writeSet, change.follower);
  const followee = recordOf(writeSet, change.followee);
  const before = {
    edge: edge.value,
    reverse: reverse.value,
    follower: follower.value ?? EMPTY_RECORD,
    followee: followee.value ?? EMPTY_RECORD,
  };
  const after = changePair(before, change);
  if (after === before) return { changed: false, edge: before.edge };
  edge.value = after.edge;
  reverse.value = after.reverse;
  follower.value = after.follower;
  followee.value = after.followee;
  if (before.edge) countArrival(writeSet, change.followee, [before.edge, -1]);
  if (after.edge) countArrival(writeSet, change.followee, [after.edge, 1]);
  return { changed: true, edge: after.edge };
}

function countArrival(
  writeSet: FollowWriteSet,
  followee: string,
  [{ at, paidWeight, freeWeight }, sign]: readonly [Edge, 1 | -1],
): void {
  const hour = hourAt(at);
  const hours = hoursOf(writeSet, followee, hourRangeOf(hour));
  const arrivals = { count: 1, paidWeight, freeWeight };
  hours.value = addArrivals(hours.value ?? EMPTY_TABLE, hour, {
    arrivals,
    sign,
  });
}

/** Recomputes the peaks of the hour ranges that changed, and of the ones after them. */
function recountPeaks(writeSet: FollowWriteSet): void {
  for (const { entry, value } of [...writeSet.hours.values()]) {
    if (value === entry.value) continue;
    const [, address, , hourRange] = entry.key as [string, string, "", number];
    const record = recordOf(writeSet, address);
    for (const each of [hourRange, hourRange + 1]) {
      const table = hoursOf(writeSet, address, each).value ?? EMPTY_TABLE;
      const before = hoursOf(writeSet, address, each - 1).value ?? EMPTY_TABLE;
      const held = record.value!.peaks ?? EMPTY_TABLE;
      const peaks = setSlot(held, each, peakOf(table, before));
      record.value = {
        ...record.value!,
        peaks: peaks.length > 0 ? peaks : null,
      };
    }
  }
}

/** Lists the sums of both addresses of each change. */
function listSums(
  writeSet: FollowWriteSet,
  changes: readonly Change[],
): Deno.KvEntryMaybe<unknown>[] {
  const addresses = changes.flatMap(({ follower, followee }) => [
    follower,
    followee,
  ]);
  return Array.from(
    new Set(addresses),
    (address) => recordOf(writeSet, address).entry,
  );
}

/** Returns whether the write set fits in one transaction. */
function fits({ records, edges, hours }: FollowWriteSet): boolean {
  let bytes = edges.size * BYTES.edge;
  for (const { value } of records.values()) {
    bytes += BYTES.record + (value?.peaks?.byteLength ?? 0);
  }
  for (const { value } of hours.values()) {
    bytes += value?.byteLength ?? 0;
  }
  return bytes <= MAX_BYTES;
}

/** Adds all changed entries to the transaction. */
function write(
  atomic: Deno.AtomicOperation,
  writeSet: FollowWriteSet,
): Deno.AtomicOperation {
  const { records, edges, hours } = writeSet;
  for (const { entry, value } of records.values()) {
    if (value === entry.value) continue;
    putSums(atomic, entry.key, value!);
    // The update that removes the edges of a leaving address is pending already.
    if (value!.isLeaving) continue;
    if (sharesDiffer(entry.value ?? EMPTY_RECORD, value!)) {
      addPendingUpdate(atomic, entry.key[1] as string);
    }
  }
  for (const { entry, value } of hours.values()) {
    put(atomic, entry, value !== null && value.length > 0 ? value : null);
  }
  for (const { entry, value } of edges.values()) {
    put(atomic, entry, value);
    // One transaction may remove an edge and create it again, at another time.
    if (value?.at === entry.value?.at) continue;
    const [, follower, , followee] = entry.key as string[];
    const key = graphKeys.follower(followee!, follower!);
    if (value === null) atomic.delete(key);
    else atomic.set(key, true);
    const unknownAt = ({ at }: Edge) =>
      lookupKeys.unknownFollower(at, follower!, followee!);
    const { known = null } = recordOf(writeSet, follower!).value ?? {};
    if (entry.value !== null) atomic.delete(unknownAt(entry.value));
    if (value === null) continue;
    if (isUnknown(known)) atomic.set(unknownAt(value), true);
    else if (known?.hasHistory === false) {
      // It may have sent something since. One lookup does for all follows of a day.
      const at = startOfDay(dayAt(value.at));
      atomic.set(lookupKeys.emptyFollower(at, follower!), true);
    }
  }
  return atomic;
}

function put<Value>(
  atomic: Deno.AtomicOperation,
  { key, value: held }: Deno.KvEntryMaybe<Value>,
  value: Value | null,
): void {
  if (value === held) return;
  if (value === null) atomic.delete(key);
  else atomic.set(key, value);
}
