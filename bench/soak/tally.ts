/** Counts answers, latencies, errors and spent units by workload. */
import { percentile } from "../measure/statistics.ts";

/** The results of a workload. */
export interface WorkloadReport {
  readonly workload: string;
  readonly answers: number;
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Wrong answers, and requests without an answer. */
  readonly wrong: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Messages that are kept for each workload, and their length. All errors are counted. */
const MAX_REPORTED = 3;
const MAX_MESSAGE_CHARACTERS = 300;

interface Workload {
  readonly statuses: Record<string, number>;
  readonly latenciesMs: number[];
  wrong: number;
}

/** Creates an empty tally. */
export function openTally() {
  const workloads = new Map<string, Workload>();
  const units = new Map<string, number>();
  const problems: string[] = [];

  function open(name: string): Workload {
    const existing = workloads.get(name);
    if (existing) return existing;
    const workload: Workload = { statuses: {}, latenciesMs: [], wrong: 0 };
    workloads.set(name, workload);
    return workload;
  }

  return {
    /** Adds a workload to the report before it has an answer. */
    expect: (workload: string): unknown => open(workload),

    /** Counts an answer. */
    answered(workload: string, status: number | "none", ms: number): void {
      const { statuses, latenciesMs } = open(workload);
      statuses[status] = (statuses[status] ?? 0) + 1;
      latenciesMs.push(ms);
    },

    /** Counts an error. */
    wrong(workload: string, error: unknown): void {
      if (++open(workload).wrong > MAX_REPORTED) return;
      const at = new Date().toISOString();
      const message = (error as Error).message.slice(0, MAX_MESSAGE_CHARACTERS);
      problems.push(`${at} ${workload}: ${message}`);
    },

    /** Counts the units of an answer, by wallet. */
    spent(wallet: string, count: number): void {
      units.set(wallet, (units.get(wallet) ?? 0) + count);
    },

    /** Units by wallet. */
    units: units as ReadonlyMap<string, number>,

    /** The first error messages of each workload. */
    problems: problems as readonly string[],

    /** Returns the results in the order in which workloads were added. */
    report(): WorkloadReport[] {
      return [...workloads].map(
        ([workload, { statuses, latenciesMs, wrong }]) => {
          const at = (percent: number) => percentile(latenciesMs, percent);
          const answers = latenciesMs.length;
          const latencies = { p50Ms: at(50), p99Ms: at(99), maxMs: at(100) };
          return { workload, answers, statuses, wrong, ...latencies };
        },
      );
    },
  };
}

/** A tally. */
export type Tally = ReturnType<typeof openTally>;
