import { assertEquals } from "@std/assert";
import type { StoredSeries } from "../../../../services/chain_data/series/stored_series.ts";
import {
  findReplacedDays,
  refreshSeries,
} from "../../../../services/chain_data/series/series_reader.ts";
import {
  EMPTY_SERIES,
  seriesOf,
} from "../../../../services/chain_data/series/series.ts";
import type { MetricsSeriesId } from "../../../../services/chain_data/catalogue/series_id.ts";
import type { StoredMetric } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import type { Deps } from "../../../../services/deps.ts";
import { jobCallOptions } from "../../../../services/platform/rate_limit/call_budget.ts";
import { formatDay, parseDay } from "../../../../services/platform/days.ts";
import { askMetrics } from "../../../support/chain_data/metrics_answers.ts";
import { restart } from "../../../support/app.ts";
import { testDeps } from "../../../support/deps.ts";
import { succeed } from "../../../support/jobs.ts";
import { putSeries, revisionsOf } from "../../../support/series.ts";

const CHAIN = 53935;
const LAST = parseDay("2026-11-01");

/** Returns dependencies whose Metrics API answers five days of the chain after `LAST`. */
function resuming<Some extends Deps>(deps: Some): Some {
  const { metrics } = deps.upstream;
  const readDaily: typeof metrics.readDaily = (_, { fromDay = 0 }) =>
    Promise.resolve({
      body: [-1, 0, 1, 2, 4].map((nth) => ({ day: LAST + nth, value: 5 + nth }))
        .filter(({ day }) => day >= fromDay),
      source: metrics.source,
    });
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  return { ...deps, upstream };
}

Deno.test("a value that a chain publishes late replaces the inferred one, as a revision", async () => {
  const cases: [metric: StoredMetric, inferred: number][] = [
    ["txCount", 0],
    ["feesPaid", 0],
    ["cumulativeTxCount", 5],
  ];
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  await refreshSeries(
    deps,
    { subject: 43114, metric: "txCount" },
    jobCallOptions(),
  );
  for (const [metric] of cases) {
    await putSeries(deps, { subject: CHAIN, metric }, {
      from: formatDay(LAST - 1),
      values: [4, 5],
    });
  }
  const query = (metric: StoredMetric) =>
    `chainId=${CHAIN}&metric=${metric}&from=2026-11-02&to=2026-11-05`;
  const changed = resuming(deps);
  for (const [metric, inferred] of cases) {
    const { body } = await askMetrics(deps, query(metric));
    if (metric === "txCount") {
      assertEquals(body.series.map(({ value }) => value), [0, 0, 0, 0]);
    }
    const id = { subject: CHAIN, metric };
    deps.advance(1);
    await refreshSeries(changed, id, jobCallOptions());
    restart(deps);
    const { body: after } = await askMetrics(deps, query(metric));
    assertEquals(after.series.map(({ value }) => value), [6, 7, 9]);
    assertEquals(after.gaps, [{ from: "2026-11-04", to: "2026-11-04" }]);
    assertEquals(
      await revisionsOf(deps, id),
      [1, 2, 4].map((nth) => ({
        day: LAST + nth,
        from: inferred,
        to: 5 + nth,
        seenAt: deps.now().getTime(),
        cause: "published",
      })),
    );
    await refreshSeries(changed, id, jobCallOptions());
    assertEquals((await revisionsOf(deps, id)).length, 3, "once");
  }
});

Deno.test("a day that was only late is no revision", async () => {
  using deps = await testDeps();
  await refreshSeries(
    deps,
    { subject: 43114, metric: "txCount" },
    jobCallOptions(),
  );
  const id = { subject: CHAIN, metric: "txCount" } as const;
  await refreshSeries(deps, id, jobCallOptions());
  deps.advance(86_400_000);
  await refreshSeries(deps, id, jobCallOptions());
  assertEquals(await revisionsOf(deps, id), []);
});

/** A read of a chain with its last known day 102, when the C-Chain has published day 112. */
const READ = {
  before: seriesOf([{ day: 101, value: 4 }, { day: 102, value: 5 }]),
  after: seriesOf([
    { day: 101, value: 4 },
    { day: 102, value: 9 },
    { day: 103, value: 7 },
    { day: 104, value: 0 },
    { day: 105, value: 8 },
    { day: 106, value: 9 },
  ]),
  published: 112,
  readAt: 200 * 86_400_000,
};

/** Finds the days that a read replaces. Without `txCount` the store fails a read of it. */
async function replacedDays(
  id: MetricsSeriesId,
  read: Partial<Parameters<typeof findReplacedDays>[2]> = {},
  txCount?: StoredSeries["series"] | null,
) {
  using deps = await testDeps();
  const series: typeof deps.store.series = {
    ...deps.store.series,
    find(asked) {
      if (String(asked.subject).startsWith("explorer-index")) {
        return Promise.resolve(null);
      }
      assertEquals(asked, { subject: CHAIN, metric: "txCount" });
      if (txCount === undefined) throw new Error("not needed");
      return Promise.resolve(
        txCount && {
          series: txCount,
          origin: deps.upstream.metrics.baseUrl,
        } as unknown as StoredSeries,
      ) as ReturnType<typeof deps.store.series.find>;
    },
  };
  const store = { ...deps.store, series };
  const found = await findReplacedDays({ ...deps, store }, id, {
    ...READ,
    ...read,
  });
  return Object.fromEntries(found);
}

Deno.test("findReplacedDays() finds the days after the last known one that could be inferred, and have another value", async () => {
  const id = { subject: CHAIN, metric: "txCount" } as const;
  assertEquals(await replacedDays(id), { 103: 0, 105: 0 });
  const earlier = { published: 111 };
  assertEquals(await replacedDays(id, earlier), { 103: 0 });
  const onDay = { readAt: 103 * 86_400_000 };
  assertEquals(await replacedDays(id, onDay), { 103: 0 });
  assertEquals(await replacedDays(id, { published: null }), {});
  const network = { subject: "primary-network", metric: "validatorCount" };
  assertEquals(await replacedDays(network as MetricsSeriesId), {});
  const first = await replacedDays(id, { before: EMPTY_SERIES });
  assertEquals(first, { 101: 0, 102: 0, 103: 0, 105: 0 });
});

Deno.test("findReplacedDays() infers the last value of a running total, and 0 before any", async () => {
  const id = { subject: CHAIN, metric: "cumulativeTxCount" } as const;
  assertEquals(await replacedDays(id, {}, EMPTY_SERIES), {
    103: 5,
    104: 5,
    105: 5,
  });
  const first = { before: EMPTY_SERIES };
  assertEquals(await replacedDays(id, first, EMPTY_SERIES), {
    101: 0,
    102: 0,
    103: 0,
    105: 0,
  });
});

Deno.test("findReplacedDays() asks for the chain's transactions only if a day has changed, and skips days that had some", async () => {
  const id = { subject: CHAIN, metric: "feesPaid" } as const;
  assertEquals(await replacedDays(id, { after: READ.before }), {});
  const one = seriesOf([{ day: 102, value: 5 }, { day: 103, value: 7 }]);
  assertEquals(await replacedDays(id, { after: one }, null), { 103: 0 });
  assertEquals(await replacedDays(id, {}, null), { 103: 0, 105: 0 });
  const active = seriesOf([
    { day: 103, value: 1 },
    { day: 105, value: 0 },
    { day: 106, value: 1 },
  ]);
  assertEquals(await replacedDays(id, {}, active), { 105: 0 });
  const revised = { ...active, revised: new Map([[103, 1]]) };
  assertEquals(await replacedDays(id, {}, revised), { 103: 0, 105: 0 });
});
