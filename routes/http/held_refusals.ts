/** Delays refusals, which slows clients that retry at once. */
import type { PlatformDeps } from "../../services/platform/open/deps.ts";

/** Each delayed refusal takes memory and a connection, so their number is bounded. */
const DELAY_MS = 1_000;
const MAX_HELD = { ofNetwork: 32, ofAll: 512 };

/** Between two refusals of a network: sent together, they would delay what others wait for. */
const APART_MS = DELAY_MS / MAX_HELD.ofNetwork;

/** Makes a function that delays a refusal of a network, by one to two seconds. It returns false, at once, if too many are delayed. */
export function heldRefusals({ sleep }: Pick<PlatformDeps, "sleep">) {
  const held = networkCounts(MAX_HELD);
  return async (network: string): Promise<boolean> => {
    if (held.isFull(network)) return false;
    const before = held.change(network, 1) - 1;
    await sleep(DELAY_MS + before * APART_MS);
    held.change(network, -1);
    return true;
  };
}

/** Makes counts with limits. */
export function networkCounts(limits: {
  readonly ofNetwork: number;
  readonly ofAll: number;
}) {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    isFull: (network: string): boolean =>
      total >= limits.ofAll || (counts.get(network) ?? 0) >= limits.ofNetwork,

    /** Returns the count of the network after the change. */
    change(network: string, by: 1 | -1): number {
      total += by;
      const left = (counts.get(network) ?? 0) + by;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
      return left;
    },
  };
}
