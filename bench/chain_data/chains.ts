/** Growth with the number of chains: explorer page, chain list, and the job that refreshes series. */
import { JOBS } from "../../jobs/register_jobs.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { readConfig } from "../../services/config.ts";
import { openDeps } from "../../services/deps.ts";
import { runJob } from "../../services/platform/jobs/job_run.ts";
import {
  type RunningService,
  startService,
} from "../../tests/support/processes/service.ts";
import { getRequest } from "../measure/connection.ts";
import { cpuCurve, curveOf } from "../measure/curve.ts";
import type {
  BenchmarkOptions,
  CurvePoint,
  Measurement,
} from "../measure/measurement.ts";
import { fillDatabase, type Filled } from "./filled_database.ts";
import { planFor, type Side } from "../measure/round.ts";
import { median } from "../measure/statistics.ts";

/** A day on which the C-Chain had blocks, in ms. */
const FIRST_DAY = Date.UTC(2020, 11, 1);

/** More pages than the cache holds, so that each request renders one. */
const NEW_PAGES = Array.from({ length: 1_000 }, (_, nth) => {
  const [from, to] = [nth, nth + 365].map((days) =>
    new Date(FIRST_DAY + days * DAY_MS).toISOString().slice(0, 10)
  );
  return `/?metric=txCount&chainId=43114&from=${from}&to=${to}&interval=day`;
});

/** The measured answers: pages that are rendered, and answers that are cached. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  "new explorer page, CPU time": NEW_PAGES,
  "explorer page sent again, CPU time": ["/"],
  "chain list, CPU time": ["/api/chain-data/chains"],
};

/** A network may have eight pages drawn at once. */
const CONNECTIONS = 8;

/** Number of chains at the first point and at the middle points of each curve. */
const LEAST = 10;
const BETWEEN = [50, 100];

/** Measures the answers and the job with 10 chains and more. */
export async function measureChains(
  { short, filled }: BenchmarkOptions,
): Promise<Measurement[]> {
  const plan = planFor({ short });
  await using stack = new AsyncDisposableStack();
  const databases = new Map<number, Filled["settings"]>();
  for (const chains of [LEAST, ...short ? [] : BETWEEN]) {
    databases.set(chains, stack.use(await fillDatabase(chains)).settings);
  }
  const most = await filled();
  databases.set(most.chains, most.settings);
  const growth = { of: "chains", most: most.chains / LEAST };
  const services = new Map<number, RunningService>();
  for (const [chains, settings] of databases) {
    services.set(chains, stack.use(await startService(settings)));
  }
  const measurements: Measurement[] = [];
  for (const [name, paths] of Object.entries(ANSWERS)) {
    const sides = new Map(
      [...services].map(([at, service]) => [at, sideOf(service, paths)]),
    );
    const points = await cpuCurve(sides, plan);
    measurements.push(curveOf({ ...growth, name, unit: "us" }, points));
  }
  const name = "job with no series due";
  const points = await jobCurve(databases, short ? 5 : 15);
  return [...measurements, curveOf({ ...growth, name, unit: "ms" }, points)];
}

function sideOf(
  { url, process }: RunningService,
  paths: readonly string[],
): Side {
  const headers = { "Accept": "text/html,*/*", "Accept-Encoding": "gzip" };
  const requests = paths.map((path) => getRequest(url + path, headers));
  return { url, pids: [process.pid], requests, connections: CONNECTIONS };
}

/** Runs the refresh job on databases without a stale series, in turns. */
async function jobCurve(
  databases: ReadonlyMap<number, Filled["settings"]>,
  rounds: number,
): Promise<CurvePoint[]> {
  using stack = new DisposableStack();
  const job = JOBS.find(({ name }) => name === "refresh-series")!;
  const sides = [];
  for (const [at, settings] of databases) {
    const kv = stack.use(await Deno.openKv(settings.KV_PATH));
    const deps = openDeps(readConfig(settings), {
      kv,
      fetch,
      now: () => new Date(settings.FIRN_NOW!),
      write: () => {},
      sleep: () => Promise.resolve(),
    });
    sides.push({ at, deps, timesMs: [] as number[] });
  }
  for (let round = 0; round <= rounds; round++) {
    for (const { deps, timesMs } of sides) {
      const startedAt = performance.now();
      const { error, items } = await runJob(deps, job);
      timesMs.push(performance.now() - startedAt);
      if (error !== null || items > 0) throw new Error(`Cannot use ${error}`);
    }
  }
  return sides.map(({ at, timesMs }) => ({
    at,
    value: median(timesMs.slice(1)),
  }));
}
