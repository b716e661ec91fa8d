/** A database in which every series of some chains is stored, read by the real job from simnet. */
import { JOBS } from "../../jobs/schedule.ts";
import { runJob } from "../../services/platform/jobs/job_run.ts";
import { readConfig } from "../../services/config.ts";
import { type Deps, openDeps, type Runtime } from "../../services/deps.ts";
import { metricsApi } from "../../services/chain_data/series/metrics_api_client.ts";
import type { FilledDatabase } from "../measure/measurement.ts";
import { asFetch, simulateUpstreams } from "../../simnet/upstreams.ts";

/** Where the clock of every measurement starts, so that the hour never runs out. */
const NOW = "2026-11-21T08:00:00.000Z";

/** No host has this name: a service on the filled database answers from it alone. */
const UPSTREAM = "http://simnet.invalid";

/** One loader asks for as much as many clients would. */
export const MOST_REQUESTS = "9999999999";

/** Settings under which a service runs no jobs: any timeline but production. */
export const NO_JOBS = { DENO_TIMELINE: "bench" };

/** A filled database; disposing of it deletes it. */
export interface Filled extends FilledDatabase, AsyncDisposable {}

/** Returns the same without the budget of series' calls, which is all that makes filling a database slow. */
export function withoutBudget(deps: Deps, fetch: Runtime["fetch"]): Deps {
  const rateLimiter = {
    acquire: () => Promise.resolve(),
    pause: () => Promise.resolve(),
  };
  const { now, upstream } = deps;
  const reach = { fetch, now, timeoutMs: 10_000, rateLimiter };
  const metrics = metricsApi(reach, upstream.metrics.baseUrl);
  return { ...deps, upstream: { ...upstream, metrics } };
}

/** Fills a database with every series of so many chains. */
export async function fillDatabase(chains: number): Promise<Filled> {
  const folder = await Deno.makeTempDir({ prefix: "firn_bench_" });
  const settings = {
    KV_PATH: `${folder}/filled.sqlite3`,
    METRICS_API_URL: UPSTREAM,
    FIRN_NOW: NOW,
    FAIR_USE_PER_MINUTE: MOST_REQUESTS,
    ...NO_JOBS,
  };
  using kv = await Deno.openKv(settings.KV_PATH);
  const now = () => new Date(NOW);
  const fetch = asFetch(simulateUpstreams({ chains, now }));
  const platform = {
    kv,
    fetch,
    now,
    write: () => {},
    sleep: () => Promise.resolve(),
  };
  const filling = withoutBudget(
    openDeps(readConfig(settings), platform),
    fetch,
  );
  const job = JOBS.find(({ name }) => name === "refresh-series")!;
  for (;;) {
    const { items, error } = await runJob(filling, job);
    if (error !== null) throw new Error(`Cannot fill the database: ${error}`);
    if (items === 0) break;
  }
  return {
    settings,
    chains,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
