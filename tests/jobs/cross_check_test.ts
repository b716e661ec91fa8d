import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import {
  DAY_MS,
  dayAt,
  formatDay,
  parseDay,
} from "../../services/platform/days.ts";
import { upstreamDown } from "../../services/platform/fault.ts";
import { newestDay, valueOn } from "../../services/chain_data/series/series.ts";
import {
  EXPLORER_METRICS,
  type ExplorerMetric,
} from "../../services/chain_data/catalogue/series_id.ts";
import { testDeps } from "../support/deps.ts";
import { revisionsOf } from "../support/series.ts";
import {
  findIndex,
  maxWithin,
  readStored,
  type RequestedDays,
  show,
  takeCalls,
  withIndex,
} from "../support/chain_data/explorer_calls.ts";
import {
  dyingAfter,
  LEASE_OVER_MS,
  runNamed,
  runSlowly,
  succeed,
} from "../support/jobs.ts";

const JOB = "cross-check";
const GENESIS = parseDay("2020-09-21");

Deno.test("cross-check first fetches the whole history, then new days, two weeks and a recheck", async (t) => {
  using deps = await testDeps();
  const actions = ["dailytx", "dailytxnfee", "dailyblkcount"];

  await t.step("a first run: a year and a day in a call", async () => {
    assertEquals(await succeed(deps, JOB), "3 series checked");
    const calls = takeCalls(deps);
    assertEquals(calls.slice(0, 8).map(show), [
      "dailytx 2020-09-21 2021-09-21",
      "dailytx 2021-09-22 2022-09-22",
      "dailytx 2022-09-23 2023-09-23",
      "dailytx 2023-09-24 2024-09-23",
      "dailytx 2024-09-24 2025-09-24",
      "dailytx 2025-09-25 2026-09-25",
      "dailytx 2026-09-26 2026-11-20",
      "dailytx 2020-09-21 2020-12-10",
    ]);
    assertEquals(
      calls.map(({ action }) => action),
      actions.flatMap((action) => Array(8).fill(action)),
    );
  });
  await t.step("a day later: two calls a series", async () => {
    deps.advance(DAY_MS);
    await succeed(deps, JOB);
    assertEquals(
      takeCalls(deps).map(show),
      actions.flatMap((action) => [
        `${action} 2026-11-06 2026-11-21`,
        `${action} 2020-12-11 2021-03-01`,
      ]),
    );
  });
  await t.step(
    "after two months without a run: the missing days, too",
    async () => {
      deps.advance(60 * DAY_MS);
      await succeed(deps, JOB);
      assertEquals(show(takeCalls(deps)[0]!), "dailytx 2026-11-07 2027-01-20");
    },
  );
});

Deno.test("cross-check stores a day without a row as absent", async () => {
  using deps = await testDeps();
  await succeed(deps, JOB);
  for (const metric of ["txCount", "feesPaid"] as const) {
    const { series } = await findIndex(deps, metric);
    for (const day of ["2021-08-17", "2024-02-29"]) {
      assertEquals(valueOn(series, parseDay(day)), NaN, day);
      assert(valueOn(series, parseDay(day) - 1) > 0);
    }
    assertEquals(formatDay(newestDay(series)!), "2026-11-20");
  }
});

Deno.test("cross-check run twice changes no value", async () => {
  using deps = await testDeps();
  await succeed(deps, JOB);
  const before = await readStored(deps);
  deps.advance(3_600_000);
  await succeed(deps, JOB);
  assertEquals(await readStored(deps), before, "nor their time of change");
});

Deno.test("cross-check continues where a run failed, in any call", async (t) => {
  using whole = await testDeps();
  await succeed(whole, JOB);
  const expected = (await readStored(whole)).map(({ series }) => series);
  const calls = takeCalls(whole);
  for (const after of [0, 1, 3, 8, 12, 23]) {
    await t.step(`after ${after} calls`, async () => {
      using deps = await testDeps();
      deps.upstreams.explorer.switch.set({
        mode: "status",
        status: 500,
        after,
      });
      const { error, outcome } = await runNamed(deps, JOB);
      assertMatch(error!, /^Cannot read explorer.test: status is 500$/);
      assertEquals(outcome, null);
      const made = takeCalls(deps);
      assertEquals(made.slice(0, after), calls.slice(0, after));
      assert(
        made.length <= after + 3,
        "a series is given up after one failure",
      );

      deps.upstreams.explorer.switch.set({ mode: "ok" });
      await succeed(deps, JOB);
      const again = takeCalls(deps).length;
      // Seven calls per history. Stored parts are not fetched again.
      assert(again <= calls.length - after + 6, `${again} calls more`);
      const stored = (await readStored(deps)).map(({ series }) => series);
      assertEquals(stored, expected);
    });
  }
});

Deno.test("cross-check continues after a killed process", async () => {
  using deps = await testDeps();
  const { call, died } = dyingAfter(4, deps.upstream.explorer.readDaily);
  runNamed(withIndex(deps, call), JOB);
  await died;
  takeCalls(deps);
  assertEquals(
    formatDay(newestDay((await findIndex(deps, "txCount")).series)!),
    "2024-09-23",
  );
  assertEquals(await succeed(deps, JOB), "runs already");
  deps.advance(LEASE_OVER_MS);
  assertEquals(await succeed(deps, JOB), "3 series checked");
  assertEquals(takeCalls(deps).slice(0, 4).map(show), [
    "dailytx 2024-09-09 2025-09-09",
    "dailytx 2025-09-10 2026-09-10",
    "dailytx 2026-09-11 2026-11-20",
    "dailytx 2020-09-21 2020-12-10",
  ]);
});

Deno.test("cross-check keeps its lease while the calls of a series are slow", async () => {
  using deps = await testDeps();
  const { readDaily } = deps.upstream.explorer;
  const { error, others } = await runSlowly(
    deps,
    JOB,
    (wait) =>
      withIndex(deps, async (metric, options) => {
        await wait(options.signal);
        return await readDaily(metric, options);
      }),
  );
  assertEquals(others, ["runs already"]);
  assertEquals(error, "Cannot read explorer.test: answer took too long");
});

Deno.test("cross-check continues with other series if one always fails", async () => {
  using deps = await testDeps();
  const { readDaily } = deps.upstream.explorer;
  const failing = withIndex(deps, (metric, options) => {
    if (metric !== "txCount") return readDaily(metric, options);
    return Promise.reject(upstreamDown("explorer.test", "no such action"));
  });
  const { error } = await runNamed(failing, JOB);
  assertEquals(error, "Cannot read explorer.test: no such action");
  const newest = async (metric: ExplorerMetric) => {
    const id = { subject: "explorer-index", metric } as const;
    const stored = await deps.store.series.find(id);
    return stored && formatDay(newestDay(stored.series)!);
  };
  assertEquals(await Promise.all(EXPLORER_METRICS.map(newest)), [
    null,
    "2026-11-20",
    "2026-11-20",
  ]);
});

Deno.test("cross-check rechecks every old day within 28 runs, from any cursor", async () => {
  using deps = await testDeps();
  const runs: { today: number; calls: RequestedDays[] }[] = [];
  for (let run = 0; run < 70; run++) {
    await succeed(deps, JOB);
    runs.push({ today: dayAt(deps.now().getTime()), calls: takeCalls(deps) });
    deps.advance(DAY_MS);
  }
  const daily = runs.slice(1);
  assert(daily.every(({ calls }) => calls.length === 6), "six calls a day");
  for (const action of ["dailytx", "dailytxnfee", "dailyblkcount"]) {
    for (let first = 0; first + 28 <= daily.length; first++) {
      const calls = daily.slice(first, first + 28)
        .flatMap(({ calls }) => calls)
        .filter((call) => call.action === action)
        .toSorted((a, b) => a.from - b.from);
      let through = GENESIS - 1;
      for (const { from, to } of calls) {
        if (from <= through + 1) through = Math.max(through, to);
      }
      const yesterday = daily[first + 27]!.today - 1;
      assertEquals(
        formatDay(through),
        formatDay(yesterday),
        `${action} from run ${first} on`,
      );
    }
  }
});

Deno.test("cross-check stores a restated old value, and drops a row after three reads without it", async () => {
  using deps = await testDeps();
  await succeed(deps, JOB);
  const before = (await findIndex(deps, "txCount")).series;
  const [restated, gone] = [parseDay("2022-05-05"), parseDay("2024-12-24")];
  const { readDaily } = deps.upstream.explorer;
  const changed = withIndex(deps, async (metric, options) => {
    const { body, source } = await readDaily(metric, options);
    const rows = body.filter(({ day }) => day !== gone)
      .map(({ day, value }) => ({ day, value: day === restated ? 7 : value }));
    return { body: rows, source };
  });
  const seen = new Set<number>();
  for (let run = 0; run < 28; run++) {
    deps.advance(DAY_MS);
    await succeed(changed, JOB);
    const { series, withdrawals = [] } = await findIndex(deps, "txCount");
    for (const { from, to, reads } of withdrawals) {
      assertEquals([from, to], [gone, gone]);
      assertEquals(valueOn(series, gone), valueOn(before, gone));
      seen.add(reads);
    }
  }
  assert(seen.size > 0, "the last value stood for a while");
  const { series } = await findIndex(deps, "txCount");
  assertEquals(valueOn(series, restated), 7);
  assertEquals(valueOn(series, gone), NaN);
  const id = { subject: "explorer-index", metric: "txCount" } as const;
  assertEquals(
    (await revisionsOf(deps, id))
      .filter(({ day }) => [gone, restated].includes(day))
      .map(({ day, from, to, cause }) => [day, from, to, cause]).toSorted(),
    [
      [gone, valueOn(before, gone), null, "withdrawn"],
      [restated, valueOn(before, restated), 7, "restated"],
    ].toSorted(),
  );
  const other = parseDay("2023-03-03");
  assertEquals(valueOn(series, other), valueOn(before, other));
});

Deno.test("cross-check makes at most two calls per second, as the index allows, and 24 per run", async () => {
  using deps = await testDeps();
  await succeed(deps, JOB);
  assertEquals(deps.upstreams.explorer.calls.length, 24);
  assertEquals(maxWithin(deps, 1_000), 2);
});

Deno.test("cross-check and readers together make at most two calls per second", async () => {
  using deps = await testDeps();
  const response = await createApp(deps).request(
    "/api/chain-data/block-production",
  );
  assertEquals(response.status, 200);
  await response.body?.cancel();
  assertEquals(deps.upstreams.explorer.calls.length, 7);
  await succeed(deps, JOB);
  assertEquals(maxWithin(deps, 1_000), 2);
});

Deno.test("cross-check ignores data of another explorer index", async () => {
  using deps = await testDeps();
  await succeed(deps, JOB);
  takeCalls(deps);
  const explorer = { ...deps.upstream.explorer, baseUrl: "http://other.test" };
  const moved = { ...deps, upstream: { ...deps.upstream, explorer } };
  await succeed(moved, JOB);
  assertEquals(show(takeCalls(deps)[0]!), "dailytx 2020-09-21 2021-09-21");
  for (const { origin } of await readStored(deps)) {
    assertEquals(origin, "http://other.test");
  }
});
