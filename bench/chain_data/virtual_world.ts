/** A service, its jobs and simulated upstreams on a virtual clock: a day passes in seconds. */
import { JOBS } from "../../jobs/register_jobs.ts";
import { createApp } from "../../routes/app.ts";
import { readConfig } from "../../services/config.ts";
import { type Deps, openDeps } from "../../services/deps.ts";
import { runJob } from "../../services/platform/jobs/job_run.ts";
import {
  asFetch,
  type SimnetOptions,
  simulateUpstreams,
} from "../../simnet/upstreams.ts";
import { connectionFrom } from "../../tests/support/clients.ts";
import { randomFrom } from "../../tests/support/random.ts";

const MINUTE_MS = 60_000;

/** Latency of the Metrics API as observed, in ms. */
const MIN_LATENCY_MS = 500;
const MAX_LATENCY_MS = 1_200;

/** The jobs that run, with the minutes at which they start. */
const SCHEDULE = [
  { name: "refresh-chains", isDue: (minute: number) => minute % 60 === 2 },
  { name: "refresh-series", isDue: () => true },
];

/** An upstream call, and whether a request waited for it. */
interface WorldCall {
  readonly at: number;
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
  /** Lets the time pass and the jobs run until an instant. */
  runUntil(instant: number): Promise<void>;
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
  const deps = openDeps(readConfig({ METRICS_API_URL: "http://simnet.test" }), {
    kv,
    now,
    write: () => {},
    sleep: (forMs) => pass(ms + forMs),
    async fetch(input, init) {
      calls.push({ at: ms, isOfRequest: isAsking });
      const spread = MAX_LATENCY_MS - MIN_LATENCY_MS;
      await pass(ms + MIN_LATENCY_MS + Math.floor(random() * spread));
      return await send(input, init);
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
    async runUntil(instant) {
      for (;;) {
        const minute = Math.ceil((ms + 1) / MINUTE_MS);
        if (minute * MINUTE_MS > instant) return await pass(instant);
        await pass(minute * MINUTE_MS);
        for (const { name, isDue } of SCHEDULE) {
          if (!isDue(minute)) continue;
          await runJob(deps, JOBS.find((job) => job.name === name)!);
        }
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(kv.close()),
  };
}
