/** Who runs a job now, and how the last run of each went. */
import { checkAndSet } from "../kv/commit.ts";
import * as keys from "../kv/keys.ts";

/** A run of a job; instants in epoch ms. */
export interface JobRun {
  readonly job: string;
  readonly startedAt: number;
  /** Null while it runs, and for ever where the process was killed. */
  readonly endedAt: number | null;
  /** What it came to, in one line. */
  readonly outcome: string | null;
  readonly items: number;
  readonly error: string | null;
}

/** The right to run a job; its end is in the value, since expiry of a key comes late. */
export interface Lease {
  readonly holder: string;
  readonly until: number;
}

/** Jobs in a store. */
export function jobStore(kv: Deno.Kv) {
  return {
    /**
     * Takes or prolongs the right to run a job; false while somebody else has
     * it. One that ends later than a new one would is of a clock set back since.
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
          lease.until > now && lease.until <= until;
        if (taken) return { value: false };
        return {
          value: true,
          write: (atomic) => atomic.set(key, { holder, until }),
        };
      });
    },

    /** Gives the right back, if it still is the holder's. */
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

    /** Records how a run stands. */
    async record(run: JobRun): Promise<void> {
      await kv.set(keys.jobRun(run.job), run);
    },

    /** Lists the last run of every job that ever ran. */
    async listRuns(): Promise<JobRun[]> {
      const entries = kv.list<JobRun>({ prefix: keys.jobRuns() });
      return (await Array.fromAsync(entries)).map((entry) => entry.value);
    },
  };
}
