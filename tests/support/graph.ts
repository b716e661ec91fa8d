/** Signals of followers, and a recount of the follow graph from its edges. */
import { assertEquals } from "@std/assert";
import {
  type Arrivals,
  type ArrivalTable,
  type Edge,
  type GraphRecord,
  graphSignalsOf,
} from "../../services/profiles/follows/follow_edges.ts";
import { newProfile } from "../../services/profiles/profile.ts";
import {
  type ChainSignals,
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
} from "../../services/model/signals.ts";
import type { TestDeps } from "./deps.ts";

const HOUR_MS = 3_600_000;

/** An edge with its ends. */
interface Found extends Edge {
  readonly follower: string;
  readonly followee: string;
}

/** What a database says of the graph. */
interface Stored {
  readonly edges: Found[];
  readonly records: Map<string, GraphRecord>;
  /** Followers by the index, as "followee/follower". */
  readonly index: Set<string>;
  /** How many arrived by the hour, as "address/hour". */
  readonly arrivals: Map<string, number>;
}

/** An address as a test numbers them. */
export function addressOf(number: number): string {
  return `0x${number.toString(16).padStart(40, "0")}`;
}

/** Lists the arrivals of a table by slot. */
export function listSlots(table: ArrivalTable): [slot: number, Arrivals][] {
  return Array.from({ length: table.length / 4 }, (_, nth) => {
    const [slot, count, paidWeight, freeWeight] = table.slice(nth * 4);
    return [slot!, {
      count: count!,
      paidWeight: paidWeight!,
      freeWeight: freeWeight!,
    }];
  });
}

/** Addresses with numbers from `first` on. */
export const others = (count: number, first = 100) =>
  Array.from({ length: count }, (_, nth) => addressOf(first + nth));

/** Stores what the chain says of addresses. */
export async function know(
  deps: TestDeps,
  addresses: readonly string[],
  signals: Partial<ChainSignals>,
): Promise<void> {
  const fetchedAt = deps.now().getTime();
  const origin = deps.upstream.explorer.baseUrl;
  for (const address of addresses) {
    const chain = { ...NO_CHAIN, fetchedAt, ...signals };
    await deps.store.signals.put(address, { signals: chain, origin });
  }
}

/** Signals of a wallet that paid so much for its gas. */
export const paid = (gasAvax: number) => ({
  nonce: 9,
  firstTxAt: 1,
  gasAvax,
  use: {
    count: 9,
    days: [{ day: 1, gasUnits: gasAvax / 25e-9, varied: 9 }],
  },
});

/** Claims profiles. */
export async function claim(
  deps: TestDeps,
  addresses: readonly string[],
): Promise<void> {
  const at = deps.now().getTime();
  for (const address of addresses) {
    await deps.store.profiles.change(address, () => ({
      profile: newProfile(at),
      audit: { at, event: "profile.update", requestId: "test", slug: null },
    }));
  }
}

/** Holds every sum in a database against the edges in it; returns how many edges there are. */
export async function assertRecount(kv: Deno.Kv): Promise<number> {
  const { edges, records, index, arrivals } = await readAll(kv);
  const pairs = new Set(
    edges.map(({ follower, followee }) => `${followee}/${follower}`),
  );
  assertEquals(index, pairs, "each edge is in the index, and nothing else");
  const toEach = Map.groupBy(edges, ({ followee }) => followee);
  const fromEach = Map.groupBy(edges, ({ follower }) => follower);
  const hours = edges.map(({ followee, at }) =>
    `${followee}/${Math.floor(at / HOUR_MS)}`
  );
  const counted = Map.groupBy(hours, (hour) => hour);
  assertEquals(
    arrivals,
    new Map([...counted].map(([hour, found]) => [hour, found.length])),
    "arrivals by the hour",
  );
  for (const { follower, followee, mutual } of edges) {
    const isMutual = pairs.has(`${follower}/${followee}`);
    assertEquals(mutual, isMutual, `${follower} to ${followee}`);
  }
  const addresses = [...toEach.keys(), ...fromEach.keys(), ...records.keys()];
  for (const address of new Set(addresses)) {
    const record = records.get(address) ?? null;
    const following = fromEach.get(address)?.length ?? 0;
    assertEquals(record?.following ?? 0, following, `${address} follows`);
    const signals = graphSignalsOf(record);
    assertEquals(signals, recount(toEach.get(address) ?? []), address);
  }
  return edges.length;
}

/** Adds up the followers of one address, the plain way. */
function recount(edges: readonly Found[]): GraphSignals {
  if (edges.length === 0) return NO_GRAPH;
  const sum = (some: readonly Found[], each: (edge: Found) => number) =>
    some.reduce((total, edge) => total + each(edge), 0);
  const hourOf = ({ at }: Found) => Math.floor(at / HOUR_MS);
  const hours = [...new Set(edges.map(hourOf))];
  const surges = hours.map((last) =>
    edges.filter((edge) => hourOf(edge) <= last && hourOf(edge) > last - 24)
  );
  const peak = (each: (edge: Found) => number) =>
    Math.max(...surges.map((some) => sum(some, each)));
  const paidWeight = (edge: Found) => edge.paidWeight;
  const freeWeight = (edge: Found) => edge.freeWeight;
  const mutual = edges.filter((edge) => edge.mutual);
  return {
    analyzed: true,
    followers: edges.length,
    mutual: mutual.length,
    thin: edges.filter(({ thin }) => thin).length,
    burst: peak(() => 1),
    paidMass: sum(edges, paidWeight) / 1e6,
    sharedPaidMass: sum(edges, ({ sharedWeight }) => sharedWeight) / 1e6,
    freeMass: sum(edges, freeWeight) / 1e6,
    mutualPaidMass: sum(mutual, paidWeight) / 1e6,
    mutualFreeMass: sum(mutual, freeWeight) / 1e6,
    burstPaidMass: peak(paidWeight) / 1e6,
    burstFreeMass: peak(freeWeight) / 1e6,
  };
}

async function readAll(kv: Deno.Kv): Promise<Stored> {
  const stored: Stored = {
    edges: [],
    records: new Map(),
    index: new Set(),
    arrivals: new Map(),
  };
  for await (const { key, value } of kv.list({ prefix: ["graphs"] })) {
    const [, address, what, other] = key as [string, string, string?, string?];
    if (what === undefined) {
      stored.records.set(address, value as GraphRecord);
    } else if (what === "follows") {
      const ends = { follower: address, followee: other! };
      stored.edges.push({ ...value as Edge, ...ends });
    } else if (what === "followers") {
      stored.index.add(`${address}/${other}`);
    } else {
      for (const [hour, { count }] of listSlots(value as ArrivalTable)) {
        stored.arrivals.set(`${address}/${hour}`, count);
      }
    }
  }
  return stored;
}
