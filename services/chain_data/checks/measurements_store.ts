/** Stores of own measurements, one a UTC day: block samples and validator snapshots. */
import {
  type BlockSample,
  isWhole,
  type ValidatorSnapshot,
} from "./measurements.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import { dayAt } from "../../platform/days.ts";
import {
  ANY_NUMBER,
  type Rule,
  type StoredRecords,
} from "../../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** The block sample of a day. */
  blockSample: (day: number) => ["block_samples", day],
  /** All block samples. */
  blockSamples: () => ["block_samples"],
  /** The validator snapshot of a day. */
  validatorDay: (day: number) => ["validator_days", day],
  /** All validator snapshots. */
  validatorDays: () => ["validator_days"],
};

function listValues<T>(kv: Deno.Kv, prefix: Deno.KvKey): Promise<T[]> {
  const entries = kv.list<T>({ prefix }, { batchSize: 500 });
  return Array.fromAsync(entries, ({ value }) => value);
}

/** Block samples in a store. */
export function blockSampleStore(kv: Deno.Kv) {
  return {
    /** Puts the sample of a day. It replaces an earlier one. */
    async put(sample: BlockSample): Promise<void> {
      await kv.set(keys.blockSample(sample.day), sample);
    },

    /** Lists all samples, ordered by day. */
    list: () => listValues<BlockSample>(kv, keys.blockSamples()),
  };
}

const blockSample: Rule<BlockSample> = {
  name: "block-sample",
  of: keys.blockSample(ANY_NUMBER),
  invariant:
    "the sampled blocks of a day start on that day and end where those of the next day start",
  async holds({ key, value }, { find }) {
    const { day, firstBlock, nextDayFirstBlock } = value;
    const next = await find<BlockSample>(keys.blockSample(day + 1));
    return day === key[1] && firstBlock <= nextDayFirstBlock &&
      dayAt(value.firstBlockTimestamp * 1_000) >= day &&
      dayAt(value.nextDayFirstBlockTimestamp * 1_000) > day &&
      (next === null || next.firstBlock === nextDayFirstBlock);
  },
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
    list: () => listValues<ValidatorSnapshot>(kv, keys.validatorDays()),
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
export const MEASUREMENT_RECORDS: StoredRecords = {
  collections: {
    block_samples: {},
    validator_days: {},
  },
  rules: [blockSample, validatorDay],
};
