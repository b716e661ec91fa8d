/** Store of validator snapshots: one per UTC day. */
import { isWhole, type ValidatorSnapshot } from "../checks/measurements.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import * as keys from "../keys.ts";

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
