/** Tries single store rules on records in memory, without a database. */
import { assert, assertEquals } from "@std/assert";
import {
  isAbout,
  type Records,
  type Rule,
} from "../../../services/platform/kv/store_rule.ts";

type Held = readonly [key: Deno.KvKey, value: unknown];

/** Records of one key that a rule is tried on, each with the other records of the store. */
interface RuleCases {
  readonly rule: string;
  readonly key: Deno.KvKey;
  readonly cases: readonly (readonly [
    says: string,
    holds: boolean,
    value: unknown,
    others?: readonly Held[],
  ])[];
}

/** Asserts that each rule holds for the records that it should hold for, and for no others. */
export async function assertRules(
  rules: readonly Rule<never>[],
  tried: readonly RuleCases[],
  now = 0,
): Promise<void> {
  const unbroken = new Set(tried.map(({ rule }) => rule));
  for (const { rule: name, key, cases } of tried) {
    const rule = rules.find((rule) => rule.name === name);
    assert(rule, `no rule ${name}`);
    assert(isAbout(rule, key), `${name} is about other keys`);
    for (const [says, holds, value, others = []] of cases) {
      if (!holds) unbroken.delete(name);
      const records = recordsOf([[key, value], ...others], now);
      const found = { key, value: value as never };
      assertEquals(await rule.holds(found, records), holds, `${name}: ${says}`);
    }
  }
  assertEquals(unbroken, new Set(), "rules without a record that breaks them");
}

function recordsOf(all: readonly Held[], now: number): Records {
  const values = new Map(all.map(([key, value]) => [textOf(key), value]));
  return {
    now,
    find: <Value>(key: Deno.KvKey) =>
      Promise.resolve((values.get(textOf(key)) ?? null) as Value | null),
    async *list<Value>(prefix: Deno.KvKey) {
      for (const [key, value] of all) {
        const isBelow = key.length > prefix.length &&
          prefix.every((part, nth) => part === key[nth]);
        if (isBelow) yield { key, value: value as Value };
      }
    },
  };
}

const textOf = (key: Deno.KvKey) => JSON.stringify(key);
