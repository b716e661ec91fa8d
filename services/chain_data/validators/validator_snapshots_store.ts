/** Own snapshots of the validator set: the first of each UTC day. */
import type { ValidatorSnapshot } from "../snapshots.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import * as keys from "../keys.ts";

/** Validator snapshots in a store. */
export function validatorDayStore(kv: Deno.Kv) {
  return {
    /** Returns whether a day has its snapshot. */
    async has(day: number): Promise<boolean> {
      return (await kv.get(keys.validatorDay(day))).versionstamp !== null;
    },

    /** Adds a snapshot; false where the day has one, which stays. */
    add(snapshot: ValidatorSnapshot): Promise<boolean> {
      const key = keys.validatorDay(snapshot.day);
      return checkAndSet<ValidatorSnapshot, boolean>(
        kv,
        key,
        (held) =>
          held.versionstamp !== null ? { value: false } : {
            value: true,
            write: (atomic) => atomic.set(key, snapshot),
          },
      );
    },

    /** Lists all snapshots in the order of their days. */
    async list(): Promise<ValidatorSnapshot[]> {
      const entries = kv.list<ValidatorSnapshot>(
        { prefix: keys.validatorDays() },
        { batchSize: 500 },
      );
      return await Array.fromAsync(entries, (entry) => entry.value);
    },
  };
}
