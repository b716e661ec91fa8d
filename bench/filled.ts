/** A database in which every series of 200 chains is stored, read by the real job from simnet. */
import { JOBS } from "../jobs/schedule.ts";
import { runJob } from "../services/job_run.ts";
import { readConfig } from "../services/config.ts";
import { openDeps } from "../services/deps.ts";
import { metricsApi } from "../services/upstream/metrics_api.ts";
import { asFetch, simulateUpstreams } from "../simnet/upstreams.ts";

/** How many chains are stored. */
export const CHAINS = 200;

/** Where the clock of every measurement starts, so that the hour never runs out. */
const NOW = "2026-11-21T08:00:00.000Z";

/** No host has this name: a service on the filled database answers from it alone. */
const UPSTREAM = "http://simnet.invalid";

/** Settings under which a service runs no jobs: any timeline but production. */
export const NO_JOBS = { DENO_TIMELINE: "bench" };

/** A filled database; disposing of it deletes it. */
export interface Filled extends AsyncDisposable {
  /** The settings under which a service uses it. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Fills a database. The budget of calls, which is all that makes this slow, is left out. */
export async function fillDatabase(): Promise<Filled> {
  const folder = await Deno.makeTempDir({ prefix: "firn_bench_" });
  const settings = {
    KV_PATH: `${folder}/filled.sqlite3`,
    METRICS_API_URL: UPSTREAM,
    FIRN_NOW: NOW,
    ...NO_JOBS,
  };
  using kv = await Deno.openKv(settings.KV_PATH);
  const now = () => new Date(NOW);
  const fetch = asFetch(simulateUpstreams({ chains: CHAINS, now }));
  const platform = {
    kv,
    fetch,
    now,
    log: () => {},
    sleep: () => Promise.resolve(),
  };
  const deps = openDeps(readConfig(settings), platform);
  const open = {
    enter: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const metrics = metricsApi(
    { fetch, now, timeoutMs: 10_000, gate: open },
    UPSTREAM,
  );
  const filling = { ...deps, upstream: { ...deps.upstream, metrics } };
  const job = JOBS.find(({ name }) => name === "refresh-series")!;
  for (;;) {
    const { items, error } = await runJob(filling, job);
    if (error !== null) throw new Error(`Cannot fill the database: ${error}`);
    if (items === 0) break;
  }
  return {
    settings,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
