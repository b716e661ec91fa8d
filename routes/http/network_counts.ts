/** Counts what is under way, of each network and of all. */

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
