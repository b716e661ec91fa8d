/** Counts what a cache kept. */

/** Counts from the newest item until a condition fails. */
export async function countUntil(
  ids: readonly number[],
  holds: (id: number) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (const id of ids.toReversed()) {
    if (!await holds(id)) break;
    count++;
  }
  return count;
}
