/**
 * Store of the follow graph: edges, the sums over the edges of each address, and the
 * arrivals of followers. One transaction changes an edge and all that follows from it.
 */
import {
  addArrivals,
  type ArrivalTable,
  changePair,
  type Edge,
  type EdgeChange,
  EMPTY_RECORD,
  EMPTY_TABLE,
  type Ends,
  type GraphRecord,
  graphSignalsOf,
  hasSameWeight,
  hasSlot,
  hourAt,
  hourRangeOf,
  isExpiring,
  isUnknown,
  peakOf,
  setSlot,
  sharesDiffer,
  SIGNALS_EXPIRE_MS,
  weigh,
  withEdge,
} from "./follow_edges.ts";
import type { GraphSignals } from "../../model/signals.ts";
import {
  addPendingUpdate,
  graphKeys,
  lookupKeys,
  pendingUpdateKey,
  putSums,
} from "./pending_follows_store.ts";
import {
  ANY,
  ANY_NUMBER,
  isSame,
  numberAt,
  type Records,
  type Rule,
  type StoredRecords,
  textAt,
} from "../../platform/kv/store_rule.ts";
import {
  type Batchable,
  batchQueue,
} from "../../platform/kv/batched_writes.ts";
import { commitOnce, retryConflicts } from "../../platform/kv/commit.ts";
import { type ReadKey, sharedReads } from "../../platform/kv/reads.ts";
import { dayAt, startOfDay } from "../../platform/days.ts";
import { contended } from "../../platform/fault.ts";

/** A change of the edge between two addresses. */
export type Change = EdgeChange & Ends;

/** Outcome of a change. */
interface FollowOutcome {
  /** False if the edge already had the requested state. */
  readonly changed: boolean;
  readonly edge: Edge | null;
}

/** A page of a sorted list of addresses: those after `after`, or the first ones. */
export interface PageOptions {
  readonly after: string | null;
  readonly limit: number;
}

/** A followed address and its edge. */
interface Followee {
  readonly address: string;
  readonly edge: Edge;
}

/** A change that waits for its transaction. */
interface Waiting extends Batchable {
  readonly change: Change;
  readonly settle: (outcome: FollowOutcome) => void;
  readonly fail: (error: unknown) => void;
}

/** Maximum number of changes in one transaction. */
const MAX_CHANGES = 100;

/** Changes of one input that wait at once. */
const MAX_WAITING = 20 * MAX_CHANGES;

/**
 * Bytes of a transaction, with a margin for uncounted overhead: Deno KV takes
 * 800 kB. `batched_writes.ts` bounds its checks.
 */
const MAX_BYTES = 600_000;

/** Bytes of a record without its peaks, and of an edge with its index entries. */
const BYTES = { record: 400, edge: 520 };

/** Store of the follow graph. */
export function followStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  const queue = batchQueue<Waiting>({
    sizeLimit: () => MAX_CHANGES,
    async commit(batch) {
      await commitBatch(batch);
      return () => {};
    },
  });

  /**
   * Applies the changes of a batch in order and commits them atomically, in halves if one
   * transaction cannot hold them.
   */
  async function commitBatch(batch: readonly Waiting[]): Promise<void> {
    const changes = batch.map(({ change }) => change);
    try {
      const result = await retryConflicts<FollowOutcome[] | null>(async () => {
        const writeSet = await readWriteSet(read, changes);
        const outcomes = changes.map((change) => applyChange(writeSet, change));
        const changed = changes.filter((_, nth) => outcomes[nth]!.changed);
        if (changed.length === 0) return { value: outcomes };
        if (changes.length > 1 && bytesOf(writeSet) > MAX_BYTES) {
          return { value: null };
        }
        const atomic = kv.atomic();
        const both = changed.flatMap(({ follower, followee }) => [
          follower,
          followee,
        ]);
        for (const address of new Set(both)) {
          atomic.check(writeSet.records.at(graphKeys.graph(address)).entry);
        }
        write(atomic, writeSet);
        return await commitOnce(kv, atomic) && { value: outcomes };
      });
      if (result === null) {
        throw contended(
          "Cannot change the follow graph: too many others change it at once",
        );
      }
      const { value: outcomes } = result;
      if (outcomes !== null) {
        return batch.forEach(({ settle }, nth) => settle(outcomes[nth]!));
      }
    } catch (error) {
      return batch.forEach(({ fail }) => fail(error));
    }
    const half = Math.ceil(batch.length / 2);
    await commitBatch(batch.slice(0, half));
    await commitBatch(batch.slice(half));
  }

  /** Finds the sums of an address; null if it has none. */
  async function find(address: string): Promise<GraphRecord | null> {
    return (await read<GraphRecord>(graphKeys.graph(address))).value;
  }

  /**
   * Changes an edge. Concurrent changes share a transaction; those of one edge keep
   * their order. Throws a fault, and changes nothing, under too many concurrent writes.
   */
  function change(change: Change): Promise<FollowOutcome> {
    return new Promise((settle, fail) =>
      queue.add({
        change,
        writes: [change.follower, change.followee],
        settle,
        fail,
      })
    );
  }

  return {
    change,

    /**
     * Changes many edges in as few transactions as possible, and returns the outcomes
     * in order. When it throws, no change waits or runs.
     */
    async changeAll(changes: readonly Change[]): Promise<FollowOutcome[]> {
      const outcomes: FollowOutcome[] = [];
      for (let at = 0; at < changes.length; at += MAX_WAITING) {
        const some = changes.slice(at, at + MAX_WAITING);
        for (const settled of await Promise.allSettled(some.map(change))) {
          if (settled.status === "rejected") throw settled.reason;
          outcomes.push(settled.value);
        }
      }
      return outcomes;
    },

    /** Finds the sums of an address; one key read. */
    async find(address: string): Promise<GraphRecord> {
      return await find(address) ?? EMPTY_RECORD;
    },

    /** Finds the graph signals of an address; one key read, whatever the number of followers. */
    async findGraph(address: string): Promise<GraphSignals> {
      return graphSignalsOf(await find(address));
    },

    /** Returns whether an address follows another. */
    async isFollowing(follower: string, followee: string): Promise<boolean> {
      const { value } = await read<Edge>(graphKeys.follow(follower, followee));
      return value !== null;
    },

    /** Lists the followers of an address. */
    async listFollowers(address: string, page: PageOptions): Promise<string[]> {
      const found = await listPage<true>(graphKeys.followers(address), page);
      return found.map(({ key }) => textAt(key, 3));
    },

    /** Lists the addresses that an address follows. */
    async listFollowees(
      address: string,
      page: PageOptions,
    ): Promise<Followee[]> {
      const found = await listPage<Edge>(graphKeys.follows(address), page);
      return found.map(({ key, value }) => ({
        address: textAt(key, 3),
        edge: value,
      }));
    },
  };

  function listPage<Value>(
    prefix: Deno.KvKey,
    { after, limit }: PageOptions,
  ): Promise<Deno.KvEntry<Value>[]> {
    const start = after === null ? {} : { start: [...prefix, after, 0] };
    return Array.fromAsync(kv.list<Value>({ prefix, ...start }, { limit }));
  }
}

/** An entry as it was read, and its new value; null deletes it. */
interface Slot<Value> {
  readonly entry: Deno.KvEntryMaybe<Value>;
  value: Value | null;
}

/** The entries of one kind that a transaction reads and writes. */
function entrySet<Value>(read: ReadKey) {
  const slots = new Map<string, Slot<Value>>();
  return {
    slots,
    async load(key: Deno.KvKey): Promise<void> {
      const entry = await read<Value>(key);
      slots.set(key.join("/"), { entry, value: entry.value });
    },
    /** Returns the entry of a key. One that was not loaded is known to be absent. */
    at(key: Deno.KvKey): Slot<Value> {
      const id = key.join("/");
      let slot = slots.get(id);
      if (slot === undefined) {
        slot = { entry: { key, value: null, versionstamp: null }, value: null };
        slots.set(id, slot);
      }
      return slot;
    },
  };
}

/** Everything that changes of the graph read and write. */
type WriteSet = Awaited<ReturnType<typeof readWriteSet>>;

/**
 * Reads what changes write. Every change of an edge writes the sums of both addresses.
 * So sums are read first: if they are unchanged at the commit, everything read after
 * them is unchanged too. They also tell which edges and hours cannot exist.
 */
async function readWriteSet(read: ReadKey, changes: readonly Change[]) {
  const records = entrySet<GraphRecord>(read);
  const edges = entrySet<Edge>(read);
  const hours = entrySet<ArrivalTable>(read);
  const sumsOf = (address: string) =>
    records.at(graphKeys.graph(address)).value;

  const loadEdge = (follower: string, followee: string) =>
    sumsOf(follower)?.following && sumsOf(followee)?.followers
      ? edges.load(graphKeys.follow(follower, followee))
      : undefined;

  /** Loads the hour range of an instant and its neighbours. */
  function loadHours(followee: string, at: number): Promise<void>[] {
    const peaks = sumsOf(followee)?.peaks;
    const range = hourRangeOf(hourAt(at));
    return [range - 1, range, range + 1]
      .filter((near) => peaks && hasSlot(peaks, near))
      .map((near) => hours.load(graphKeys.followerHours(followee, near)));
  }

  await Promise.all(changes.flatMap(({ follower, followee }) => [
    records.load(graphKeys.graph(follower)),
    records.load(graphKeys.graph(followee)),
  ]));
  await Promise.all(changes.flatMap((change) => [
    loadEdge(change.follower, change.followee),
    loadEdge(change.followee, change.follower),
    ...change.kind === "follow" ? loadHours(change.followee, change.at) : [],
  ]));
  // The arrival time of a removed or reweighed edge is known only after reading it.
  await Promise.all(changes.flatMap(({ kind, follower, followee }) => {
    const held = edges.at(graphKeys.follow(follower, followee)).value;
    // A follow removes the edge of an address that is leaving.
    const isKept = kind === "follow" && !sumsOf(follower)?.isLeaving;
    return isKept || held === null ? [] : loadHours(followee, held.at);
  }));
  return { records, edges, hours };
}

/** Applies a change to the edge, to the sums of both addresses and to the arrivals. */
function applyChange(
  { records, edges, hours }: WriteSet,
  change: Change,
): FollowOutcome {
  const { follower, followee } = change;
  const edge = edges.at(graphKeys.follow(follower, followee));
  const reverse = edges.at(graphKeys.follow(followee, follower));
  const [from, to] = [follower, followee].map((address) =>
    records.at(graphKeys.graph(address))
  ) as [Slot<GraphRecord>, Slot<GraphRecord>];
  const before = {
    edge: edge.value,
    reverse: reverse.value,
    follower: from.value ?? EMPTY_RECORD,
    followee: to.value ?? EMPTY_RECORD,
  };
  const after = changePair(before, change);
  if (after === before) return { changed: false, edge: before.edge };
  edge.value = after.edge;
  reverse.value = after.reverse;
  from.value = after.follower;
  let peaks = after.followee.peaks ?? EMPTY_TABLE;
  const tableOf = (range: number) =>
    hours.at(graphKeys.followerHours(followee, range));
  for (const [arrived, sign] of [[before.edge, -1], [after.edge, 1]] as const) {
    if (arrived === null) continue;
    const hour = hourAt(arrived.at);
    const range = hourRangeOf(hour);
    const table = tableOf(range);
    const arrivals = { ...arrived, count: 1 };
    table.value = addArrivals(table.value ?? EMPTY_TABLE, hour, {
      arrivals,
      sign,
    });
    // A peak within 24 hours may end in the next range.
    for (const each of [range, range + 1]) {
      const [now, past] = [each, each - 1].map((one) =>
        tableOf(one).value ?? EMPTY_TABLE
      ) as [ArrivalTable, ArrivalTable];
      peaks = setSlot(peaks, each, peakOf(now, past));
    }
  }
  to.value = { ...after.followee, peaks: peaks.length > 0 ? peaks : null };
  return { changed: true, edge: after.edge };
}

/** Returns about how many bytes a write set takes in a transaction. */
function bytesOf({ records, edges, hours }: WriteSet): number {
  let bytes = edges.slots.size * BYTES.edge;
  for (const { value } of records.slots.values()) {
    bytes += BYTES.record + (value?.peaks?.byteLength ?? 0);
  }
  for (const { value } of hours.slots.values()) bytes += value?.byteLength ?? 0;
  return bytes;
}

/** Adds all changed entries to the transaction. */
function write(
  atomic: Deno.AtomicOperation,
  { records, edges, hours }: WriteSet,
): void {
  for (const { entry, value } of records.slots.values()) {
    if (value === null || value === entry.value) continue;
    putSums(atomic, entry.key, value);
    // The update that removes the edges of a leaving address is pending already.
    if (value.isLeaving) continue;
    if (sharesDiffer(entry.value ?? EMPTY_RECORD, value)) {
      addPendingUpdate(atomic, textAt(entry.key, 1));
    }
  }
  for (const { entry, value } of hours.slots.values()) {
    if (value === entry.value) continue;
    if (value!.length > 0) atomic.set(entry.key, value);
    else atomic.delete(entry.key);
  }
  for (const { entry: { key, value: held }, value } of edges.slots.values()) {
    if (value === held) continue;
    if (value === null) atomic.delete(key);
    else atomic.set(key, value);
    // One transaction may remove an edge and create it again, at another time.
    if (value?.at === held?.at) continue;
    const [follower, followee] = [textAt(key, 1), textAt(key, 3)];
    const index = graphKeys.follower(followee, follower);
    if (held !== null) {
      atomic.delete(lookupKeys.unknownFollower(held.at, follower, followee));
    }
    if (value === null) {
      atomic.delete(index);
      continue;
    }
    atomic.set(index, true);
    const known = records.at(graphKeys.graph(follower)).value?.known ?? null;
    if (isUnknown(known)) {
      atomic.set(
        lookupKeys.unknownFollower(value.at, follower, followee),
        true,
      );
    } else if (known?.hasHistory === false) {
      // It may have sent something since. One lookup does for all follows of a day.
      const at = startOfDay(dayAt(value.at));
      atomic.set(lookupKeys.emptyFollower(at, follower), true);
    }
  }
}

const followed: Rule<Edge> = {
  name: "follow",
  of: graphKeys.follow(ANY, ANY),
  invariant:
    "an edge is indexed at the followed address, and is mutual if that address follows back",
  async holds({ key, value: { mutual } }, { find }) {
    const [follower, followee] = [textAt(key, 1), textAt(key, 3)];
    const [index, back] = await Promise.all([
      find<true>(graphKeys.follower(followee, follower)),
      find<Edge>(graphKeys.follow(followee, follower)),
    ]);
    return index === true && mutual === (back !== null);
  },
};

const weight: Rule<Edge> = {
  name: "follow-weight",
  of: graphKeys.follow(ANY, ANY),
  invariant:
    "an edge has the weight of its follower, or a weight update is pending",
  async holds({ key, value }, { find }) {
    const follower = textAt(key, 1);
    const record = await find<GraphRecord>(graphKeys.graph(follower));
    return hasSameWeight(
      value,
      weigh(record?.known ?? null, record?.following ?? 0),
    ) ||
      await find(pendingUpdateKey(follower)) !== null;
  },
};

const following: Rule<true> = {
  name: "follower",
  of: graphKeys.follower(ANY, ANY),
  invariant: "every follower in the index has an edge",
  async holds({ key }, { find }) {
    const edge = graphKeys.follow(textAt(key, 3), textAt(key, 1));
    return await find<Edge>(edge) !== null;
  },
};

const sums: Rule<GraphRecord> = {
  name: "follow-sums",
  of: graphKeys.graph(ANY),
  invariant:
    "the sums, hours and peaks of an address are a recount of its edges",
  async holds({ key, value }, records) {
    const address = textAt(key, 1);
    const counted = await recount(records, address);
    const held: Tables = new Map();
    const prefix = graphKeys.followerHoursOf(address);
    for await (const { key, value } of records.list<ArrivalTable>(prefix)) {
      held.set(numberAt(key, 3), value);
    }
    const { known, isLeaving } = value;
    const leaving = isLeaving ? { isLeaving } : {};
    return isSame(value, { ...counted.record, known, ...leaving }) &&
      isSame(held, counted.hours);
  },
};

const leaving: Rule<GraphRecord> = {
  name: "follow-leaving",
  of: graphKeys.graph(ANY),
  invariant:
    "an address that is leaving follows others, and the update that removes these edges is pending",
  async holds({ key, value: { isLeaving, following } }, { find }) {
    return !isLeaving || (following > 0 &&
      await find(pendingUpdateKey(textAt(key, 1))) !== null);
  },
};

const hours: Rule<ArrivalTable> = {
  name: "follow-hours",
  of: graphKeys.followerHours(ANY, ANY_NUMBER),
  invariant: "follower arrivals belong to an address that has followers",
  async holds({ key }, { find }) {
    const record = await find<GraphRecord>(graphKeys.graph(textAt(key, 1)));
    return record !== null && record.followers > 0;
  },
};

/** The collection and the rules: the index and weight of edges, and the sums over them. */
export const GRAPH_RECORDS: StoredRecords = {
  collections: {
    graphs: {
      // The other keys below an address are its edges and arrivals.
      expireMsOf: (key: Deno.KvKey, record: GraphRecord) =>
        key.length === graphKeys.graph("").length && isExpiring(record)
          ? SIGNALS_EXPIRE_MS
          : undefined,
    },
  },
  rules: [followed, weight, following, sums, leaving, hours],
};

type Tables = Map<number, ArrivalTable>;

/** Recounts the edges of an address that are also in the index. */
async function recount(
  records: Records,
  address: string,
): Promise<{ record: GraphRecord; hours: Tables }> {
  let record = EMPTY_RECORD;
  const hours: Tables = new Map();
  const arrived = listCounterparts<Edge>(
    records,
    graphKeys.followers(address),
    (follower) => graphKeys.follow(follower, address),
  );
  for await (const edge of arrived) {
    record = withEdge(record, edge, 1);
    const hourRange = hourRangeOf(hourAt(edge.at));
    const table = hours.get(hourRange) ?? EMPTY_TABLE;
    const arrivals = { ...edge, count: 1 };
    hours.set(
      hourRange,
      addArrivals(table, hourAt(edge.at), { arrivals, sign: 1 }),
    );
  }
  const followed = listCounterparts<true>(
    records,
    graphKeys.follows(address),
    (followee) => graphKeys.follower(followee, address),
  );
  let following = 0;
  for await (const _ of followed) following++;
  let peaks = EMPTY_TABLE;
  for (const [hourRange, table] of hours) {
    const before = hours.get(hourRange - 1) ?? EMPTY_TABLE;
    peaks = setSlot(peaks, hourRange, peakOf(table, before));
  }
  return {
    record: { ...record, following, peaks: peaks.length > 0 ? peaks : null },
    hours,
  };
}

/** Records read at a time. */
const RECORDS_A_READ = 500;

/** Lists the counterparts of the records under a prefix, by the address that ends their keys. */
async function* listCounterparts<Value>(
  { find, list }: Records,
  prefix: Deno.KvKey,
  keyOf: (address: string) => Deno.KvKey,
): AsyncGenerator<Value> {
  let keys: Deno.KvKey[] = [];
  async function* findAll() {
    const values = await Promise.all(keys.map((key) => find<Value>(key)));
    keys = [];
    for (const value of values) if (value !== null) yield value;
  }
  for await (const { key } of list(prefix)) {
    if (keys.push(keyOf(textAt(key, 3))) === RECORDS_A_READ) yield* findAll();
  }
  yield* findAll();
}
