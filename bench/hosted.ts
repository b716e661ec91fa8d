/** A hosted database: the rounds of each request, load at its latencies, and what a day costs. */
import { testDeps } from "../tests/support/deps.ts";
import type { Asked } from "../tests/support/kv_connect/faults.ts";
import {
  type KvConnect,
  setFaults,
  startKvConnect,
  takeAsked,
} from "../tests/support/kv_connect/kv_connect.ts";
import { countRounds } from "../tests/support/kv_connect/rounds.ts";
import { fillByJobs, runDay } from "../tests/support/kv/idle_day.ts";
import { askOnce, getRequest } from "./measure/connection.ts";
import { askEach, type Load, load } from "./measure/load.ts";
import type {
  BenchmarkOptions,
  Measurement,
  Target,
} from "./measure/measurement.ts";
import { CONNECTIONS, type Side } from "./measure/round.ts";
import { median } from "./measure/statistics.ts";
import { startBareCommit } from "./scores/bare_commit.ts";
import { sideOf } from "./scores/keyed.ts";
import { type BenchCaller, fillCallers } from "./scores/keyed_callers.ts";
import { startKeyedService } from "./scores/keyed_service.ts";

/** Maximum number of rounds of a request. */
const MAX_ROUNDS: Readonly<Record<string, number>> = {
  "open, warm": 0,
  "open, cold": 1,
  "keyed, warm": 1,
  "batch of 50": 2,
  "history": 2,
  "keyed, stored signals": 1,
  "keyed, cold, with its upstream calls": 3,
  "claim, with its upstream calls": 4,
};

/** Latencies of a hosted database in its own region, and from another continent. */
const NEAR_MS = 7;
const FAR_MS = 94;

const MANY = { full: 1_000, short: 300 };
const LOAD_MS = { full: 10_000, short: 2_000 };

/** Loads of the service and of its peer in turn, at the near latency. */
const TURNS = {
  full: { turns: 5, ms: 4_000 },
  short: { turns: 1, ms: 2_000 },
};

const BURST_MS = 2;

const REQUESTS_A_DAY = 1_000_000;

/** Chains on an idle day, in the full and in the short run. */
const CHAINS = 200;
const FEW_CHAINS = 30;

const PER_MEGABYTE = 1e6;

/** Measures the service on a KV Connect server of the tests, through Deno's own client. */
export async function measureHosted(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  using server = await startKvConnect();
  return [
    ...await measureRounds(server),
    ...await measureLoads(server, short ? "short" : "full"),
    ...await measureIdle(server, short ? FEW_CHAINS : CHAINS),
  ];
}

async function measureRounds(server: KvConnect): Promise<Measurement[]> {
  const counted = await countRounds(server);
  return Array.from(counted, ([name, asked]) => {
    const { rounds, limitRounds, reads, writes } = asked;
    const most = MAX_ROUNDS[name];
    return [
      ...limitRounds > 0
        ? [valueOf(`hosted, ${name}, rounds of rate limits`, limitRounds, "")]
        : [],
      valueOf(
        `hosted, ${name}, rounds`,
        rounds,
        "",
        most === undefined ? null : { of: "value", is: "<=", than: most },
      ),
      valueOf(`hosted, ${name}, requests`, reads + writes, ""),
    ];
  }).flat();
}

/** Measures warm keyed scores over many wallets, at both latencies, and what each costs. */
async function measureLoads(
  server: KvConnect,
  size: "full" | "short",
): Promise<Measurement[]> {
  const kvPath = server.newDatabase();
  const wallets = MANY[size];
  await using database = await fillCallers(wallets, { folder: null, kvPath });
  const { settings, callers } = database;
  const burstMs = BURST_MS * wallets;
  await using service = await startKeyedService(settings, { burstMs });
  const { url, process: { pid } } = service;
  const { requests } = sideOf({ url, pids: [pid] }, callers);
  for (let time = 0; time < 2; time++) {
    await askEach(url, requests, { connections: CONNECTIONS });
  }
  const [{ key, address }] = callers as [BenchCaller];
  const score = `${url}/api/v1/score/${address}`;
  const { body } = await askOnce(score, { "X-Api-Key": key });
  const near = await loadInTurn({ url, requests }, {
    ...TURNS[size],
    kvPath,
    body: new TextDecoder().decode(body),
  });
  await setFaults(kvPath, { latencyMs: FAR_MS });
  await takeAsked(kvPath);
  const far = await load(url, requests, {
    connections: CONNECTIONS,
    ms: LOAD_MS[size],
  });
  const writes = (await takeAsked(kvPath)).writes / far.answers;
  await setFaults(kvPath, { latencyMs: 0 });
  // One connection: at twelve requests a second none shares its transaction.
  await askEach(url, requests, { connections: 1 });
  const day = costOf(await takeAsked(kvPath), REQUESTS_A_DAY / wallets);
  const at = (ms: number) => `hosted, ${wallets} wallets at ${ms} ms`;
  const medians = (key: "perSecond" | "p50Ms") => ({
    value: median(near.ours.map((one) => one[key])),
    peer: median(near.peers.map((one) => one[key])),
  });
  return [
    {
      name: at(NEAR_MS),
      unit: "/s",
      ...medians("perSecond"),
      target: { of: "value", is: ">=", than: 2_000 },
    },
    {
      name: `${at(NEAR_MS)}, p50`,
      unit: "ms",
      ...medians("p50Ms"),
      target: { of: "value", is: "<", than: 10 },
    },
    valueOf(at(FAR_MS), far.perSecond, "/s"),
    valueOf(`${at(FAR_MS)}, p50`, far.p50Ms, "ms"),
    valueOf(`${at(FAR_MS)}, p99`, far.p99Ms, "ms"),
    // Two writes for an answer would be a storm of retries. The log of calls takes
    // some writes beside those of the counts.
    valueOf(`${at(FAR_MS)}, writes per answer`, writes, "", {
      of: "value",
      is: "<=",
      than: 1.1,
    }),
    ...listCosts("a day of 1,000,000 requests", day),
  ];
}

/** Loads the service and a handler that only commits, in turn, at the near latency. */
async function loadInTurn(
  { url, requests }: Pick<Side, "url" | "requests">,
  { kvPath, body, turns, ms }: {
    readonly kvPath: string;
    readonly body: string;
    readonly turns: number;
    readonly ms: number;
  },
): Promise<{ readonly ours: Load[]; readonly peers: Load[] }> {
  await using peer = await startBareCommit(kvPath, body);
  const request = [getRequest(peer.url, {})];
  const options = { connections: CONNECTIONS, ms };
  await load(peer.url, request, options);
  await setFaults(kvPath, { latencyMs: NEAR_MS });
  const [ours, peers]: [Load[], Load[]] = [[], []];
  for (let turn = 0; turn < turns; turn++) {
    ours.push(await load(url, requests, options));
    peers.push(await load(peer.url, request, options));
  }
  return { ours, peers };
}

/**
 * Measures the database operations of the jobs of a day on which the upstreams publish
 * one day and nothing else.
 */
async function measureIdle(
  server: KvConnect,
  chains: number,
): Promise<Measurement[]> {
  const kvPath = server.newDatabase();
  using deps = await testDeps({
    kvPath,
    chains,
    // The default on Deno Deploy; the day is one without files of metrics.
    settings: { METRIC_FILES_DAYS: "7" },
  });
  await fillByJobs(deps);
  await takeAsked(kvPath);
  await runDay(deps);
  return listCosts("an idle day", costOf(await takeAsked(kvPath), 1));
}

/** What a hosted database counts: records read and written, and bytes. */
interface Cost {
  readonly reads: number;
  readonly readUnits: number;
  readonly writes: number;
  readonly mutations: number;
  readonly writeUnits: number;
  readonly megabytes: number;
}

function costOf(asked: Asked, times: number): Cost {
  const { ranges, writes, mutations, bytesIn, bytesOut } = asked;
  return {
    reads: ranges * times,
    readUnits: asked.readUnits * times,
    writes: writes * times,
    mutations: mutations * times,
    writeUnits: asked.writeUnits * times,
    megabytes: (bytesIn + bytesOut) / PER_MEGABYTE * times,
  };
}

function listCosts(name: string, cost: Cost): Measurement[] {
  return [
    valueOf(`hosted, ${name}, reads`, cost.reads, ""),
    valueOf(`hosted, ${name}, read units of 4 KiB`, cost.readUnits, ""),
    valueOf(`hosted, ${name}, transactions`, cost.writes, ""),
    valueOf(`hosted, ${name}, writes`, cost.mutations, ""),
    valueOf(`hosted, ${name}, write units of 1 KiB`, cost.writeUnits, ""),
    valueOf(`hosted, ${name}, transferred`, cost.megabytes, "MB"),
  ];
}

function valueOf(
  name: string,
  value: number,
  unit: string,
  target: Target | null = null,
): Measurement {
  return { name, value, unit, peer: null, target };
}
