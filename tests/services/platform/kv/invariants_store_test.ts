/** Store invariants: each holds for what the service writes, and reports each violation. */
import { assert, assertEquals } from "@std/assert";
import { openStores } from "../../../../services/stores.ts";
import { RULES } from "../../../../services/stores.ts";
import { testDeps } from "../../../support/deps.ts";
import { ADA, fill } from "../../../support/kv/filled_store.ts";
import { assertSound } from "../../../support/kv/invariants.ts";
import { NOW } from "../../../support/evm/orders.ts";
import { type Break, listBreaks } from "../../../support/kv/store_breaks.ts";

/** Writes values that violate a rule. Returns a function that restores the old values. */
async function apply(kv: Deno.Kv, writes: Break): Promise<() => Promise<void>> {
  const before = await Promise.all(writes.map(([key]) => kv.get(key)));
  const put = async (key: Deno.KvKey, value: unknown) => {
    if (value === null) await kv.delete(key);
    else await kv.set(key, value);
  };
  for (const [nth, [key, change]] of writes.entries()) {
    await put(key, change(before[nth]!.value));
  }
  return async () => {
    for (const { key, value } of before) await put(key, value);
  };
}

Deno.test("check() finds no violation in what the service writes, and reports each violation by its rule only", async (t) => {
  using deps = await testDeps({ chains: 2 });
  const { kv, store } = deps;
  await fill(deps);
  const now = deps.now().getTime();
  const records = await assertSound(kv, now);
  assert(records > 300, `${records} records`);
  const breaks = await listBreaks(deps);
  for (const [rule, writes] of Object.entries(breaks)) {
    await t.step(rule, async () => {
      const undo = await apply(kv, writes);
      const { broken, brokenCount } = await store.invariants.check(now);
      assertEquals([...new Set(broken.map(({ rule }) => rule))], [rule]);
      assertEquals(brokenCount, broken.length);
      await undo();
    });
  }
  await assertSound(kv, now);
  const names = new Set([...RULES.map(({ name }) => name), "known-record"]);
  assertEquals(new Set(Object.keys(breaks)), names, "no rule is untested");
});

Deno.test("check() reports an unreadable record with its error, and checks the others", async () => {
  using kv = await Deno.openKv(":memory:");
  await kv.set(["score_histories", ADA], 5);
  await kv.set(["payment_scan"], { block: -1, disputed: [] });
  const { broken } = await openStores(kv).invariants.check(NOW);
  assertEquals(broken.map(({ rule, error }) => [rule, error !== null]), [
    ["payment-scan", false],
    ["score-history", true],
  ]);
});
