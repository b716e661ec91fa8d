/** A database with every series of some chains, filled by the real job from simnet. */
import type { CallOptions } from "../../services/platform/rate_limit/call_budget.ts";
import { JOBS } from "../../jobs/register_jobs.ts";
import { runJob } from "../../services/platform/jobs/job_run.ts";
import { readConfig } from "../../services/config.ts";
import { type Deps, openDeps, type Runtime } from "../../services/deps.ts";
import { metricsApi } from "../../services/chain_data/series/metrics_api_client.ts";
import type { FilledDatabase } from "../measure/measurement.ts";
import { asFetch, simulateUpstreams } from "../../simnet/upstreams.ts";

/** The start of every clock, so that no stored series becomes stale. */
const NOW = "2026-11-21T08:00:00.000Z";

/** An unreachable host: a service on the filled database must answer from the database. */
const UPSTREAM = "http://simnet.invalid";

/** Rate limit per IP address: one loader sends as many requests as many clients. */
export const MAX_REQUESTS = "9999999999";

/** Settings without jobs: jobs only run on the production timeline. */
export const NO_JOBS = { DENO_TIMELINE: "bench" };

/** A filled database. Disposing it deletes it. */
export interface Filled extends FilledDatabase, AsyncDisposable {}

/** Returns the dependencies without the rate limit of the Metrics API, which would slow the filling down. */
export function withoutBudget(deps: Deps, fetch: Runtime["fetch"]): Deps {
  const rateLimiter = {
    name: "",
    waitMs: () => 0,
    acquire: () => Promise.resolve(),
    start: (options: CallOptions) => Promise.resolve(options),
    prepare: () => Promise.resolve(),
    reserve: (options: CallOptions) => Promise.resolve(options),
    pause: () => Promise.resolve(),
  };
  const { now, upstream } = deps;
  const reach = { fetch, now, timeoutMs: 10_000, rateLimiter };
  const metrics = metricsApi(reach, upstream.metrics.baseUrl);
  const { jobsOf } = upstream.metrics;
  return {
    ...deps,
    upstream: { ...upstream, metrics: { ...metrics, jobsOf } },
  };
}

/** Fills a database with every series of this many chains. */
export async function fillDatabase(chains: number): Promise<Filled> {
  const folder = await Deno.makeTempDir({ prefix: "firn_bench_" });
  const settings = {
    KV_PATH: `${folder}/filled.sqlite3`,
    METRICS_API_URL: UPSTREAM,
    FIRN_NOW: NOW,
    FAIR_USE_PER_MINUTE: MAX_REQUESTS,
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
