/** CPU time of each row of `ROUTE_COSTS`, on data that is stored. */
import process from "node:process";
import { createApp } from "../routes/app.ts";
import {
  costOf,
  renderQueue,
  type Route,
  UPSTREAM_MS,
} from "../routes/http/render_queue.ts";
import { formatDay, parseDay } from "../services/platform/days.ts";
import { exampleOf } from "../simnet/accounts.ts";
import { connectionFrom } from "../tests/support/clients.ts";
import { type TestDeps, testDeps } from "../tests/support/deps.ts";
import { runNamed } from "../tests/support/jobs.ts";
import type { BenchmarkOptions, Measurement } from "./measure/measurement.ts";
import { ChainsAnswer } from "../services/chain_data/catalogue/chains_schema.ts";
import { settingsOf, startSimnet } from "../simnet/start.ts";
import { MAX_REQUESTS, NO_JOBS } from "./chain_data/filled_database.ts";
import { cpuSeconds } from "./measure/process_usage.ts";
import { median } from "./measure/statistics.ts";
import { startKeyedService } from "./scores/keyed_service.ts";

/** Chains of which every series is stored. */
const CHAINS = 8;

/** Measured requests of a row, in the full and in the short run, after those that warm up. */
const FULL = 40;
const SHORT = 12;
const WARM_UP = 3;

const FIRST_DAY = parseDay("2021-03-01");

/** Returns dates of more than four years, which nobody has asked for. */
const dates = (nth: number) =>
  `from=${formatDay(FIRST_DAY + nth)}&to=2026-11-01`;

/** Returns a message of MCP that reads what `dates` names. */
const callOf = (nth: number) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "get_metrics",
      arguments: { from: formatDay(FIRST_DAY + nth), to: "2026-11-01" },
    },
  });

const wallet = (nth: number) => exampleOf("ordinary", nth);

/** The n-th request of a row that no cache answers: its path, and its body if it is a POST. */
type Ask = (nth: number) => readonly [path: string, body?: string];

/** The largest answers of each row. A request that is always the same is sent to a new app each time. */
const REQUESTS: Readonly<Record<Route, Ask>> = {
  "/": (nth) => [
    `/?metric=txCount&chainId=43114&${dates(nth)}&interval=day`,
  ],
  "/chains": () => ["/chains?metric=gasUsed&period=month"],
  "/chains/:chainId": () => ["/chains/43114"],
  "/charts/:metric": () => ["/charts/txCount"],
  "/days/:series/:chainId/:day": (nth) => [
    `/days/txCount/43114/${formatDay(FIRST_DAY + nth)}`,
  ],
  "/disputes": () => ["/disputes"],
  "/revisions": () => ["/revisions"],
  "/downloads": () => ["/downloads"],
  "/embed/chart/:metric": (nth) => [`/embed/chart/txCount?${dates(nth)}`],
  "/dashboard/*": () => ["/dashboard"],
  "/tools/score": () => ["/tools/score"],
  "/tools/score/:address": (nth) => [`/tools/score/${wallet(nth)}`],
  "/tools/verify-attestation": () => ["/tools/verify-attestation"],
  "/profiles/:addressOrSlug": (nth) => [`/profiles/${wallet(nth)}`],
  "/api/profiles/*": (nth) => [`/api/profiles/${wallet(nth)}`],
  "/status": () => ["/status"],
  "/docs/*": () => ["/docs/model-card"],
  "/llms.txt": () => ["/llms.txt"],
  "/llms-full.txt": () => ["/llms-full.txt"],
  "/sitemap.xml": () => ["/sitemap.xml"],
  // The whole answer of a file of one chunk.
  chunk: () => ["/downloads/txCount-2026.parquet"],
  picture: (nth) => [`/chart/txCount.png?${dates(nth)}`],
  "/api/chain-data": () => ["/api/chain-data"],
  "/api/chain-data/chains": () => ["/api/chain-data/chains"],
  "/api/chain-data/metrics": (nth) => [
    `/api/chain-data/metrics?metric=txCount&${dates(nth)}`,
  ],
  "/api/chain-data/monthly-transactions": () => [
    "/api/chain-data/monthly-transactions",
  ],
  "/api/chain-data/transaction-fees": () => [
    "/api/chain-data/transaction-fees",
  ],
  "/api/chain-data/block-production": () => [
    "/api/chain-data/block-production",
  ],
  "/api/chain-data/validators": (nth) => [
    `/api/chain-data/validators?${dates(nth)}`,
  ],
  "/api/chain-data/quality": () => ["/api/chain-data/quality"],
  "/api/chain-data/disputes": () => ["/api/chain-data/disputes"],
  "/api/chain-data/revisions": () => ["/api/chain-data/revisions"],
  "/api/account/*": (nth) => [
    "/api/account/challenges",
    JSON.stringify({ address: wallet(nth), action: "session" }),
  ],
  "/api/tools/score-badge/:address": (nth) => [
    `/api/tools/score-badge/${wallet(nth)}`,
  ],
  "/chart/:file{[^]+\\.(?:svg|png|csv)}": (nth) => [
    `/chart/txCount.svg?${dates(nth)}`,
  ],
  "/downloads/:path{.+}": () => ["/downloads/index.json"],
  "/openapi.json": () => ["/openapi.json"],
  "/status.json": () => ["/status.json"],
  // What the tool reads has a row of its own, and is in the cache.
  "/mcp": (nth) => ["/mcp", callOf(nth)],
  "/*": (nth) => [`/nowhere/${nth}`],
};

/** Rows whose answers no cache keeps: one app sends them again and again. */
const IS_MADE_EACH_TIME = /^\/(docs|llms|sitemap|dashboard|tools|status\.json)/;

/** Opens a service in this process, with every series of some chains and the bulk files. */
export async function openStored(): Promise<TestDeps> {
  const deps = await testDeps({ chains: CHAINS });
  for (const job of ["refresh-series", "build-downloads"]) {
    const { error } = await runNamed(deps, job);
    if (error !== null) throw new Error(`Cannot run ${job}: ${error}`);
  }
  // The sources of scores are read.
  const app = createApp(deps);
  for (let nth = 0; nth < WARM_UP + FULL; nth++) {
    const [path] = REQUESTS["/api/tools/score-badge/:address"](nth);
    await (await app.request(path)).bytes();
  }
  return deps;
}

/**
 * Returns the median CPU time of each row in ms. The rows take turns, so that the
 * machine is as busy for each of them. Throws unless every answer is made in the
 * turn of its row.
 */
export async function measureRows(
  deps: TestDeps,
  requests: number,
): Promise<Map<string, number>> {
  const ran: string[] = [];
  const newApp = () => {
    const queue = renderQueue(deps);
    return createApp(deps, {
      ...queue,
      run: (network, work, options) => {
        ran.push(options.route);
        return queue.run(network, work, options);
      },
    });
  };
  const shared = newApp();
  const times = new Map<string, number[]>();
  for (let nth = 0; nth < WARM_UP + requests; nth++) {
    for (const [row, ask] of Object.entries(REQUESTS)) {
      const [path, body] = ask(nth);
      const isNew = path === ask(nth + 1)[0] && body === undefined &&
        !IS_MADE_EACH_TIME.test(path);
      const app = isNew ? newApp() : shared;
      const request = new Request(`${deps.publicUrl}${path}`, {
        ...body !== undefined && { method: "POST", body },
        headers: {
          "Accept": path.startsWith("/api/") || body !== undefined
            ? "application/json, text/event-stream"
            : "text/html",
          "Accept-Encoding": "br, gzip",
          ...body !== undefined && { "Content-Type": "application/json" },
        },
      });
      const network = connectionFrom(`192.0.2.${nth}`) as never;
      ran.length = 0;
      const before = process.cpuUsage();
      const response = await app.fetch(request, network);
      await response.bytes();
      const { user, system } = process.cpuUsage(before);
      if (!ran.includes(row)) {
        throw new Error(`${path} ran as ${ran}: expected ${row}`);
      }
      if (nth < WARM_UP) continue;
      times.set(row, [...times.get(row) ?? [], (user + system) / 1_000]);
    }
  }
  return new Map(Array.from(times, ([row, ms]) => [row, median(ms)]));
}

/** Measures all rows. */
export async function measureRouteCosts(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  using deps = await openStored();
  const measured = await measureRows(deps, short ? SHORT : FULL);
  const reading = await measureReads();
  const rowOf = (name: string, value: number, peer: number): Measurement => ({
    name: `work of ${name}, CPU time`,
    value,
    unit: "ms",
    peer,
    target: { of: "ratio", is: "<=", than: 2 },
  });
  return [
    ...Array.from(measured, ([row, ms]) => rowOf(row, ms, costOf(row).ms)),
    ...Array.from(
      reading,
      ([row, ms]) =>
        rowOf(`${row} that reads a source`, ms, costOf(row).ms + UPSTREAM_MS),
    ),
  ];
}

/** Chains of which a new service reads one series. */
const READ_CHAINS = 25;

/** Wallets that a new service scores. */
const READ_WALLETS = 40;

/**
 * Returns the mean CPU time in ms of an answer that waits for one read of a source: of
 * a series of five years, and of a wallet. The service is a process of its own, beside
 * its simulated sources, with an empty database and limits that nothing meets.
 */
async function measureReads(): Promise<Map<Route, number>> {
  await using simnet = startSimnet({ chains: READ_CHAINS });
  const folder = await Deno.makeTempDir({ prefix: "firn_bench_" });
  const limits = ["METRICS", "EXPLORER", "C_CHAIN"].flatMap((source) =>
    ["SECOND", "MINUTE", "DAY"].map((period) => [
      `${source}_CALLS_PER_${period}`,
      "100000",
    ])
  );
  await using service = await startKeyedService({
    KV_PATH: `${folder}/kv.sqlite3`,
    FAIR_USE_PER_MINUTE: MAX_REQUESTS,
    ...NO_JOBS,
    ...settingsOf(simnet),
    ...Object.fromEntries(limits),
  }, { burstMs: 60_000 });
  const ask = async (path: string) => {
    const response = await fetch(`${service.url}${path}`);
    await response.bytes();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
  };
  const measure = async (paths: readonly string[]) => {
    const before = cpuSeconds(service.process.pid);
    for (const path of paths) await ask(path);
    const seconds = cpuSeconds(service.process.pid) - before;
    return 1_000 * seconds / paths.length;
  };
  const badges = (from: number) =>
    Array.from(
      { length: READ_WALLETS },
      (_, nth) => `/api/tools/score-badge/${wallet(from + nth)}`,
    );
  const chains = await fetch(`${service.url}/api/chain-data/chains`);
  const ids = ChainsAnswer.parse(await chains.json()).chains
    .map(({ chainId }) => chainId).slice(0, READ_CHAINS);
  const series = (metric: string) =>
    ids.map((id) => `/api/chain-data/metrics?metric=${metric}&chainId=${id}`);
  // What runs for the first time is compiled.
  await measure([...series("txCount"), ...badges(0)]);
  const rows: [Route, number][] = [
    ["/api/chain-data/metrics", await measure(series("gasUsed"))],
    [
      "/api/tools/score-badge/:address",
      await measure(badges(READ_WALLETS)),
    ],
  ];
  await Deno.remove(folder, { recursive: true });
  return new Map(rows);
}
