/** The follow graph: reads and writes at up to 100,000 followers, imports, and two racing processes. */
import { SERVICE } from "../services/platform/rate_limit/call_budget.ts";
import type { Deps } from "../services/deps.ts";
import {
  follow,
  type ImportedFollow,
  importFollows,
} from "../services/profiles/follows/follows.ts";
import { readScore } from "../services/scores/scores.ts";
import { exampleOf } from "../simnet/accounts.ts";
import { testDeps } from "../tests/support/deps.ts";
import { raceFollows } from "../tests/support/processes/follow_race.ts";
import { addressOf, assertRecount, others } from "../tests/support/graph.ts";
import { curveOf } from "./measure/curve.ts";
import type { BenchmarkOptions, Measurement } from "./measure/measurement.ts";
import { median, percentile } from "./measure/statistics.ts";

const HOUR_MS = 3_600_000;

/** Follower counts of the measured addresses, in the full and in the short run. */
const COUNTS = [10, 100, 1_000, 10_000, 100_000];
const FEW_COUNTS = [10, 1_000, 10_000];

/** Edges in one call of the import. */
const EDGES_A_CALL = 20_000;

/** An address and its number of followers. */
interface Followed {
  readonly address: string;
  readonly count: number;
}

/** Measures reads, follows and imports in a database file. */
export async function measureFollowers(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "firn_bench_" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const open = async (name: string) =>
    stack.use(await testDeps({ kvPath: `${folder}/${name}` }));
  const imported = await measureImport(await open("import"), {
    profiles: short ? 1_000 : 10_000,
  });
  const deps = await open("followers");
  const followed = (short ? FEW_COUNTS : COUNTS)
    .map((count, nth) => ({ count, address: exampleOf("ordinary", nth) }));
  for (const { address, count } of followed) {
    await put(deps, followersOf(address, count));
  }
  const reads = await measureReads(deps, followed, short ? 10 : 40);
  const most = followed.at(-1)!;
  const follows = await measureFollows(deps, most, short ? 200 : 1_000);
  const raced = await measureRace(`${folder}/race`, short ? 5_000 : 50_000);
  return [reads, ...follows, ...imported, ...raced];
}

/** Returns follows of an address, one hour apart. */
function followersOf(followee: string, count: number): ImportedFollow[] {
  const now = Date.parse("2026-11-20T00:00:00Z");
  return others(count, 1e6).map((follower, nth) => {
    return { follower, followee, at: now - nth % 26_000 * HOUR_MS };
  });
}

/** Imports edges and returns how many were imported per second. */
async function put(
  deps: Deps,
  edges: readonly ImportedFollow[],
): Promise<number> {
  const startedAt = performance.now();
  for (let at = 0; at < edges.length; at += EDGES_A_CALL) {
    await importFollows(deps, edges.slice(at, at + EDGES_A_CALL));
  }
  return edges.length / (performance.now() - startedAt) * 1_000;
}

/** Imports profiles that follow ten addresses each, popular ones more often, then imports them again. */
async function measureImport(
  deps: Deps,
  { profiles }: { readonly profiles: number },
): Promise<Measurement[]> {
  const now = deps.now().getTime();
  const edges = others(profiles, 1e6).flatMap((follower, nth) =>
    Array.from({ length: 10 }, (_, tenth) => ({
      follower,
      followee: addressOf(popular(nth * 10 + tenth)),
      at: now - (nth * 31 + tenth * 7_919) % 26_000 * HOUR_MS,
    }))
  );
  const measurement = async (name: string): Promise<Measurement> => ({
    name,
    value: await put(deps, edges),
    unit: "/s",
    peer: null,
    target: { of: "value", is: ">=", than: 10_000 },
  });
  return [
    await measurement("follows imported, file"),
    await measurement("follows imported again, file"),
  ];
}

/** Returns one of 5,000 addresses, lower ones far more often. The golden ratio spreads them evenly. */
function popular(nth: number): number {
  return Math.floor(5_000 * (nth * 0.618_034 % 1) ** 3);
}

/** Measures score reads from stored signals. */
async function measureReads(
  deps: Deps,
  followed: readonly Followed[],
  rounds: number,
): Promise<Measurement> {
  const sides = followed.map((one) => ({ ...one, timesUs: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const { address, timesUs } of sides) {
      const startedAt = performance.now();
      for (let read = 0; read < 100; read++) {
        await readScore(deps, address, { requester: SERVICE });
      }
      timesUs.push((performance.now() - startedAt) * 10);
    }
  }
  const points = sides.map(({ count, timesUs }) => ({
    at: count,
    value: median(timesUs.slice(1)),
  }));
  const growth = { name: "score read", of: "followers", unit: "us", most: 1.2 };
  return curveOf(growth, points);
}

/** Measures new wallets that follow and unfollow an address, one after the other. */
async function measureFollows(
  deps: Deps,
  { address: followee, count }: Followed,
  wallets: number,
): Promise<Measurement[]> {
  const [followMs, unfollowMs]: [number[], number[]] = [[], []];
  const time = async (times: number[], work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  };
  for (const follower of others(wallets, 9e6)) {
    const ends = { follower, followee };
    await time(followMs, () => follow(deps, ends));
    await time(
      unfollowMs,
      () => deps.store.follows.change({ kind: "unfollow", ...ends }),
    );
  }
  const measurement = (name: string, times: number[]): Measurement => ({
    name: `${name} at ${count.toLocaleString("en")} followers, p99`,
    value: percentile(times, 99),
    unit: "ms",
    peer: null,
    target: { of: "value", is: "<", than: 10 },
  });
  return [measurement("follow", followMs), measurement("unfollow", unfollowMs)];
}

/** Changes random edges from two processes. Throws if a stored sum differs from a recount. */
async function measureRace(
  kvPath: string,
  changes: number,
): Promise<Measurement[]> {
  const startedAt = performance.now();
  const { contended } = await raceFollows(kvPath, changes);
  const seconds = (performance.now() - startedAt) / 1_000;
  using kv = await Deno.openKv(kvPath);
  await assertRecount(kv);
  const by = `${changes.toLocaleString("en")} changes, 2 processes, 1 killed`;
  return [
    {
      name: `follow graph, ${by}`,
      value: seconds,
      unit: "s",
      peer: null,
      target: null,
    },
    {
      name: "of these given up",
      value: contended,
      unit: "",
      peer: null,
      target: { of: "value", is: "=", than: 0 },
    },
  ];
}
