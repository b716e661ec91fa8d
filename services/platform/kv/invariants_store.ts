/** Checks the whole store against its rules: for an operator after a crash, and for tests that simulate one. */
import {
  collectionOf,
  type Collections,
  type Found,
  isAbout,
  type Records,
  type Rule,
} from "./store_rule.ts";
import type { ReadKey } from "./reads.ts";

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

/** Makes the checker of a database. */
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
