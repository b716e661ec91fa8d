/** Days whose blocks were counted by the RPC. */
import type { BlockSample } from "../snapshots.ts";
import * as keys from "../keys.ts";

/** Block samples in a store. */
export function blockSampleStore(kv: Deno.Kv) {
  return {
    /** Puts the newest sample of a day. */
    async put(sample: BlockSample): Promise<void> {
      await kv.set(keys.blockSample(sample.day), sample);
    },

    /** Lists all samples in the order of their days. */
    async list(): Promise<BlockSample[]> {
      const entries = kv.list<BlockSample>(
        { prefix: keys.blockSamples() },
        { batchSize: 500 },
      );
      return await Array.fromAsync(entries, (entry) => entry.value);
    },
  };
}
