/**
 * What a store keeps: how its collections are kept and copied, the invariants of their
 * records, and the check of the whole store against them.
 */
import type { ReadKey } from "./reads.ts";

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
interface Found<Value> {
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

/** A record that breaks a rule. */
interface BrokenRule {
  readonly key: Deno.KvKey;
  readonly rule: string;
  readonly invariant: string;
  /** The error that the rule threw; null if it did not throw. */
  readonly error: string | null;
}

/** The result of a check of the whole store. */
interface StoreCheck {
  readonly records: number;
  readonly brokenCount: number;
  /** The first broken rules. */
  readonly broken: readonly BrokenRule[];
}

/** Records that are checked at a time. */
const BATCH_RECORDS = 100;

/** Broken rules that are listed. */
const MAX_LISTED = 1_000;

/** Applies to records of collections that this version does not know. */
const UNKNOWN: Rule<never> = {
  name: "known-record",
  of: [],
  invariant: "this version knows what a record is",
  holds: () => false,
};

/** Makes the checker of a database: for an operator after a crash, and for tests that simulate one. */
export function invariantStore(
  kv: Deno.Kv,
  read: ReadKey,
  rules: readonly Rule<never>[],
  collections: Collections,
) {
  /** Returns the rules that a record breaks. */
  async function checkRecord(
    found: Found<never>,
    records: Records,
  ): Promise<BrokenRule[]> {
    const checked = await Promise.all(
      rulesFor(found.key).map((rule) => checkRule(rule, found, records)),
    );
    return checked.filter((broken) => broken !== null);
  }

  function rulesFor(key: Deno.KvKey): readonly Rule<never>[] {
    const matching = rules.filter((rule) => isAbout(rule, key));
    const isUnchecked = collectionOf(collections, key)?.isUnchecked ?? false;
    return matching.length > 0 || isUnchecked ? matching : [UNKNOWN];
  }

  return {
    /**
     * Checks every record at a time, in epoch ms. A record that breaks a rule is
     * read and checked again, so the service may run during the check.
     */
    async check(now: number): Promise<StoreCheck> {
      const records = recordsOf(kv, read, now);
      const broken: BrokenRule[] = [];
      let brokenCount = 0;
      let count = 0;
      for await (const batch of listBatches(kv)) {
        count += batch.length;
        const checked = await Promise.all(
          batch.map((found) => checkRecord(found, records)),
        );
        const found = checked.flat();
        brokenCount += found.length;
        for (const one of found.slice(0, MAX_LISTED - broken.length)) {
          broken.push(one);
        }
      }
      return { records: count, brokenCount, broken };
    },
  };
}

function recordsOf(kv: Deno.Kv, read: ReadKey, now: number): Records {
  return {
    now,
    async find<Value>(key: Deno.KvKey) {
      return (await read<Value>(key)).value;
    },
    list: (prefix) => kv.list({ prefix }, { batchSize: 500 }),
  };
}

async function* listBatches(kv: Deno.Kv): AsyncGenerator<Found<never>[]> {
  let batch: Found<never>[] = [];
  for await (const { key, value } of kv.list<never>({ prefix: [] })) {
    batch.push({ key, value });
    if (batch.length < BATCH_RECORDS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function checkRule(
  rule: Rule<never>,
  found: Found<never>,
  records: Records,
): Promise<BrokenRule | null> {
  const { name, invariant } = rule;
  const { key } = found;
  try {
    if (await rule.holds(found, records)) return null;
    const value = await records.find<never>(key);
    if (value === null || await rule.holds({ key, value }, records)) {
      return null;
    }
    return { key, rule: name, invariant, error: null };
  } catch (error) {
    return { key, rule: name, invariant, error: String(error) };
  }
}
