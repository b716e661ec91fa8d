/** Store of the follow graph: edges, and sums over the edges of each address. */
import {
  type Edge,
  EMPTY_RECORD,
  type GraphRecord,
  graphSignalsOf,
  hasSameWeight,
  isExpiring,
  SIGNALS_EXPIRE_MS,
  weigh,
} from "./follow_edges.ts";
import type { GraphSignals } from "../../model/signals.ts";
import { followBatches } from "./follow_batches_store.ts";
import { graphKeys } from "./follow_write_set_store.ts";
import { pendingUpdateKey } from "./pending_weight_updates_store.ts";
import {
  addArrivals,
  type ArrivalTable,
  EMPTY_TABLE,
  hourAt,
  hourRangeOf,
  peakOf,
  setSlot,
} from "./follower_arrivals.ts";
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
import { type ReadKey, sharedReads } from "../../platform/kv/shared_reads.ts";

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

/** Store of the follow graph. */
export function followStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  /** Finds the sums of an address; null if it has none. */
  async function find(address: string): Promise<GraphRecord | null> {
    return (await read<GraphRecord>(graphKeys.graph(address))).value;
  }

  return {
    ...followBatches(kv, read),

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
    async listFollowers(
      address: string,
      { after, limit }: PageOptions,
    ): Promise<string[]> {
      const prefix = graphKeys.followers(address);
      const start = after === null ? [] : [...prefix, after, 0];
      const selector = after === null ? { prefix } : { prefix, start };
      return await Array.fromAsync(
        kv.list(selector, { limit }),
        ({ key }) => key.at(-1) as string,
      );
    },

    /** Lists the addresses that an address follows. */
    async listFollowees(
      address: string,
      { after, limit }: PageOptions,
    ): Promise<Followee[]> {
      const prefix = graphKeys.follows(address);
      const start = after === null ? [] : [...prefix, after, 0];
      const selector = after === null ? { prefix } : { prefix, start };
      return await Array.fromAsync(
        kv.list<Edge>(selector, { limit }),
        ({ key, value }) => ({ address: key.at(-1) as string, edge: value }),
      );
    },
  };
}

/** Edges read at a time. */
const EDGES_A_READ = 500;

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
    const held = await readTables(records, address);
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
  const sums = { ...EMPTY_RECORD };
  const hours: Tables = new Map();
  for await (const edge of listArrived(records, address)) {
    const { paidWeight, sharedWeight, freeWeight, thin, mutual, at } = edge;
    sums.followers++;
    sums.thin += Number(thin);
    sums.paidWeight += paidWeight;
    sums.sharedWeight += sharedWeight;
    sums.freeWeight += freeWeight;
    sums.mutual += Number(mutual);
    sums.mutualPaidWeight += mutual ? paidWeight : 0;
    sums.mutualFreeWeight += mutual ? freeWeight : 0;
    const hourRange = hourRangeOf(hourAt(at));
    const table = hours.get(hourRange) ?? EMPTY_TABLE;
    const arrivals = { count: 1, paidWeight, freeWeight };
    hours.set(hourRange, addArrivals(table, hourAt(at), { arrivals, sign: 1 }));
  }
  const following = await countFollowed(records, address);
  return { record: { ...sums, following, peaks: peaksOf(hours) }, hours };
}

/** Lists the edges to an address, through the index. */
async function* listArrived(
  { find, list }: Records,
  address: string,
): AsyncGenerator<Edge> {
  for await (const some of inParts(list<true>(graphKeys.followers(address)))) {
    const edges = await Promise.all(
      some.map(({ key }) =>
        find<Edge>(graphKeys.follow(textAt(key, 3), address))
      ),
    );
    for (const edge of edges) if (edge !== null) yield edge;
  }
}

async function countFollowed(
  { find, list }: Records,
  address: string,
): Promise<number> {
  let count = 0;
  for await (const some of inParts(list<Edge>(graphKeys.follows(address)))) {
    const found = await Promise.all(
      some.map(({ key }) => find(graphKeys.follower(textAt(key, 3), address))),
    );
    count += found.filter((index) => index !== null).length;
  }
  return count;
}

async function* inParts<T>(all: AsyncIterable<T>): AsyncGenerator<T[]> {
  let some: T[] = [];
  for await (const one of all) {
    some.push(one);
    if (some.length < EDGES_A_READ) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** Computes the peak arrivals within 24 hours of each hour range. */
function peaksOf(hours: Tables): ArrivalTable | null {
  let peaks = EMPTY_TABLE;
  for (const [hourRange, table] of hours) {
    const before = hours.get(hourRange - 1) ?? EMPTY_TABLE;
    peaks = setSlot(peaks, hourRange, peakOf(table, before));
  }
  return peaks.length > 0 ? peaks : null;
}

async function readTables(
  { list }: Records,
  address: string,
): Promise<Tables> {
  const tables: Tables = new Map();
  const prefix = graphKeys.followerHoursOf(address);
  for await (const { key, value } of list<ArrivalTable>(prefix)) {
    tables.set(numberAt(key, 3), value);
  }
  return tables;
}
