/** How the records of a KV collection are kept, copied and checked. Each capability lists its collections in its `keys.ts`. */

/** The properties of a collection. */
export interface Collection {
  /**
   * Milliseconds after the last write at which Deno KV may delete a record. A
   * record with a deadline also stores it in its value, since KV may delete late.
   */
  readonly expireMs?: number;
  /** Records do not refer to others, so a backup may copy them at different moments. */
  readonly isIndependent?: true;
  /** Any value is valid: no store rule applies. */
  readonly isUnchecked?: true;
}

/** Collections by name, the first part of their keys. */
export type Collections = Readonly<Record<string, Collection>>;

/** Returns the collection of a key; undefined if this version does not know it. */
export function collectionOf(
  collections: Collections,
  [name]: Deno.KvKey,
): Collection | undefined {
  // A foreign key may have the name of an Object.prototype member.
  return Object.hasOwn(collections, String(name))
    ? collections[String(name)]
    : undefined;
}
