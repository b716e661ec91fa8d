/** Store of validator snapshots: one per UTC day. */
import type { ValidatorSnapshot } from "../checks/measurements.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import * as keys from "../keys.ts";

/** Validator snapshots in a store. */
export function validatorDayStore(kv: Deno.Kv) {
  return {
    /** Returns whether a day has a snapshot. */
    async has(day: number): Promise<boolean> {
      return (await kv.get(keys.validatorDay(day))).versionstamp !== null;
    },

    /** Adds a snapshot. Returns false, without writing, if the day already has one. */
    add(snapshot: ValidatorSnapshot): Promise<boolean> {
      const key = keys.validatorDay(snapshot.day);
      return checkAndSet<ValidatorSnapshot, boolean>(
        kv,
        key,
        (stored) =>
          stored.versionstamp !== null ? { value: false } : {
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
