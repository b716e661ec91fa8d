/** Fills the store of the demo with what a week of the service leaves behind, in seconds. */
import { JOBS } from "../jobs/register_jobs.ts";
import { createApp } from "../routes/app.ts";
import { readConfig } from "../services/config.ts";
import { openDeps } from "../services/deps.ts";
import { DAY_MS, formatDay } from "../services/platform/days.ts";
import type { JobName } from "../services/platform/jobs/job_schedules_schema.ts";
import { runJob } from "../services/platform/jobs/job_run.ts";
import { importProfiles } from "../services/profiles/profile_import.ts";
import { openRuntime } from "../services/runtime.ts";
import { exampleOf } from "./accounts.ts";

/** Days of scores, and addresses that have one each day. */
const SCORED_DAYS = 7;
const SCORED = 12;

/** How long before the end the jobs of a day start: they wait for their upstreams' limits. */
const HEAD_START_MS = 40 * 60_000;

/** The jobs of a day. */
const JOBS_OF_A_DAY: readonly JobName[] = [
  "refresh-chains",
  "refresh-series",
  "snapshot-validators",
  "cross-check",
  "sample-blocks",
];

/** The owners of the imported profiles. */
const OWNERS = ["Ada", "Blaise", "Charles", "Dorothy", "Edsger", "Frances"];

/**
 * Fills the store on a clock that `setClock` also gives to the simulation. Waiting moves
 * the clock and takes no time; it never passes the real time.
 */
export async function fillStore(
  settings: Readonly<Record<string, string>>,
  { key, setClock }: {
    readonly key: string;
    readonly setClock: (now: () => Date) => void;
  },
): Promise<void> {
  const end = Date.now();
  let ms = end;
  const now = () => new Date(ms);
  setClock(now);
  const config = readConfig(settings);
  const runtime = await openRuntime(config);
  let isRestating = true;
  const deps = openDeps(config, {
    ...runtime,
    now,
    sleep: (forMs) => {
      ms += forMs;
      return Promise.resolve();
    },
    write: () => {},
    async fetch(input, init) {
      const response = await fetch(input, init);
      return isRestating ? await before(response, ms) : response;
    },
  });
  const app = createApp(deps);
  const run = (name: JobName) =>
    runJob(deps, JOBS.find((job) => job.name === name)!);
  for (let age = SCORED_DAYS - 1; age >= 0; age--) {
    ms = end - age * DAY_MS - HEAD_START_MS;
    if (age === SCORED_DAYS - 1) {
      await importProfiles(deps, () => profilesOf(end));
    }
    for (let nth = 0; nth < SCORED; nth++) {
      const address = exampleOf(nth % 3 === 0 ? "heavy" : "ordinary", nth);
      const response = await app.request(`/api/v1/score/${address}`, {
        headers: { "X-Api-Key": key },
      });
      await response.body?.cancel();
    }
    // Two publications: the second one restates a day of the first.
    if (age > 1) continue;
    isRestating = age === 1;
    for (const name of JOBS_OF_A_DAY) await run(name);
  }
  // Not before the last due times: the status would miss a run.
  ms = Math.max(ms, Date.now());
  for (const name of ["refresh-series", "build-downloads"] as const) {
    await run(name);
  }
  await deps.callLog.writeAll();
  setClock(() => new Date());
  runtime.kv.close();
}

/** Returns a series as it was before a restatement: one day of the C-Chain had fewer transactions. */
async function before(response: Response, ms: number): Promise<Response> {
  if (!response.url.includes("/43114/metrics/txCount")) return response;
  const body: { results: { timestamp: number; value: number }[] | null } =
    await response.json();
  const restated = Date.parse(formatDay(Math.floor(ms / DAY_MS) - 9)) / 1000;
  const results =
    body.results?.map((point) =>
      point.timestamp === restated
        ? { ...point, value: Math.round(point.value * 0.98) }
        : point
    ) ?? null;
  return Response.json({ ...body, results }, response);
}

/** Writes the profiles: everybody follows the next two and supports the next one. */
async function* profilesOf(end: number): AsyncGenerator<string> {
  const address = (nth: number) =>
    exampleOf("ordinary", nth % OWNERS.length + 1);
  const at = new Date(end - 40 * DAY_MS).toISOString();
  for (const [nth, displayName] of OWNERS.entries()) {
    yield JSON.stringify({
      address: address(nth),
      displayName,
      slug: displayName.toLowerCase(),
      socials: [{
        kind: "github",
        handle: `${displayName.toLowerCase()}-demo`,
        verifiedAt: at,
      }],
      follows: [1, 2].map((step) => ({ address: address(nth + step), at })),
      donations: [{
        to: address(nth + 1),
        usdc: "25",
        at,
        txHash: `0x${String(nth + 1).padStart(64, "0")}`,
      }],
    });
  }
}
