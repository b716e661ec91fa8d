/** The jobs: their schedules and purposes. */

/** The schedule and purpose of a job. */
export interface JobSchedule {
  /** Cron fields in UTC, weekdays by name only. */
  readonly schedule: string;
  readonly does: string;
  /**
   * Whether one run a UTC day is enough. The later times of its schedule are for days
   * on which no run succeeded yet.
   */
  readonly oncePerDay?: true;
  /** Whether it has work only where payments are received; else it has no schedule. */
  readonly needsTreasury?: true;
}

/** Every job by its name. Deno Deploy allows ten cron jobs. */
export const JOB_SCHEDULES = {
  "refresh-chains": {
    schedule: "2 * * * *",
    does: "reads which chains are tracked",
  },
  "refresh-series": {
    schedule: "* * * * *",
    does:
      "reads every series after upstream has published a day, and late chains every 30 minutes",
  },
  "build-downloads": {
    schedule: "4-59/10 * * * *",
    does:
      "builds the downloadable files whose data changed, once after a sweep",
  },
  "snapshot-validators": {
    schedule: "10 0,6,12,18 * * *",
    does: "records today's validator set, once a day",
  },
  "cross-check": {
    schedule: "20 3,9,15,21 * * *",
    oncePerDay: true,
    does: "reads the second source of every chain from the explorer index",
  },
  "sample-blocks": {
    schedule: "40 3,9,15,21 * * *",
    oncePerDay: true,
    does: "counts the blocks of some days by the C-Chain RPC",
  },
  "record-scores": {
    schedule: "10 2 * * *",
    does: "scores recently read addresses from stored signals",
  },
  "refresh-graph": {
    schedule: "32 * * * *",
    does: "looks up unknown followers, and updates the weights of changed ones",
  },
  "find-payments": {
    schedule: "* * * * *",
    needsTreasury: true,
    does:
      "credits unclaimed payments, and revokes payments whose block left the chain",
  },
  "score-waiting": {
    schedule: "*/5 * * * *",
    does:
      "scores the addresses that badges and score pages queued, within a budget, refreshes those that are read often, reads proofs of a unique human, and settles units whose commit got no answer",
  },
} as const satisfies Record<string, JobSchedule>;

/** The name of a job. */
export type JobName = keyof typeof JOB_SCHEDULES;
/** The names of the jobs in the order of the table. */
export const JOB_NAMES = Object.keys(JOB_SCHEDULES) as JobName[];
