/** What a rule of the store is: a demand on every record of a kind, and what it may read to judge one. */

/** A record with its key. */
export interface Found<Value> {
  readonly key: Deno.KvKey;
  readonly value: Value;
}

/** What rules read beside the record they judge. */
export interface Records {
  /** Finds the value of a key; null where there is none. */
  find<Value>(key: Deno.KvKey): Promise<Value | null>;
  /** Goes through the records under a prefix, in the order of their keys. */
  list<Value>(prefix: Deno.KvKey): AsyncIterable<Found<Value>>;
  /** The instant of the check, epoch ms. */
  readonly now: number;
}

/** Wildcards: passed to a key function in place of its arguments, they make a pattern of keys. */
export const ANY = "*";
export const ANY_NUMBER = NaN;

/** A demand on every record of a kind. */
export interface Rule<Value = unknown> {
  /** Says in one word or two which rule it is. */
  readonly name: string;
  /** The pattern of the keys that it applies to. */
  readonly of: Deno.KvKey;
  /** What is so of each record, as a sentence without a full stop. */
  readonly demands: string;
  /** Returns whether it is so of a record. */
  holds(
    record: Found<Value>,
    records: Records,
  ): boolean | Promise<boolean>;
}

/** Returns whether a rule is about a key. */
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

/** Returns whether two values are the same through and through, in whatever order their fields stand. */
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

/** Returns whether no value comes twice. */
export function areDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

/** Returns whether each number is greater than the one before. */
export function areRising(values: readonly number[]): boolean {
  return values.every((value, nth) => nth === 0 || value > values[nth - 1]!);
}
