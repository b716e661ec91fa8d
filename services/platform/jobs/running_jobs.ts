/** The job runs of this process, so that a stop can end them. */

/** A run: its job, and the holder of its lease. */
export interface RunningJob {
  readonly job: string;
  readonly holder: string;
}

/** The job runs of a process. */
export interface RunningJobs {
  /** Returns whether the process stops, so that no run may begin or continue. */
  isStopping(): boolean;
  /** Notes that a run has begun. */
  begin(run: RunningJob): void;
  /** Notes that a run has ended. */
  end(run: RunningJob): void;
  /** Asks all runs to stop after their item. Resolves when they have. */
  stop(): Promise<void>;
  /** Lists the runs that have not ended. */
  list(): readonly RunningJob[];
}

/** Creates an empty list of runs. */
export function runningJobs(): RunningJobs {
  const runs = new Set<RunningJob>();
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;
  const check = () => {
    if (isStopping && runs.size === 0) stopped.resolve();
  };
  return {
    isStopping: () => isStopping,
    begin: (run) => runs.add(run),
    end(run) {
      runs.delete(run);
      check();
    },
    stop() {
      isStopping = true;
      check();
      return stopped.promise;
    },
    list: () => [...runs],
  };
}
