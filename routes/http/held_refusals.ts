/** Delays refusals, which slows clients that retry at once. */
import type { PlatformDeps } from "../../services/platform/deps.ts";

/** Each delayed refusal takes memory and a connection, so their number is bounded. */
const DELAY_MS = 1_000;
const MAX_HELD = 512;
const MAX_HELD_OF_NETWORK = 32;

/** Makes a function that delays a refusal of a network. It returns false, at once, if too many are delayed. */
export function heldRefusals({ sleep }: Pick<PlatformDeps, "sleep">) {
  const heldOf = new Map<string, number>();
  let held = 0;

  function count(network: string, change: 1 | -1): void {
    held += change;
    const left = (heldOf.get(network) ?? 0) + change;
    if (left === 0) heldOf.delete(network);
    else heldOf.set(network, left);
  }

  return async (network: string): Promise<boolean> => {
    const isFull = held >= MAX_HELD ||
      (heldOf.get(network) ?? 0) >= MAX_HELD_OF_NETWORK;
    if (isFull) return false;
    count(network, 1);
    await sleep(DELAY_MS);
    count(network, -1);
    return true;
  };
}
