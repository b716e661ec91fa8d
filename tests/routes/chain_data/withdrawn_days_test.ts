import { assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import type { Deps } from "../../../services/deps.ts";
import { refreshSeries } from "../../../services/chain_data/series/series_reader.ts";
import type { DailyValue } from "../../../services/chain_data/series/series.ts";
import { jobCallOptions } from "../../../services/platform/rate_limit/call_budget.ts";
import { HOUR_MS, parseDay } from "../../../services/platform/days.ts";
import { askMetrics } from "../../support/chain_data/metrics_answers.ts";
import { readQuality } from "../../support/chain_data/quality_answers.ts";
import { askChecked } from "../../support/checked_answers.ts";
import { restart } from "../../support/app.ts";
import { testDeps } from "../../support/deps.ts";
import { rowsOf } from "../../support/charts/explorer.ts";
import { succeed } from "../../support/jobs.ts";
import { revisionsOf } from "../../support/series.ts";

const ID = { subject: 43114, metric: "txCount" } as const;
const DAY = "2026-11-12";

/** Returns dependencies whose Metrics API answers `DAY` with another value; null is none. */
function withdrawing<Some extends Deps>(deps: Some, answer: 0 | null): Some {
  const { metrics } = deps.upstream;
  const readDaily: typeof metrics.readDaily = async (id, options) => {
    const { body, source } = await metrics.readDaily(id, options);
    const change = (point: DailyValue): DailyValue[] => {
      if (point.day !== parseDay(DAY)) return [point];
      return answer === null ? [] : [{ ...point, value: answer }];
    };
    return { body: body.flatMap(change), source };
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  return { ...deps, upstream };
}

const query = `from=${DAY}&to=${DAY}`;

Deno.test("a withdrawn day keeps its value, is marked in answer, page and quality, and is revised after three reads", async () => {
  for (const answer of [null, 0] as const) {
    using deps = await testDeps();
    await succeed(deps, "refresh-chains");
    await refreshSeries(deps, ID, jobCallOptions());
    const before = (await askMetrics(deps, query)).body.series[0]!;
    const changed = withdrawing(deps, answer);
    const foundAt = deps.now().toISOString();
    for (let reads = 1; reads <= 2; reads++) {
      await refreshSeries(changed, ID, jobCallOptions());
      restart(deps);
      const { status, body } = await askMetrics(deps, query);
      assertEquals(status, 200);
      assertEquals(body.series, [{ ...before, disputed: "withdrawn" }]);
      const checked = await askChecked(
        deps,
        "/monthly-transactions",
        `${query}&interval=day`,
      );
      assertEquals(
        checked.series.map(({ txCount, disputed }) => [txCount, disputed]),
        [[before.value, "withdrawn"]],
      );
      assertEquals((await readQuality(deps)).withdrawals, [{
        series: "txCount of chain 43114",
        from: DAY,
        to: DAY,
        disputed: "withdrawn",
        answer,
        foundAt,
        readCount: reads,
      }]);
      const page = await createApp(deps).request(
        `/?metric=txCount&chainId=43114&${query}&interval=day`,
        { headers: { Accept: "text/html" } },
      );
      assertEquals(rowsOf(await page.text())[0]!.at(-1), "yes, withdrawn");
      deps.advance(HOUR_MS);
    }
    await refreshSeries(changed, ID, jobCallOptions());
    const { body } = await askMetrics(changed, query);
    assertEquals(
      body.series,
      answer === null
        ? []
        : [{ ...before, value: 0, revisedAt: deps.now().toISOString() }],
    );
    assertEquals(body.gaps.length, answer === null ? 1 : 0);
    assertEquals((await readQuality(deps)).withdrawals, []);
    assertEquals(await revisionsOf(deps, ID), [{
      day: parseDay(DAY),
      from: before.value,
      to: answer,
      seenAt: deps.now().getTime(),
      cause: "withdrawn",
    }]);
  }
});

Deno.test("the C-Chain has no inferred days after its newest days are withdrawn, and all days after they return", async () => {
  using deps = await testDeps({ chains: 2 });
  await succeed(deps, "refresh-chains");
  await succeed(deps, "refresh-series");
  const before = (await askMetrics(deps, "range=30d")).body;
  const { metrics } = deps.upstream;
  const readDaily: typeof metrics.readDaily = async (id, options) => {
    const { body, source } = await metrics.readDaily(id, options);
    return {
      body: body.filter(({ day }) => day <= parseDay("2026-11-05")),
      source,
    };
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  for (let hour = 1; hour <= 3; hour++) {
    deps.advance(HOUR_MS);
    await refreshSeries({ ...deps, upstream }, ID, jobCallOptions());
  }
  const { inferredDayCount, dataThrough, series } =
    (await askMetrics(deps, "range=30d")).body;
  assertEquals(inferredDayCount, 0);
  assertEquals(dataThrough, "2026-11-04");
  assertEquals(
    series.map(({ day, value }) => ({ day, value })),
    before.series.map(({ day, value }) => ({ day, value }))
      .filter(({ day }) => day <= "2026-11-05"),
  );
  deps.advance(HOUR_MS / 2);
  await succeed(deps, "refresh-series");
  assertEquals(
    (await askMetrics(deps, "range=30d")).body.series
      .map(({ revisedAt: _, ...point }) => point),
    before.series,
  );
});

Deno.test("two processes that read at once count one read, and keep one revision", async () => {
  using deps = await testDeps();
  await refreshSeries(deps, ID, jobCallOptions());
  const changed = withdrawing(deps, null);
  const readTwice = () =>
    Promise.all([1, 2].map(() => refreshSeries(changed, ID, jobCallOptions())));
  for (const reads of [1, 2]) {
    await readTwice();
    const { withdrawals } = (await deps.store.series.find(ID))!;
    assertEquals(withdrawals?.map((run) => run.reads), [reads]);
    deps.advance(HOUR_MS);
  }
  await readTwice();
  assertEquals((await revisionsOf(deps, ID)).length, 1);
});

Deno.test("a checked series lists the rows that its second source dropped", async () => {
  using deps = await testDeps();
  await succeed(deps, "cross-check");
  const { explorer } = deps.upstream;
  const readDaily: typeof explorer.readDaily = async (metric, options) => {
    const { body, source } = await explorer.readDaily(metric, options);
    return { body: body.filter(({ day }) => day !== parseDay(DAY)), source };
  };
  const upstream = { ...deps.upstream, explorer: { ...explorer, readDaily } };
  deps.advance(24 * HOUR_MS);
  await succeed({ ...deps, upstream }, "cross-check");
  const { checks } = await askChecked(deps, "/monthly-transactions");
  assertEquals(checks.withdrawnDays, [{ from: DAY, to: DAY }]);
});
