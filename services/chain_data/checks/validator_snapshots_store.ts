/** Store of validator snapshots: one per UTC day. */
import { isWhole, type ValidatorSnapshot } from "./measurements.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import { dayAt } from "../../platform/days.ts";
import {
  ANY_NUMBER,
  type Rule,
  type StoredRecords,
} from "../../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** The validator snapshot of a day. */
  validatorDay: (day: number) => ["validator_days", day],
  /** All validator snapshots. */
  validatorDays: () => ["validator_days"],
};

/** Validator snapshots in a store. */
export function validatorDayStore(kv: Deno.Kv) {
  return {
    /** Returns whether a day has a snapshot with all its totals. */
    async has(day: number): Promise<boolean> {
      const { value } = await kv.get<ValidatorSnapshot>(keys.validatorDay(day));
      return value !== null && isWhole(value);
    },

    /**
     * Adds a snapshot. Returns false, without writing, if the day already has one. A
     * snapshot without all its totals is replaced by one that has them.
     */
    add(snapshot: ValidatorSnapshot): Promise<boolean> {
      const key = keys.validatorDay(snapshot.day);
      return checkAndSet<ValidatorSnapshot, boolean>(
        kv,
        key,
        ({ value: stored }) =>
          stored !== null && (isWhole(stored) || !isWhole(snapshot))
            ? { value: false }
            : {
              value: true,
              write: (atomic) => atomic.set(key, snapshot),
            },
      );
    },

    /** Lists all snapshots, ordered by day. */
    async list(): Promise<ValidatorSnapshot[]> {
      const entries = kv.list<ValidatorSnapshot>(
        { prefix: keys.validatorDays() },
        { batchSize: 500 },
      );
      return await Array.fromAsync(entries, (entry) => entry.value);
    },
  };
}

const validatorDay: Rule<ValidatorSnapshot> = {
  name: "validator-day",
  of: keys.validatorDay(ANY_NUMBER),
  invariant: "a validator snapshot was taken on its day",
  holds: ({ key, value: { day, takenAt } }) =>
    day === key[1] && dayAt(takenAt) === day,
};

/** The collections and the rules. */
export const VALIDATOR_DAY_RECORDS: StoredRecords = {
  collections: {
    validator_days: {},
  },
  rules: [validatorDay],
};
