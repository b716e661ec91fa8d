/** Store of block samples. */
import type { BlockSample } from "../checks/measurements.ts";
import * as keys from "../keys.ts";

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
