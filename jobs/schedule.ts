/** All jobs, when they run, and how a run is leased and recorded. */
import type { Config } from "../services/config.ts";
import type { Deps } from "../services/deps.ts";
import { type Job, runJob } from "../services/job_run.ts";
import { crossCheck } from "./cross_check.ts";
import { recordScores } from "./record_scores.ts";
import { refreshChainList } from "./refresh_chains.ts";
import { refreshAllSeries } from "./refresh_series.ts";
import { sampleBlocks } from "./sample_blocks.ts";
import { snapshotValidators } from "./snapshot_validators.ts";

/** A job with its place in the schedule; cron fields are UTC, weekdays by name only. */
export interface ScheduledJob extends Job {
  readonly schedule: string;
  readonly does: string;
  /** Whether a new database is filled at once, before the job's time comes. */
  readonly atFirstStart?: true;
}

/** Every job; the platform allows ten. */
export const JOBS: readonly ScheduledJob[] = [
  {
    name: "refresh-chains",
    schedule: "2 * * * *",
    does: "reads which chains are tracked",
    run: refreshChainList,
  },
  {
    name: "refresh-series",
    schedule: "7 * * * *",
    does: "reads the series that are past their hour, the C-Chain's first",
    run: refreshAllSeries,
  },
  {
    name: "snapshot-validators",
    schedule: "10 0,6,12,18 * * *",
    does: "records today's validator set, once a day",
    run: snapshotValidators,
    atFirstStart: true,
  },
  {
    name: "cross-check",
    schedule: "20 3 * * *",
    does: "reads the explorer index's daily transactions, fees and blocks",
    run: crossCheck,
    atFirstStart: true,
  },
  {
    name: "sample-blocks",
    schedule: "40 3 * * *",
    does: "counts the blocks of some days by the C-Chain RPC",
    run: sampleBlocks,
    atFirstStart: true,
  },
  {
    name: "record-scores",
    schedule: "10 2 * * *",
    does: "scores, from stored signals, the addresses that were read lately",
    run: recordScores,
  },
];

/** Waits between the attempts of a run that failed. */
const BACKOFF_MS = [10_000, 60_000];

/** Registers every job with the platform. */
export function scheduleJobs(
  opening: Promise<Deps>,
  { runsJobs }: Pick<Config, "runsJobs">,
): void {
  for (const job of JOBS) {
    const options = { backoffSchedule: BACKOFF_MS };
    Deno.cron(job.name, job.schedule, options, async () => {
      if (!runsJobs) return;
      const { error } = await runJob(await opening, job);
      if (error !== null) throw new Error(error);
    });
  }
}

/** Runs, one after the other, the jobs that a new database waits for. */
export async function runFirstJobs(
  deps: Deps,
  { runsJobs }: Pick<Config, "runsJobs">,
): Promise<void> {
  if (!runsJobs) return;
  const ran = new Set(
    (await deps.store.jobs.listRuns())
      .filter(({ endedAt, error }) => endedAt !== null && error === null)
      .map(({ job }) => job),
  );
  for (const job of JOBS) {
    if (job.atFirstStart && !ran.has(job.name)) await runJob(deps, job);
  }
}
