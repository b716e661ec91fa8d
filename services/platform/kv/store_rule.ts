/** What a store keeps: how its collections are kept and copied, and the invariants of their records. */

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

/** A record with its key. */
export interface Found<Value> {
  readonly key: Deno.KvKey;
  readonly value: Value;
}

/** What a store keeps: its collections, and the invariants of their records. */
export interface StoredRecords {
  readonly collections: Collections;
  readonly rules: readonly Rule<never>[];
}

/** Reads other records for a rule. */
export interface Records {
  /** Finds the value of a key; null if there is none. */
  find<Value>(key: Deno.KvKey): Promise<Value | null>;
  /** Lists the records under a prefix in key order. */
  list<Value>(prefix: Deno.KvKey): AsyncIterable<Found<Value>>;
  /** The time of the check, epoch ms. */
  readonly now: number;
}

/** Wildcards: passed to a key function in place of its arguments, they make a pattern of keys. */
export const ANY = "*";
export const ANY_NUMBER = NaN;

/** An invariant of every record of a kind. */
export interface Rule<Value = unknown> {
  /** A short name. */
  readonly name: string;
  /** The pattern of the keys that it applies to. */
  readonly of: Deno.KvKey;
  /** The invariant, as a sentence without a full stop. */
  readonly invariant: string;
  /** Returns whether it holds for a record. */
  holds(
    record: Found<Value>,
    records: Records,
  ): boolean | Promise<boolean>;
}

/** Returns whether a rule applies to a key. */
export function isAbout({ of }: Rule<never>, key: Deno.KvKey): boolean {
  return of.length === key.length &&
    of.every((part, nth) =>
      part === ANY || Number.isNaN(part) || part === key[nth]
    );
}

/** Returns a part of a key that is text. */
export function textAt(key: Deno.KvKey, nth: number): string {
  return String(key[nth]);
}

/** Returns a part of a key that is a number. */
export function numberAt(key: Deno.KvKey, nth: number): number {
  return Number(key[nth]);
}

/** Returns whether two values are deeply equal; the order of fields does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  return textOf(a) === textOf(b);
}

function textOf(value: unknown): string {
  return Deno.inspect(value, {
    sorted: true,
    depth: Infinity,
    iterableLimit: Infinity,
    strAbbreviateSize: Infinity,
  });
}

/** Returns whether all values are different. */
export function areDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

/** Returns whether the numbers are strictly increasing. */
export function areRising(values: readonly number[]): boolean {
  return values.every((value, nth) => nth === 0 || value > values[nth - 1]!);
}
