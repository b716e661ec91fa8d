import { assertEquals } from "@std/assert";
import type { KvCounts } from "../../../../services/platform/observability/process_metrics_schema.ts";
import { instrumentedKv } from "../../../../services/platform/kv/database.ts";
import {
  SERVICE,
  UNSHARED,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import { budgetStore } from "../../../../services/platform/rate_limit/call_budgets_store.ts";

const LIMITS = [{ calls: 20, perMs: 60_000 }];
const NOW = 1_000_000;
const clockAt = (ms: number) => ({ now: () => new Date(ms) });
const AT_NOW = clockAt(NOW);

Deno.test("take() admits no more concurrent calls than the budget has", async () => {
  using kv = await Deno.openKv(":memory:");
  const budgets = budgetStore(kv);
  const answers = await Promise.all(
    Array.from(
      { length: 50 },
      () => budgets.take("up.test", LIMITS, AT_NOW),
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
      clockAt(now),
    );
  assertEquals(await take("up.test", 2_000), {
    allowed: false,
    retryAfterMs: 3_000,
    limit: null,
    party: undefined,
  });
  assertEquals((await take("up.test", 5_000)).allowed, true);
  assertEquals((await take("other.test", 2_000)).allowed, true);
});

const SHARED = { name: "up.test", limits: LIMITS, shares: UNSHARED };

/** A process with its store of budgets, and what its last work asked of the database. */
function processOn(kv: Deno.Kv) {
  let asked = { reads: 0, commits: 0 };
  const count = ({ reads = 0, commits = 0 }: KvCounts) => {
    asked.reads += reads;
    asked.commits += commits;
  };
  const budgets = budgetStore(instrumentedKv(kv, count));
  return {
    budgets,
    async costOf(work: () => Promise<unknown>) {
      asked = { reads: 0, commits: 0 };
      await work();
      return asked;
    },
  };
}

const take = ({ budgets }: ReturnType<typeof processOn>, wallet = "0x1") =>
  budgets.takeShared(SHARED, {
    ...SERVICE,
    parties: [{ name: wallet, cap: 1 / 2 }],
  }, AT_NOW);

Deno.test("a process that alone takes calls reads the budget once", async () => {
  using kv = await Deno.openKv(":memory:");
  const alone = processOn(kv);
  const costs = [];
  for (let nth = 0; nth < 3; nth++) {
    costs.push(await alone.costOf(() => take(alone)));
  }
  const once = { reads: 0, commits: 1 };
  assertEquals(costs, [{ reads: 1, commits: 1 }, once, once]);
});

Deno.test("a prepared budget is taken from in one commit", async () => {
  using kv = await Deno.openKv(":memory:");
  const process = processOn(kv);
  const requester = {
    ...SERVICE,
    parties: [{ name: "0x1", cap: 1 / 2 }],
  };
  await process.budgets.prepare([{ name: "claim 0x1" }, {
    name: SHARED.name,
    requester,
  }]);
  const once = { reads: 0, commits: 1 };
  const { budgets, costOf } = process;
  assertEquals(
    await costOf(() => budgets.take("claim 0x1", LIMITS, AT_NOW)),
    once,
  );
  assertEquals(
    await costOf(() => budgets.takeShared(SHARED, requester, AT_NOW)),
    once,
  );
});

Deno.test("processes that take turns admit no more calls than the budget has, and read it before", async () => {
  using kv = await Deno.openKv(":memory:");
  const processes = [processOn(kv), processOn(kv)];
  const admitted: boolean[] = [];
  const costs = [];
  for (let nth = 0; nth < 30; nth++) {
    const turn = processes[nth % 2]!;
    costs.push(
      await turn.costOf(async () => {
        const { allowed } = await turn.budgets.takeShared(
          SHARED,
          SERVICE,
          AT_NOW,
        );
        admitted.push(allowed);
      }),
    );
  }
  assertEquals(admitted.filter((allowed) => allowed).length, 20);
  assertEquals(admitted.lastIndexOf(true), 19);
  // Only the first guess of each process failed.
  assertEquals(costs.filter(({ commits }) => commits > 1).length, 2);
});

Deno.test("a refusal is decided by stored counts, not by remembered ones", async () => {
  using kv = await Deno.openKv(":memory:");
  const full = processOn(kv);
  for (let nth = 0; nth < 20; nth++) await take(full, `0x${nth}`);
  assertEquals((await take(full, "0x0")).allowed, false);
  // The record expires, as it does after its longest window.
  await kv.delete(["budgets", "up.test"]);
  assertEquals((await take(full, "0x0")).allowed, true);
});

Deno.test("a call that waited for the database is decided at the time of its last attempt", async () => {
  using kv = await Deno.openKv(":memory:");
  const [late, full] = [processOn(kv), processOn(kv)];
  await late.budgets.prepare([{ name: "plain" }, { name: SHARED.name }]);
  for (let nth = 0; nth < 20; nth++) {
    await full.budgets.take("plain", LIMITS, AT_NOW);
    await full.budgets.takeShared(SHARED, SERVICE, AT_NOW);
  }
  const slow = () => {
    const times = [NOW, NOW + 5_000];
    return { now: () => new Date(times.shift()!) };
  };
  const answers = [
    await late.budgets.take("plain", LIMITS, slow()),
    await late.budgets.takeShared(SHARED, SERVICE, slow()),
  ];
  // A slot of a second counts until it has left the minute.
  const waits = answers.map((answer) => !answer.allowed && answer.retryAfterMs);
  assertEquals(waits, [56_000, 56_000]);
});

Deno.test("the remembered counts of a wallet are checked together with the budget", async () => {
  using kv = await Deno.openKv(":memory:");
  const [first, second] = [processOn(kv), processOn(kv)];
  const admitted = async (process: typeof first, calls: number) => {
    let count = 0;
    for (let nth = 0; nth < calls; nth++) {
      if ((await take(process, "0x1")).allowed) count++;
    }
    return count;
  };
  // A wallet gets half of 20.
  assertEquals(await admitted(first, 1), 1);
  assertEquals(await admitted(second, 8), 8);
  await take(first, "0x2");
  await take(first, "0x2");
  assertEquals(await admitted(first, 8), 1);
});

Deno.test("isLeftFor() answers from memory, and no for what was never read", async () => {
  using kv = await Deno.openKv(":memory:");
  const { budgets } = processOn(kv);
  const requester = { ...SERVICE, parties: [{ name: "0x1", cap: 1 / 2 }] };
  const ask = () => budgets.isLeftFor(SHARED, requester, NOW);
  assertEquals(ask(), false);
  await budgets.prepare([{ name: SHARED.name, requester }]);
  // A wallet gets half of 20.
  for (let nth = 0; nth < 10; nth++) {
    assertEquals(ask(), true);
    await budgets.takeShared(SHARED, requester, AT_NOW);
  }
  assertEquals(ask(), false, "all were taken");
  const other = { ...SERVICE, parties: [{ name: "0x2", cap: 1 / 2 }] };
  assertEquals(budgets.isLeftFor(SHARED, other, NOW), false, "not remembered");
});

Deno.test("look() says what takeShared() would, and takes nothing", async () => {
  using kv = await Deno.openKv(":memory:");
  const { budgets } = processOn(kv);
  const requester = { ...SERVICE, parties: [{ name: "0x1", cap: 1 / 2 }] };
  for (const [wanted, calls] of [[6, 6], [9, 4]] as const) {
    for (let nth = 0; nth < 3; nth++) {
      assertEquals((await budgets.look(SHARED, requester, NOW)).allowed, true);
    }
    const taken = await budgets.takeShared(SHARED, requester, AT_NOW, wanted);
    assertEquals(taken.allowed && taken.calls, calls);
  }
  const refused = await budgets.look(SHARED, requester, NOW);
  assertEquals(refused.allowed, false);
  assertEquals(await budgets.takeShared(SHARED, requester, AT_NOW), refused);
});

Deno.test("counts of an earlier version, by class, are left behind, and its pause is kept", async () => {
  using kv = await Deno.openKv(":memory:");
  const { budgets } = processOn(kv);
  const old = { classes: { service: [[[16, 20]]] }, askedAt: {} };
  await kv.set(["budgets", SHARED.name], { ...old, closedUntil: NOW + 1 });
  const take = (now: number) =>
    budgets.takeShared(SHARED, SERVICE, clockAt(now));
  assertEquals((await take(NOW)).allowed, false);
  assertEquals((await take(NOW + 1)).allowed, true);
  await budgets.close(SHARED.name, NOW + 9);
  assertEquals((await take(NOW + 8)).allowed, false);
});

Deno.test("counts expire after two of their longest windows, with those of the parties", async () => {
  using kv = await Deno.openKv(":memory:");
  const expiries: [unknown, number | undefined][] = [];
  const { atomic } = kv;
  kv.atomic = () => {
    const operation = atomic.call(kv);
    const { set } = operation;
    operation.set = (key, value, options) => {
      expiries.push([key[1], options?.expireIn]);
      return set.call(operation, key, value, options);
    };
    return operation;
  };
  const budgets = budgetStore(kv);
  const limits = [...LIMITS, { calls: 100, perMs: 3_600_000 }, ...LIMITS];
  await budgets.take("plain", limits, AT_NOW);
  const requester = { ...SERVICE, parties: [{ name: "0x1", cap: 1 / 2 }] };
  await budgets.takeShared({ ...SHARED, limits }, requester, AT_NOW);
  assertEquals(expiries, [
    ["plain", 7_200_000],
    ["up.test", 7_200_000],
    ["up.test for 0x1", 7_200_000],
  ]);
});
