/** Shares of upstream calls: how many calls one client gets, and how many are left for others. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  requireLeftForClient,
  takeForClient,
} from "../../../../services/platform/rate_limit/change_limits.ts";
import { PLANS } from "../../../../services/payments/plans_schema.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { readConfig } from "../../../../services/config.ts";
import { MAX_WAITING } from "../../../../services/scores/scores_store.ts";
import {
  planRequester,
  requesterOfClient,
  UNSHARED,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import { metricsLimits } from "../../../../services/platform/rate_limit/upstream_limits.ts";
import {
  readBadgeScore,
  readScorePage,
  scoreWithinBudget,
} from "../../../../services/scores/public_scores.ts";
import { readScore } from "../../../../services/scores/scores.ts";
import { readSeries } from "../../../../services/chain_data/series/series_reader.ts";
import type { StoredMetric } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import { exampleOf } from "../../../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";
const BUDGET = {
  name: "up.test",
  limits: [{ calls: 12, perMs: 60_000 }],
  shares: UNSHARED,
};

/** Takes calls until a client is refused; returns how many it got. */
async function exhaust(deps: TestDeps, client: string): Promise<number> {
  for (let nth = 0;; nth++) {
    try {
      await takeForClient(deps, BUDGET, client);
    } catch (error) {
      assert(error instanceof Fault);
      return nth;
    }
  }
}

Deno.test("takeForClient() admits the share of a client across all processes, and no more", async () => {
  using deps = await testDeps();
  const answers = await Promise.allSettled(
    Array.from({ length: 30 }, () => takeForClient(deps, BUDGET, A)),
  );
  const served = answers.filter(({ status }) => status === "fulfilled");
  assertEquals(served.length, 6);
  assertEquals(await exhaust(deps, B), 6);
});

Deno.test("takeForClient() and requireLeftForClient() say whose calls are used up, and only the first one counts", async () => {
  using deps = await testDeps();
  for (let nth = 0; nth < 20; nth++) {
    await requireLeftForClient(deps, BUDGET, A);
  }
  assertEquals(await exhaust(deps, A), 6);
  const kind = "scoringBusy";
  const refusalOf = async (client?: string) => {
    const [taken, looked] = await Promise.all(
      [takeForClient, requireLeftForClient].map((ask) =>
        assertRejects(() => ask(deps, BUDGET, client), Fault)
      ),
    );
    assertEquals(taken!.failure, looked!.failure);
    assert(taken!.failure.kind === kind);
    const { retryAfterMs, ...failure } = taken!.failure;
    assert(retryAfterMs > 0 && retryAfterMs <= 61_000, String(retryAfterMs));
    return failure;
  };
  const upstream = "up.test";
  assertEquals(await refusalOf(A), {
    kind,
    upstream,
    requester: A,
    usedBy: "network",
  });
  for (let nth = 0; nth < 6; nth++) {
    await takeForClient(deps, BUDGET, undefined);
  }
  assertEquals(await refusalOf(), {
    kind,
    upstream,
    requester: upstream,
    usedBy: "everyone",
  });
});

Deno.test("readSeries() charges one of the waiting clients, and a refusal starts no backoff for others", async () => {
  using deps = await testDeps();
  const { host } = new URL(deps.upstream.metrics.baseUrl);
  const name = `metrics ${host}`;
  const limits = metricsLimits(readConfig({}).calls.metrics).readers;
  const read = (client: string, metric: StoredMetric) =>
    readSeries(deps, { subject: 43114, metric }, { maxStaleMs: 0, client });
  const spent = async (client: string) => {
    const key = ["budgets", `${name} for ${client}`];
    const { value } = await deps.kv.get<{ counts: [number, number][][] }>(key);
    return (value?.counts[0] ?? []).reduce((sum, [, n]) => sum + n, 0);
  };
  await Promise.all([A, B, B].map((client) => read(client, "txCount")));
  assertEquals(deps.upstreams.metricsApi.calls.length, 2, "pages");
  assertEquals([await spent(A), await spent(B)].toSorted(), [0, 2]);
  for (let isLeft = true; isLeft;) {
    const budget = { name, limits, shares: UNSHARED };
    isLeft =
      (await deps.store.budgets.takeShared(budget, requesterOfClient(A), deps))
        .allowed;
  }
  const { failure } = await assertRejects(() => read(A, "gasUsed"), Fault);
  assertEquals(
    failure.kind,
    "notReadYet",
    "a 503, and the job reads it next",
  );
  const { series } = await read(B, "gasUsed");
  assertEquals((await read(A, "gasUsed")).series, series, "stored by now");
});

Deno.test("scoreWithinBudget() leaves calls for other networks, and the page shows stored scores", async () => {
  using deps = await testDeps();
  let read = 0;
  for (let nth = 0; nth < 12; nth++) {
    const address = exampleOf("unused", nth);
    const asked = { priority: "reader", client: A } as const;
    if ((await scoreWithinBudget(deps, address, asked)).read) read++;
  }
  assertEquals(read, 12);
  const address = exampleOf("ordinary");
  const refused = await readScorePage(deps, address, { client: A });
  assertEquals(refused.obstacle, "busy");
  assert(refused.retryAfterMs >= 5_000 && refused.retryAfterMs <= 60_000);
  const served = await readScorePage(deps, address, { client: B });
  assertEquals(served.obstacle, null);
});

Deno.test("scoreWithinBudget() lets a network have 60 addresses scored in an hour, and a /56 of it twice as many", async () => {
  using deps = await testDeps();
  let nth = 0;
  async function exhaustIn(client: string): Promise<number> {
    let read = 0;
    for (let refused = 0; refused < 2;) {
      const asked = { priority: "reader", client } as const;
      const address = exampleOf("unused", nth++);
      if ((await scoreWithinBudget(deps, address, asked)).read) {
        read++;
        refused = 0;
      } else {
        refused++;
        deps.advance(61_000);
      }
    }
    return read;
  }
  assertEquals(await exhaustIn("2001:db8:0:1::1"), 60);
  assertEquals(await exhaustIn("2001:db8:0:2::1"), 60);
  assertEquals(await exhaustIn("2001:db8:0:3::1"), 0, "its /56 had 120");
});

Deno.test("scoreWithinBudget() leaves the calls of paid plans, however many networks ask", async () => {
  using deps = await testDeps();
  const start = deps.now().getTime();
  for (let nth = 0; nth < 60; nth++) {
    const asked = { priority: "reader", client: `198.51.100.${nth}` } as const;
    await scoreWithinBudget(deps, exampleOf("unused", nth), asked)
      .catch((error) => assert(error instanceof Fault));
  }
  assert(deps.now().getTime() - start < 120_000);
  const before = deps.now().getTime();
  const requester = planRequester(
    exampleOf("heavy"),
    PLANS.builder.turns,
  );
  await readScore(deps, exampleOf("ordinary"), { requester });
  assert(deps.now().getTime() - before <= 2_000, "it waits for no visitor");
});

Deno.test("readBadgeScore() lets one client fill half of the waiting list, and still returns its badges", async () => {
  using deps = await testDeps();
  for (let nth = 0; nth < MAX_WAITING; nth++) {
    const badge = await readBadgeScore(deps, exampleOf("unused", nth), A);
    assertEquals(badge.headline, null);
  }
  assertEquals((await deps.store.waitingScores.list()).length, 250);
  const address = exampleOf("ordinary");
  await readBadgeScore(deps, address, B);
  assertEquals((await deps.store.waitingScores.list()).at(-1), address);
  assertEquals(deps.lines, []);
});

Deno.test("readBadgeScore() counts an address that waits already towards no share", async () => {
  using deps = await testDeps();
  for (let nth = 0; nth < MAX_WAITING; nth++) {
    await readBadgeScore(deps, exampleOf("unused"), A);
  }
  const address = exampleOf("ordinary");
  await readBadgeScore(deps, address, A);
  assertEquals((await deps.store.waitingScores.list()).at(-1), address);
});
