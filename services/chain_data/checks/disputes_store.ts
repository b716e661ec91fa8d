/** Store of open disputes: when each was found. */
import {
  commitOnce,
  MAX_CHECKS,
  retryConflicts,
} from "../../platform/kv/commit.ts";
import { contended } from "../../platform/fault.ts";
import type { ExplorerMetric } from "../catalogue/series_id.ts";
import type {
  CheckName,
  IndexMetric,
} from "../catalogue/cross_checks_schema.ts";
import { dayAt } from "../../platform/days.ts";
import {
  ANY,
  ANY_NUMBER,
  numberAt,
  type Rule,
  type StoredRecords,
} from "../../platform/kv/store_rule.ts";

/** A checked series, or a metric of a chain. */
export type DisputedSeries = CheckName | `${IndexMetric}/${number}`;

/** Keys. */
const keys = {
  /** When a dispute was found. */
  dispute: (name: DisputedSeries, day: number) => [
    "disputes",
    name,
    day,
  ],
  /** The open disputes of all series. */
  allDisputes: () => ["disputes"],
  /** The open disputes of a checked series. */
  disputes: (name: DisputedSeries) => ["disputes", name],
  /** The recheck cursor of an explorer series: the first day to recheck next. */
  recheck: (metric: ExplorerMetric) => ["rechecks", metric],
};

/** Disputes in a store. */
export function disputeStore(kv: Deno.Kv) {
  /** Lists when each disputed day of a checked series was found, in epoch ms. */
  async function list(name: DisputedSeries): Promise<Map<number, number>> {
    const entries = kv.list<number>({ prefix: keys.disputes(name) }, {
      batchSize: 500,
    });
    return new Map(
      await Array.fromAsync(
        entries,
        ({ key, value }) => [key.at(-1) as number, value] as const,
      ),
    );
  }

  return {
    list,

    /** Lists the series that have recorded disputes, in one read. */
    async listSeries(): Promise<ReadonlySet<DisputedSeries>> {
      const prefix = keys.allDisputes();
      const entries = kv.list<number>({ prefix }, { batchSize: 500 });
      return new Set(
        await Array.fromAsync(entries, ({ key }) => key[1] as DisputedSeries),
      );
    },

    /**
     * Replaces the open disputes of a series: their days, and when each was found,
     * in epoch ms. A day that is recorded keeps its instant.
     */
    async replace(
      name: DisputedSeries,
      open: ReadonlyMap<number, number>,
    ): Promise<void> {
      const done = await retryConflicts(async () => {
        const recorded = await list(name);
        const opened = [...open.keys()].filter((day) => !recorded.has(day));
        const closed = [...recorded.keys()].filter((day) => !open.has(day));
        const changed = [...opened, ...closed];
        for (let from = 0; from < changed.length; from += MAX_CHECKS) {
          const atomic = kv.atomic();
          for (const day of changed.slice(from, from + MAX_CHECKS)) {
            const key = keys.dispute(name, day);
            const foundAt = open.get(day);
            if (foundAt !== undefined) {
              // Another process may have found the same dispute before.
              atomic.check({ key, versionstamp: null }).set(key, foundAt);
            } else atomic.delete(key);
          }
          if (await commitOnce(kv, atomic) === null) return null;
        }
        return { value: undefined };
      });
      if (done === null) {
        throw contended(`Cannot record the disputes of ${name}`);
      }
    },
  };
}

/** Recheck cursors in a store. */
export function recheckStore(kv: Deno.Kv) {
  return {
    /** Finds the first day to recheck next. Returns null before the first round. */
    async find(metric: ExplorerMetric): Promise<number | null> {
      return (await kv.get<number>(keys.recheck(metric))).value;
    },

    /** Puts the first day to recheck next. */
    async put(metric: ExplorerMetric, day: number): Promise<void> {
      await kv.set(keys.recheck(metric), day);
    },
  };
}

const recheck: Rule<number> = {
  name: "recheck",
  of: keys.recheck(ANY as ExplorerMetric),
  invariant: "a recheck cursor is a day number",
  holds: ({ value }) => Number.isSafeInteger(value),
};

const dispute: Rule<number> = {
  name: "dispute",
  of: keys.dispute(ANY as CheckName, ANY_NUMBER),
  invariant: "a dispute was found after its day began",
  holds: ({ key, value }) => dayAt(value) >= numberAt(key, 2),
};

/** The collections and the rules. */
export const DISPUTE_RECORDS: StoredRecords = {
  collections: {
    disputes: {},
    rechecks: {},
  },
  rules: [recheck, dispute],
};
