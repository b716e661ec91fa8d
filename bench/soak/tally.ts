/** What clients saw: answers by workload and status, their latencies, and what was wrong. */
import { percentile } from "../measure/statistics.ts";

/** The answers that one workload of clients had. */
export interface WorkloadReport {
  readonly workload: string;
  readonly answers: number;
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers that were not as they should be, and requests without one. */
  readonly wrong: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

/** Troubles of a workload that are told in words, and how many of these; all are counted. */
const MOST_REPORTED = 3;
const LONGEST_REPORTED = 300;

interface Workload {
  readonly statuses: Record<string, number>;
  readonly latenciesMs: number[];
  wrong: number;
}

/** Opens a tally in which nothing is counted. */
export function openTally() {
  const workloads = new Map<string, Workload>();
  const units = new Map<string, number>();
  const troubles: string[] = [];

  function open(name: string): Workload {
    const held = workloads.get(name);
    if (held) return held;
    const workload: Workload = { statuses: {}, latenciesMs: [], wrong: 0 };
    workloads.set(name, workload);
    return workload;
  }

  return {
    /** Has a workload in the report, though nobody of it had an answer yet. */
    expect: (workload: string): unknown => open(workload),

    /** Counts an answer. */
    answered(workload: string, status: number | "none", ms: number): void {
      const { statuses, latenciesMs } = open(workload);
      statuses[status] = (statuses[status] ?? 0) + 1;
      latenciesMs.push(ms);
    },

    /** Counts something that should not be. */
    wrong(workload: string, error: unknown): void {
      if (++open(workload).wrong > MOST_REPORTED) return;
      const at = new Date().toISOString();
      const told = (error as Error).message.slice(0, LONGEST_REPORTED);
      troubles.push(`${at} ${workload}: ${told}`);
    },

    /** Counts units that the service has answered for, by the wallet that pays. */
    spent(wallet: string, count: number): void {
      units.set(wallet, (units.get(wallet) ?? 0) + count);
    },

    /** The units of each wallet that spent any. */
    units: units as ReadonlyMap<string, number>,

    /** What was wrong, in words: the first of each workload. */
    troubles: troubles as readonly string[],

    /** Sums up, in the order in which workloads were expected. */
    report(): WorkloadReport[] {
      return [...workloads].map(
        ([workload, { statuses, latenciesMs, wrong }]) => {
          const at = (percent: number) => percentile(latenciesMs, percent);
          const answers = latenciesMs.length;
          const latencies = { p50Ms: at(50), p99Ms: at(99), mostMs: at(100) };
          return { workload, answers, statuses, wrong, ...latencies };
        },
      );
    },
  };
}

/** A tally. */
export type Tally = ReturnType<typeof openTally>;
