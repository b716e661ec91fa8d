/** Reads from a copy of a database that stands still. */
import type { KvEntry, ReadRange } from "./messages.ts";

/** Orders byte strings. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let nth = 0; nth < length; nth++) {
    if (a[nth] !== b[nth]) return a[nth]! - b[nth]!;
  }
  return a.length - b.length;
}

/** Returns the entries of a range. `entries` is sorted by key. */
export function sliceOf(
  entries: readonly KvEntry[],
  { start, end, limit, reverse }: ReadRange,
): KvEntry[] {
  const found = entries.filter(({ key }) =>
    compareBytes(start, key) <= 0 && compareBytes(key, end) < 0
  );
  return (reverse ? found.reverse() : found).slice(0, limit);
}
