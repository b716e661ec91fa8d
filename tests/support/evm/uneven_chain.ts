/** Simulated chains of any length, with block times at uneven intervals. */
import type { BlockTime } from "../../../services/chain_data/blocks/block_search.ts";

/** Blocks of the mainnet C-Chain that a simulated chain passes through. */
export const C_CHAIN_ANCHORS: readonly BlockTime[] = [
  { height: 0, timestamp: 0 },
  { height: 1, timestamp: 1600858926 },
  { height: 5, timestamp: 1600866891 },
  { height: 12687074, timestamp: 1637035653 },
  { height: 12741211, timestamp: 1637208768 },
  { height: 86192127, timestamp: 1779562787 },
  { height: 96088112, timestamp: 1790296724 },
];

/**
 * Returns the timestamp by height of a chain that passes through given blocks,
 * in order. Half the blocks of any range take a random share of its time, so
 * that intervals differ at every scale: hours without a block, many blocks in a
 * second. The share is at most `spread` / 2 away from a half.
 */
export function unevenChain(
  blocks: readonly BlockTime[],
  { spread = 0.4, seed = 1 } = {},
): (height: number) => number {
  return function timestampOf(height) {
    const next = blocks.findIndex((block) => block.height > height);
    if (next === -1) return blocks.at(-1)!.timestamp;
    let [low, high] = [blocks[next - 1]!, blocks[next]!];
    while (height !== low.height) {
      const middle = Math.floor((low.height + high.height) / 2);
      const share = 0.5 + spread * (noise(middle, seed) - 0.5);
      const block = {
        height: middle,
        timestamp: low.timestamp + (high.timestamp - low.timestamp) * share,
      };
      if (height < middle) high = block;
      else low = block;
    }
    return Math.floor(low.timestamp);
  };
}

/** Returns a number from 0 to 1 that depends only on the arguments. */
function noise(index: number, seed: number): number {
  let bits = Math.imul(index ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b);
  for (const factor of [0x7feb352d, 0x846ca68b, 0xc2b2ae35]) {
    bits = Math.imul(bits ^ (bits >>> 16), factor);
  }
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}
