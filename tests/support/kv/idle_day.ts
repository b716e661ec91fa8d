/** What the jobs of a day cost on a hosted database, if nobody asks anything. */
import { Cron } from "croner";
import { JOBS, runScheduled } from "../../../jobs/register_jobs.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { runJob } from "../../../services/platform/jobs/job_run.ts";
import type { TestDeps } from "../deps.ts";
import { countUnits, type Units } from "./units.ts";

/** Runs of each job that fill the store, at most. */
const MAX_FIRST_RUNS = 20;

/** Runs every job until it has nothing to do, so that the store is filled. */
export async function fillByJobs(deps: TestDeps): Promise<void> {
  for (const job of JOBS) {
    for (let nth = 0; nth < MAX_FIRST_RUNS; nth++) {
      const { items } = await runJob(deps, job);
      if (items === 0) break;
    }
  }
}

/**
 * Runs the jobs of a day at their times. The upstreams publish one day, and nothing else
 * happens. Jobs without work by the settings have no schedule. `onRun` is called after
 * each run.
 */
export async function runDay(
  deps: TestDeps,
  onRun: (job: string) => void = () => {},
): Promise<void> {
  const end = deps.now().getTime() + DAY_MS;
  const crons = JOBS.filter(({ needsTreasury }) => !needsTreasury)
    .map((job) => ({ job, cron: new Cron(job.schedule, { timezone: "UTC" }) }));
  for (let at = deps.now(); at.getTime() < end; at = deps.now()) {
    const due = crons.map(({ job, cron }) => ({
      job,
      at: cron.nextRun(at)!.getTime(),
    })).toSorted((a, b) => a.at - b.at);
    const next = due[0]!.at;
    deps.advance(next - at.getTime());
    for (const { job, at } of due) {
      if (at !== next) continue;
      await runScheduled(deps, job);
      onRun(job.name);
    }
  }
}

/** Runs a day of a filled store, and returns its units, in all and by job and collection. */
export async function unitsOfDay(
  deps: TestDeps,
): Promise<{ readonly all: Units; readonly rows: ReadonlyMap<string, Units> }> {
  const take = countUnits(deps.kv);
  const all = { reads: 0, writes: 0 };
  const rows = new Map<string, Units>();
  await runDay(deps, (job) => {
    for (const [collection, { reads, writes }] of take()) {
      const name = `${job}, ${collection}`;
      const row = rows.get(name) ?? { reads: 0, writes: 0 };
      rows.set(name, {
        reads: row.reads + reads,
        writes: row.writes + writes,
      });
      all.reads += reads;
      all.writes += writes;
    }
  });
  return { all, rows };
}
