/** What visitors saw: answers by family and status, their latencies, and what was wrong. */
import { percentile } from "../measure/statistics.ts";

/** The answers that one family of visitors had. */
export interface FamilyReport {
  readonly family: string;
  readonly answers: number;
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers that were not as they should be, and requests without one. */
  readonly wrong: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

/** Troubles of a family that are told in words, and how many of these; all are counted. */
const MOST_TOLD = 3;
const LONGEST_TOLD = 300;

interface Family {
  readonly statuses: Record<string, number>;
  readonly latenciesMs: number[];
  wrong: number;
}

/** Opens a tally in which nothing is counted. */
export function openTally() {
  const families = new Map<string, Family>();
  const units = new Map<string, number>();
  const troubles: string[] = [];

  function open(name: string): Family {
    const held = families.get(name);
    if (held) return held;
    const family: Family = { statuses: {}, latenciesMs: [], wrong: 0 };
    families.set(name, family);
    return family;
  }

  return {
    /** Has a family in the report, though nobody of it had an answer yet. */
    expect: (family: string): unknown => open(family),

    /** Counts an answer. */
    answered(family: string, status: number | "none", ms: number): void {
      const { statuses, latenciesMs } = open(family);
      statuses[status] = (statuses[status] ?? 0) + 1;
      latenciesMs.push(ms);
    },

    /** Counts something that should not be. */
    wrong(family: string, error: unknown): void {
      if (++open(family).wrong > MOST_TOLD) return;
      const at = new Date().toISOString();
      const told = (error as Error).message.slice(0, LONGEST_TOLD);
      troubles.push(`${at} ${family}: ${told}`);
    },

    /** Counts units that the service has answered for, by the wallet that pays. */
    spent(wallet: string, count: number): void {
      units.set(wallet, (units.get(wallet) ?? 0) + count);
    },

    /** The units of each wallet that spent any. */
    units: units as ReadonlyMap<string, number>,

    /** What was wrong, in words: the first of each family. */
    troubles: troubles as readonly string[],

    /** Sums up, in the order in which families were expected. */
    report(): FamilyReport[] {
      return [...families].map(([family, { statuses, latenciesMs, wrong }]) => {
        const at = (percent: number) => percentile(latenciesMs, percent);
        const answers = latenciesMs.length;
        const latencies = { p50Ms: at(50), p99Ms: at(99), mostMs: at(100) };
        return { family, answers, statuses, wrong, ...latencies };
      });
    },
  };
}

/** A tally. */
export type Tally = ReturnType<typeof openTally>;
