import { assertEquals } from "@std/assert";
import { SERVICE } from "../../../../services/platform/rate_limit/requesters.ts";
import { UNSHARED } from "../../../../services/platform/rate_limit/shared_budget.ts";
import { budgetStore } from "../../../../services/platform/rate_limit/call_budgets_store.ts";

const LIMITS = [{ calls: 20, perMs: 60_000 }];

Deno.test("take() admits no more concurrent calls than the budget has", async () => {
  using kv = await Deno.openKv(":memory:");
  const budgets = budgetStore(kv);
  const answers = await Promise.all(
    Array.from(
      { length: 50 },
      () => budgets.take("up.test", LIMITS, 1_000_000),
    ),
  );
  assertEquals(answers.filter((answer) => answer.allowed).length, 20);
});

Deno.test("close() stops all calls to one upstream until the longest cooldown ends", async () => {
  using kv = await Deno.openKv(":memory:");
  const budgets = budgetStore(kv);
  await budgets.close("up.test", 5_000);
  await budgets.close("up.test", 4_000);
  const take = (name: string, now: number) =>
    budgets.takeShared(
      { name, limits: LIMITS, shares: UNSHARED },
      SERVICE,
      now,
    );
  assertEquals(await take("up.test", 2_000), {
    allowed: false,
    retryAfterMs: 3_000,
    used: null,
    isClosed: true,
  });
  assertEquals((await take("up.test", 5_000)).allowed, true);
  assertEquals((await take("other.test", 2_000)).allowed, true);
});
