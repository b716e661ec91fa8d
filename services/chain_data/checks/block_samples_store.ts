/** Store of block samples. */
import type { BlockSample } from "./measurements.ts";
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
};

/** Block samples in a store. */
export function blockSampleStore(kv: Deno.Kv) {
  return {
    /** Puts the sample of a day. It replaces an earlier one. */
    async put(sample: BlockSample): Promise<void> {
      await kv.set(keys.blockSample(sample.day), sample);
    },

    /** Lists all samples, ordered by day. */
    async list(): Promise<BlockSample[]> {
      const entries = kv.list<BlockSample>(
        { prefix: keys.blockSamples() },
        { batchSize: 500 },
      );
      return await Array.fromAsync(entries, (entry) => entry.value);
    },
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

/** The collections and the rules. */
export const BLOCK_SAMPLE_RECORDS: StoredRecords = {
  collections: {
    block_samples: {},
  },
  rules: [blockSample],
};
