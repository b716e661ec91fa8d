/** Job leases, the last run of each job, and its incidents. */
import { CLOCK_SKEW_MS } from "../clock.ts";
import { checkAndSet } from "../kv/commit.ts";
import * as keys from "../kv/keys.ts";
import { type Incident, incidentsAfter } from "./incidents.ts";

const INCIDENTS_MS = keys.COLLECTIONS.job_incidents.expireMs;

/** A run of a job; instants in epoch ms. */
export interface JobRun {
  readonly job: string;
  readonly startedAt: number;
  /** Null while it runs, and if the process was killed. */
  readonly endedAt: number | null;
  /** The outcome in one line. */
  readonly outcome: string | null;
  readonly items: number;
  readonly error: string | null;
}

/** A job lease. Its end is in the value because keys expire late. */
export interface Lease {
  readonly holder: string;
  readonly until: number;
}

/** Leases, runs and incidents of jobs. */
export function jobStore(kv: Deno.Kv) {
  return {
    /**
     * Acquires or renews a lease; false while another holder has it. A lease
     * that ends later than a new one by more than clocks differ was written before
     * the clock was set back, so it may be taken.
     */
    hold(
      job: string,
      holder: string,
      { now, forMs }: { now: number; forMs: number },
    ): Promise<boolean> {
      const until = now + forMs;
      const key = keys.jobLease(job);
      return checkAndSet<Lease, boolean>(kv, key, ({ value: lease }) => {
        const taken = lease !== null && lease.holder !== holder &&
          lease.until > now && lease.until <= until + CLOCK_SKEW_MS;
        if (taken) return { value: false };
        return {
          value: true,
          write: (atomic) => atomic.set(key, { holder, until }),
        };
      });
    },

    /** Releases a lease, if the holder still has it. */
    release(job: string, holder: string): Promise<void> {
      const key = keys.jobLease(job);
      return checkAndSet<Lease, void>(
        kv,
        key,
        ({ value: lease }) =>
          lease?.holder === holder
            ? { value: undefined, write: (atomic) => atomic.delete(key) }
            : { value: undefined },
      );
    },

    /** Records the state of a run. When it has ended, the incidents of its job too. */
    async record(run: JobRun): Promise<void> {
      const { job, endedAt } = run;
      if (endedAt === null) {
        await kv.set(keys.jobRun(job), run);
        return;
      }
      const key = keys.jobIncidents(job);
      await checkAndSet<readonly Incident[], void>(kv, key, ({ value }) => {
        const before = value ?? [];
        const after = incidentsAfter(before, { ...run, endedAt });
        return {
          value: undefined,
          write: (atomic) => {
            atomic.set(keys.jobRun(job), run);
            return after === before
              ? atomic
              : atomic.set(key, after, { expireIn: INCIDENTS_MS });
          },
        };
      });
    },

    /** Lists the incidents of all jobs, newest first. */
    async listIncidents(): Promise<Incident[]> {
      const entries = kv.list<Incident[]>({ prefix: keys.allIncidents() });
      return (await Array.fromAsync(entries)).flatMap(({ value }) => value)
        .toSorted((a, b) => b.from - a.from);
    },

    /** Lists the last run of every job. */
    async listRuns(): Promise<JobRun[]> {
      const entries = kv.list<JobRun>({ prefix: keys.jobRuns() });
      return (await Array.fromAsync(entries)).map((entry) => entry.value);
    },
  };
}
