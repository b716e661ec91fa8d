/** Cold reads: what the source allows, and what is used of it. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import { readAccount } from "../../../services/accounts/account.ts";
import { testDeps } from "../../support/deps.ts";

const READS = 3;

Deno.test("/api/v1 says what the source allows, in all and for a wallet of each plan, and what is left, as /status.json does", async () => {
  using deps = await testDeps({
    settings: {
      EXPLORER_CALLS_PER_SECOND: "5",
      EXPLORER_CALLS_PER_MINUTE: "20",
      EXPLORER_CALLS_PER_DAY: "40",
    },
  });
  const limits = { perMinute: 19, perDay: 39 };
  const plansWith = (left: number[]) =>
    [
      { plan: "free", perMinute: 1, perDay: 2 },
      { plan: "builder", perMinute: 5, perDay: 10 },
      { plan: "growth", perMinute: 10, perDay: 20 },
      { plan: "scale", perMinute: 15, perDay: 30 },
    ].map((rates, nth) => ({ ...rates, left: left[nth] }));
  const app = createApp(deps);
  const { capacity } = await (await app.request("/api/v1")).json();
  assertEquals(capacity, {
    ...limits,
    used: 0,
    left: 39,
    plans: plansWith([2, 10, 20, 30]),
  });
  const readStatus = async () => {
    deps.advance(6_000);
    return await (await createApp(deps).request("/status.json")).json();
  };
  const caller = await enrol(deps, { plan: "scale" });
  for (let nth = 0; nth < READS; nth++) {
    await caller.ask(`/score/${exampleOf("ordinary", nth)}`);
  }
  const account = await readAccount(deps, caller.wallet);
  assertEquals(account.coldReads, {
    perMinute: 15,
    perDay: 30,
    used: READS,
    left: 27,
  });
  const before = await readStatus();
  assertEquals(before.capacity, {
    ...limits,
    used: READS,
    left: 36,
    plans: plansWith([2, 10, 20, 30]),
  });
  const name = "explorer explorer.test";
  const requester = { of: "service", parties: [], weight: 1 } as const;
  const budget = {
    name,
    limits: deps.upstream.explorer.calls[0]!.limits,
    shares: { reservedFor: [], reserve: 0, plansOnly: 0 },
  };
  for (let nth = 0; nth < 33; nth++) {
    deps.advance(4_000);
    await deps.store.budgets.takeShared(budget, requester, deps);
  }
  const after = await readStatus();
  assertEquals(after.capacity, {
    ...limits,
    used: 36,
    left: 3,
    plans: plansWith([0, 3, 3, 3]),
  });
  const said =
    "under a tenth of the day's calls to the explorer index are left";
  assertEquals(before.reasons.includes(said), false);
  assertEquals([after.status, after.reasons.includes(said)], [
    "degraded",
    true,
  ]);
});
