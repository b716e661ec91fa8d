/** LRU caches that are bounded by their number of entries. */
import { LRUCache } from "lru-cache";

/**
 * Returns a cache of at most `most` entries. Its memory grows with the entries: the
 * option `max` would allocate room for all of them at once.
 */
export function boundedCache<V extends object | string>(
  most: number,
): LRUCache<string, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}
