/** How the records of a KV collection are kept, copied and checked. Each store lists its collections and rules. */

/** The properties of a collection. */
export interface Collection {
  /**
   * Milliseconds after the last write at which Deno KV may delete a record. A
   * record with a deadline also stores it in its value, since KV may delete late.
   */
  readonly expireMs?: number;
  /** The same for a record that differs from the others; undefined if it does not. */
  expireMsOf?(key: Deno.KvKey, value: never): number | undefined;
  /** Records do not refer to others, so a backup may copy them at different moments. */
  readonly isIndependent?: true;
  /** A backup leaves the records out: they are short-lived, or about one process or one client. */
  readonly isLeftOut?: true;
  /** How an import changes the records of a backup that may be older than the last change. */
  readonly whenOutdated?: WhenOutdated;
  /** Any value is valid: no store rule applies. */
  readonly isUnchecked?: true;
}

/** How an import changes records: what was revoked or used after the backup cannot be known. */
interface WhenOutdated {
  /** What the import says of the changed records, after their number. */
  readonly says: string;
  /** Returns the value to store: the same value for no change, undefined to leave the record out. */
  change(value: never): unknown;
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
