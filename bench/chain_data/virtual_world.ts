/** A service, its jobs and simulated upstreams on a virtual clock: a day passes in seconds. */
import { Cron } from "croner";
import { JOBS, runDueJob } from "../../jobs/register_jobs.ts";
import { createApp } from "../../routes/app.ts";
import { readConfig } from "../../services/config.ts";
import { type Deps, openDeps } from "../../services/deps.ts";
import type { JobName } from "../../services/platform/jobs/job_schedules_schema.ts";
import {
  asFetch,
  type SimnetOptions,
  simulateUpstreams,
  UPSTREAM_PATHS,
  type UpstreamName,
} from "../../simnet/upstreams.ts";
import { connectionFrom } from "../../tests/support/clients.ts";
import { randomFrom } from "../../tests/support/random.ts";

const MINUTE_MS = 60_000;

/** Latency of the Metrics API as observed, in ms. */
const MIN_LATENCY_MS = 500;
const MAX_LATENCY_MS = 1_200;

/** The jobs that read the Metrics API. */
const SWEEPING: readonly JobName[] = ["refresh-chains", "refresh-series"];

/** The jobs that read the other sources, one after the other. */
export const CHECKING: readonly JobName[] = [
  "snapshot-validators",
  "cross-check",
  "sample-blocks",
];

/** The ids of generated chains, and a chain that the simulated index has traffic of. */
const GENERATED_ID = /\b5\d{6}\b/;
const INDEXED_ID = "4337";

/** An upstream call, and whether a request waited for it. */
interface WorldCall {
  readonly at: number;
  readonly to: UpstreamName;
  readonly path: string;
  readonly isOfRequest: boolean;
}

/** A world on a virtual clock. */
export interface World extends AsyncDisposable {
  readonly deps: Deps;
  readonly calls: readonly WorldCall[];
  readonly now: () => number;
  /** Does something at an instant, while the jobs run. */
  at(instant: number, run: () => Promise<void>): void;
  /** Sends a request from a network. */
  ask(path: string, from?: string): Promise<Response>;
  /** Lets the time pass and some jobs run by their schedules until an instant. */
  runUntil(instant: number, jobs?: readonly JobName[]): Promise<void>;
}

/** Opens a world at an instant, with an empty database. */
export async function openWorld(
  start: number,
  options: Omit<SimnetOptions, "now">,
): Promise<World> {
  const random = randomFrom(1);
  let ms = start;
  let isAsking = false;
  const now = () => new Date(ms);
  const events: { at: number; run: () => Promise<void> }[] = [];
  const calls: WorldCall[] = [];
  const upstreams = simulateUpstreams({ ...options, now });
  const send = asFetch(upstreams);

  /** Moves the clock, and runs what happens meanwhile. */
  async function pass(until: number): Promise<void> {
    while (!isAsking && events.length > 0 && events[0]!.at <= until) {
      const { at, run } = events.shift()!;
      ms = Math.max(ms, at);
      isAsking = true;
      await run();
      isAsking = false;
    }
    ms = Math.max(ms, until);
  }

  const kv = await Deno.openKv(":memory:");
  const urlOf = (name: UpstreamName) =>
    `http://${name}.test${UPSTREAM_PATHS[name]}`;
  const config = readConfig({
    METRICS_API_URL: urlOf("metricsApi"),
    EXPLORER_API_URL: urlOf("explorer"),
    C_CHAIN_RPC_URL: urlOf("cChainRpc"),
    P_CHAIN_RPC_URL: urlOf("pChainRpc"),
  });
  const hosts = new Map(
    (Object.keys(UPSTREAM_PATHS) as UpstreamName[]).map((name) => [
      new URL(urlOf(name)).host,
      name,
    ]),
  );
  const deps = openDeps(config, {
    kv,
    now,
    write: () => {},
    sleep: (forMs) => pass(ms + forMs),
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : input;
      const { host, pathname: path } = new URL(url);
      const to = hosts.get(host)!;
      calls.push({ at: ms, to, path, isOfRequest: isAsking });
      const spread = MAX_LATENCY_MS - MIN_LATENCY_MS;
      await pass(ms + MIN_LATENCY_MS + Math.floor(random() * spread));
      // The simulated index knows real chains alone; here it has traffic of every one.
      return to === "explorer"
        ? await send(String(url).replace(GENERATED_ID, INDEXED_ID), init)
        : await send(input, init);
    },
  });
  const app = createApp(deps);
  return {
    deps,
    calls,
    now: () => ms,
    at(instant, run) {
      let [low, high] = [0, events.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (events[middle]!.at > instant) high = middle;
        else low = middle + 1;
      }
      events.splice(low, 0, { at: instant, run });
    },
    ask: async (path, from = "192.0.2.1") =>
      await app.request(path, {}, connectionFrom(from)),
    async runUntil(instant, names = SWEEPING) {
      const jobs = JOBS.filter(({ name }) => names.includes(name as JobName))
        .map((job) => ({
          job,
          cron: new Cron(job.schedule, { timezone: "UTC", paused: true }),
        }));
      for (;;) {
        const minute = Math.ceil((ms + 1) / MINUTE_MS);
        if (minute * MINUTE_MS > instant) return await pass(instant);
        await pass(minute * MINUTE_MS);
        for (const { job, cron } of jobs) {
          if (!cron.match(new Date(minute * MINUTE_MS))) continue;
          const run = await runDueJob(deps, job);
          if (run?.error) throw new Error(`${job.name} failed: ${run.error}`);
        }
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(kv.close()),
  };
}
