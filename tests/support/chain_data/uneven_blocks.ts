/** A C-Chain with blocks at uneven intervals, and the explorer series of its blocks. */
import type { Deps } from "../../../services/deps.ts";
import {
  DAY_MS,
  formatDay,
  parseDay,
} from "../../../services/platform/days.ts";
import { type TestDeps, testDeps } from "../deps.ts";
import { nodeWith } from "../evm/rpc_node.ts";
import { C_CHAIN_ANCHORS, unevenChain } from "../evm/uneven_chain.ts";
import { putSeries } from "../series.ts";

/** The newest block of the chain, of 2026-11-13T03:02:44Z. */
const LAST = { height: 100_000_000, timestamp: 1794538964 };
/** Returns the timestamp of a block, in seconds. */
export const timestampOf = unevenChain([...C_CHAIN_ANCHORS, LAST], {
  spread: 0.4,
});

/** Returns the first block at or after an instant, in seconds. */
function firstBlockAt(seconds: number): number {
  let [low, high] = [0, LAST.height];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (timestampOf(middle) >= seconds) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the first block of a day. */
export const firstBlockOf = (day: number) => firstBlockAt(day * DAY_MS / 1000);

/** Dependencies whose C-Chain has 100,000,000 blocks at uneven intervals, up to the current time. */
export async function unevenDeps(start: string) {
  const calls = { count: 0 };
  const hex = (value: number) => `0x${value.toString(16)}`;
  const node = nodeWith({
    eth_getBlockByNumber(tag) {
      const seconds = deps.now().getTime() / 1000;
      const height = tag === "latest" ? firstBlockAt(seconds) - 1 : Number(tag);
      return { number: hex(height), timestamp: hex(timestampOf(height)) };
    },
  });
  const deps: TestDeps = await testDeps({
    start,
    fetch(input) {
      calls.count++;
      return Promise.resolve(node(input as Request));
    },
  });
  return { deps, calls };
}

/** Stores the explorer series of blocks: the true counts, plus `off` on some days. */
export async function putIndex(
  deps: Deps,
  { from, to, off = {} }: {
    from: string;
    to: string;
    off?: Readonly<Record<string, number>>;
  },
): Promise<void> {
  const first = parseDay(from);
  const values = Array.from(
    { length: parseDay(to) - first + 1 },
    (_, index) => {
      const day = first + index;
      const blocks = firstBlockOf(day + 1) - firstBlockOf(day);
      return blocks + (off[formatDay(day)] ?? 0);
    },
  );
  const id = { subject: "explorer-index", metric: "blocks" } as const;
  await putSeries(deps, id, { from, values });
}
