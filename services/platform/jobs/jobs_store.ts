/** Job leases, the last run of each job, and its incidents. */
import { CLOCK_SKEW_MS } from "../clock.ts";
import { checkAndSet } from "../kv/commit.ts";
import { ANY, type Rule, type StoredRecords } from "../kv/store_rule.ts";
import { DAY_MS } from "../days.ts";
import { HISTORY_EXPIRE_MS } from "../observability/traffic_days_store.ts";
import { HISTORY_DAYS } from "../observability/process_metrics_schema.ts";

/** An incident: a time in which the runs of a job failed; instants in epoch ms. */
export interface Incident {
  readonly job: string;
  /** Start of the first run that failed. */
  readonly from: number;
  /** End of the first run that succeeded again; null while it lasts. */
  readonly to: number | null;
  readonly failedRuns: number;
  /** Why the last of them failed. */
  readonly error: string;
}

/** A run that has ended. */
export interface EndedRun {
  readonly job: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Why the run failed; null if it succeeded. */
  readonly error: string | null;
}

/** How long incidents are kept, and the maximum number for each job. */
const KEPT_MS = HISTORY_DAYS * DAY_MS;
const MAX_KEPT = 30;

/**
 * Returns the incidents of a job after a run, oldest first; the same array if
 * nothing changes. A failed run opens an incident or continues the open one; a
 * run that succeeds ends it.
 */
export function incidentsAfter(
  incidents: readonly Incident[],
  { job, startedAt, endedAt, error }: EndedRun,
): readonly Incident[] {
  const last = incidents.at(-1);
  const open = last?.to === null ? last : undefined;
  if (error === null && open === undefined) return incidents;
  const before = open === undefined ? incidents : incidents.slice(0, -1);
  const begun = open ?? { job, from: startedAt, failedRuns: 0 };
  const next: Incident = error === null
    ? { ...open!, to: endedAt }
    : { ...begun, to: null, failedRuns: begun.failedRuns + 1, error };
  return [...before, next]
    .filter(({ to }) => to === null || to > endedAt - KEPT_MS)
    .slice(-MAX_KEPT);
}

/** Keys. */
const keys = {
  /** The lease of a running job. */
  jobLease: (name: string) => ["job_leases", name],
  /** The leases of all running jobs. */
  jobLeases: () => ["job_leases"],
  /** The last run of a job. */
  jobRun: (name: string) => ["job_runs", name],
  /** The last runs of all jobs. */
  jobRuns: () => ["job_runs"],
  /** The incidents of a job. */
  jobIncidents: (name: string) => ["job_incidents", name],
  /** The incidents of all jobs. */
  allIncidents: () => ["job_incidents"],
};

/** A run of a job; instants in epoch ms. */
export interface JobRun {
  readonly job: string;
  readonly startedAt: number;
  /** Null while it runs, and if the process was killed. */
  readonly endedAt: number | null;
  /** The outcome in one line. */
  readonly outcome: string | null;
  readonly items: number;
  /** Due items that it left for the next run; absent if none. */
  readonly left?: number;
  readonly error: string | null;
}

/** A job lease. Its end is in the value because keys expire late. */
interface Lease {
  readonly holder: string;
  readonly until: number;
}

/** Returns whether a lease holds, of those that a process may take for `forMs` from now. */
function isHeld(
  { until }: Lease,
  { now, forMs }: { readonly now: number; readonly forMs: number },
): boolean {
  return until > now && until <= now + forMs + CLOCK_SKEW_MS;
}

/** Leases, runs and incidents of jobs. */
export function jobStore(kv: Deno.Kv) {
  return {
    /**
     * Acquires or renews a lease, and records the run that `begins` with it; false while
     * another holder has it. A lease that ends later than a new one by more than clocks
     * differ was written before the clock was set back, so it may be taken.
     */
    hold(
      job: string,
      holder: string,
      { now, forMs, begins }: {
        readonly now: number;
        readonly forMs: number;
        readonly begins?: JobRun;
      },
    ): Promise<boolean> {
      const key = keys.jobLease(job);
      return checkAndSet<Lease, boolean>(kv, key, ({ value: lease }) => {
        const isTaken = lease !== null && lease.holder !== holder &&
          isHeld(lease, { now, forMs });
        if (isTaken) return { value: false };
        return {
          value: true,
          write(atomic) {
            atomic.set(key, { holder, until: now + forMs });
            return begins ? atomic.set(keys.jobRun(job), begins) : atomic;
          },
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

    /**
     * Records a run that has ended, with the incidents of its job, and releases the
     * lease of its holder. Writes nothing and returns false while another one holds
     * the lease.
     */
    end(
      { endedAt, ...rest }: JobRun & { readonly endedAt: number },
      holder: string,
    ): Promise<boolean> {
      const run = { ...rest, endedAt };
      const [leaseKey, key] = [
        keys.jobLease(run.job),
        keys.jobIncidents(run.job),
      ];
      return checkAndSet<Lease, boolean>(
        kv,
        leaseKey,
        ({ value: lease }, [incidents]) => {
          const isOthers = lease !== null && lease.holder !== holder;
          if (isOthers && isHeld(lease, { now: endedAt, forMs: Infinity })) {
            return { value: false };
          }
          const before = incidents!.value as readonly Incident[] | null ?? [];
          const after = incidentsAfter(before, run);
          return {
            value: true,
            write(atomic) {
              atomic.set(keys.jobRun(run.job), run);
              if (lease !== null) atomic.delete(leaseKey);
              if (after === before) return atomic;
              return atomic.check(incidents!)
                .set(key, after, { expireIn: HISTORY_EXPIRE_MS });
            },
          };
        },
        { also: [key] },
      );
    },

    /** Returns the jobs whose lease holds at an instant, and when it ends; epoch ms. */
    async listHeld(now: number): Promise<ReadonlyMap<string, number>> {
      const entries = kv.list<Lease>({ prefix: keys.jobLeases() });
      return new Map(
        (await Array.fromAsync(entries))
          .filter(({ value }) => isHeld(value, { now, forMs: Infinity }))
          .map(({ key, value: { until } }) => [String(key[1]), until]),
      );
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

const lease: Rule<Lease> = {
  name: "job-lease",
  of: keys.jobLease(ANY),
  invariant: "a job lease ends within a day",
  holds: ({ value: { until } }, { now }) => until < now + DAY_MS,
};

const jobRun: Rule<JobRun> = {
  name: "job-run",
  of: keys.jobRun(ANY),
  invariant: "a finished job run has either an outcome or an error",
  holds: ({ key, value: { job, endedAt, outcome, error } }) =>
    job === key[1] &&
    (endedAt === null || (outcome === null) !== (error === null)),
};

const incidents: Rule<readonly Incident[]> = {
  name: "job-incidents",
  of: keys.jobIncidents(ANY),
  invariant:
    "the incidents of a job are in order, and only the last one may be open",
  holds: ({ key, value }) =>
    value.every(({ job, from, to, failedRuns }, nth) =>
      job === key[1] && failedRuns > 0 && from >= (value[nth - 1]?.to ?? 0) &&
      (to === null ? nth === value.length - 1 : to >= from)
    ),
};

/** The collections and the rules. */
export const JOB_RECORDS: StoredRecords = {
  collections: {
    job_incidents: { expireMs: HISTORY_EXPIRE_MS, isIndependent: true },
    job_leases: { isLeftOut: true },
    job_runs: { isIndependent: true },
  },
  rules: [lease, jobRun, incidents],
};
