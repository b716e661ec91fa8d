/** Whether every rule of the store holds: for an operator after a crash, and for tests that make one. */
import type { ReadKey } from "./shared_reads.ts";
import { type Found, isAbout, type Records, type Rule } from "./store_rule.ts";

/** A record of which a rule does not hold. */
export interface BrokenRule {
  readonly key: Deno.KvKey;
  readonly rule: string;
  readonly demands: string;
  /** Why the record could not even be judged; null where it could. */
  readonly error: string | null;
}

/** What a check of the whole store came to. */
export interface StoreCheck {
  readonly records: number;
  readonly brokenCount: number;
  /** The first of what is broken. */
  readonly broken: readonly BrokenRule[];
}

/** Records that are judged at a time. */
const RECORDS_A_TURN = 100;

/** Broken rules that are remembered. */
const MOST_BROKEN = 1_000;

/** Collections whose records stand for themselves: any value is as good as another. */
const FREE: readonly Deno.KvKeyPart[] = [
  "api_key_owners",
  "api_key_revision",
  "budgets",
  "challenges",
  "domain_claims",
  "graph_changes",
  "graph_cursor",
  "oauth_states",
  "ping",
  "series_failures",
];

const UNKNOWN: Rule<never> = {
  name: "known-record",
  of: [""],
  demands: "this version knows what a record is",
  holds: () => false,
};

/** The rules of a store. */
export function invariantStore(
  kv: Deno.Kv,
  read: ReadKey,
  rules: readonly Rule<never>[],
) {
  return {
    /**
     * Judges every record at an instant, in epoch ms. What others write meanwhile
     * is judged once more, so that a service may be at work.
     */
    async check(now: number): Promise<StoreCheck> {
      const records = recordsOf(kv, read, now);
      const broken: BrokenRule[] = [];
      let brokenCount = 0;
      let count = 0;
      for await (const turn of inTurns(kv)) {
        count += turn.length;
        const judged = await Promise.all(
          turn.map((found) => judge(found, records, rules)),
        );
        for (const one of judged.flat()) {
          brokenCount++;
          if (broken.length < MOST_BROKEN) broken.push(one);
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

async function* inTurns(kv: Deno.Kv): AsyncGenerator<Found<never>[]> {
  let turn: Found<never>[] = [];
  for await (const { key, value } of kv.list<never>({ prefix: [] })) {
    turn.push({ key, value });
    if (turn.length < RECORDS_A_TURN) continue;
    yield turn;
    turn = [];
  }
  yield turn;
}

/** Returns which rules do not hold of a record. */
async function judge(
  found: Found<never>,
  records: Records,
  rules: readonly Rule<never>[],
): Promise<BrokenRule[]> {
  const judged = await Promise.all(
    rulesFor(found.key, rules).map((rule) => judgeBy(rule, found, records)),
  );
  return judged.filter((broken) => broken !== null);
}

async function judgeBy(
  rule: Rule<never>,
  found: Found<never>,
  records: Records,
): Promise<BrokenRule | null> {
  const { name, demands } = rule;
  const { key } = found;
  try {
    if (await rule.holds(found, records)) return null;
    const value = await records.find<never>(key);
    if (value === null || await rule.holds({ key, value }, records)) {
      return null;
    }
    return { key, rule: name, demands, error: null };
  } catch (error) {
    return { key, rule: name, demands, error: String(error) };
  }
}

function rulesFor(
  key: Deno.KvKey,
  all: readonly Rule<never>[],
): readonly Rule<never>[] {
  const rules = all.filter((rule) => isAbout(rule, key));
  return rules.length > 0 || FREE.includes(key[0]!) ? rules : [UNKNOWN];
}
