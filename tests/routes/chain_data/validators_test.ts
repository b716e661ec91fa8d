import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import type { Dispute } from "../../../services/chain_data/checks/checked_series_schema.ts";
import { DAY_MS, parseDay } from "../../../services/platform/days.ts";
import type { StakingMetric } from "../../../services/chain_data/catalogue/series_id.ts";
import { askChecked, BASE } from "../../support/checked_answers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";

const ask = (deps: TestDeps) => askChecked(deps, "/validators");

Deno.test("GET /validators returns snapshots by day and the newest one separately", async () => {
  using deps = await testDeps({ start: "2026-11-14T08:00:00Z" });
  for (let day = 0; day < 8; day++) {
    if (day > 0) deps.advance(DAY_MS);
    await succeed(deps, "snapshot-validators");
  }
  const { series, latestSnapshot, checks } = await ask(deps);
  const taken = series.filter(({ snapshot }) => snapshot !== null);
  assertEquals(taken.map(({ day }) => day), [
    "2026-11-14",
    "2026-11-15",
    "2026-11-16",
    "2026-11-17",
    "2026-11-18",
    "2026-11-19",
  ]);
  for (const { day, totalStake, snapshot, ...item } of taken) {
    assert(snapshot!.takenAt.startsWith(day));
    const difference = snapshot!.totalStake! - totalStake;
    const differencePct = Math.round(difference / totalStake * 1e6) / 1e4;
    assertEquals(
      [item.differencePct, item.agrees],
      item.complete ? [differencePct, true] : [null, null],
    );
  }
  assert(latestSnapshot!.takenAt.startsWith("2026-11-21"));
  assertEquals(checks.comparedDayCount, 5);
});

Deno.test("GET /validators shows the first snapshot of a day", async () => {
  using deps = await testDeps({ start: "2026-11-21T00:10:00Z" });
  await succeed(deps, "snapshot-validators");
  deps.advance(6 * 3_600_000);
  await succeed(deps, "snapshot-validators");
  const { latestSnapshot } = await ask(deps);
  assertEquals(latestSnapshot!.takenAt, "2026-11-21T00:10:00.000Z");
});

Deno.test("a validator set outside the tolerance is disputed", async () => {
  using deps = await testDeps();
  const put = (
    metric: StakingMetric,
    value: number,
  ) =>
    putSeries(deps, { subject: "primary-network", metric }, {
      from: "2026-11-16",
      values: Array<number>(4).fill(value),
    });
  await put("validatorCount", 1_100);
  await put("delegatorCount", 50_000);
  await put("validatorWeight", 160_000_000_000_000_000);
  await put("delegatorWeight", 40_000_000_000_000_000);
  const snapshot = {
    validators: 1_101,
    delegators: 50_010,
    delegatorStake: 40_000_000_000_000_001n,
    source: "test",
  };
  for (
    const [day, validatorStake] of [
      ["2026-11-17", 160_900_000_000_000_001n],
      ["2026-11-18", 167_000_000_000_000_003n],
      ["2026-11-19", 100_000_000_000_000_003n],
    ] as const
  ) {
    const takenAt = Date.parse(`${day}T00:10:00Z`);
    await deps.store.validatorDays.add({
      ...snapshot,
      validatorStake,
      day: parseDay(day),
      takenAt,
    });
  }
  const { series, checks } = await ask(deps);
  assertEquals(
    series.map((
      { day, differencePct, agrees },
    ) => [day, differencePct, agrees]),
    [
      ["2026-11-16", null, null],
      ["2026-11-17", 0.45, true],
      ["2026-11-18", 3.5, false],
      ["2026-11-19", null, null],
    ],
    "the newest day is still being added up",
  );
  assertEquals(checks.disputedDays, [{
    day: "2026-11-18",
    value: 200_000_000,
    crossCheckValue: 207_000_000,
    differencePct: 3.5,
  }]);
  assertEquals(series[1]!.snapshot, {
    validators: 1_101,
    delegators: 50_010,
    validatorStake: 160_900_000,
    delegatorStake: 40_000_000,
    totalStake: 200_900_000,
    takenAt: "2026-11-17T00:10:00.000Z",
  });
  const response = await createApp(deps).request(`${BASE}/disputes`);
  const { disputes } = await response.json();
  assertEquals(
    disputes.map(({ series, day }: Dispute) => [series, day]),
    [["stake", "2026-11-18"]],
  );
});
