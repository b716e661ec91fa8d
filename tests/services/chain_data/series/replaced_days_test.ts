import { assertEquals } from "@std/assert";
import type { Metric } from "../../../../services/chain_data/metrics_schema.ts";
import { refreshSeries } from "../../../../services/chain_data/series/series_reader.ts";
import type { Deps } from "../../../../services/deps.ts";
import { jobCallOptions } from "../../../../services/platform/cache/read_through.ts";
import { formatDay, parseDay } from "../../../../services/platform/days.ts";
import { askMetrics } from "../../../support/chain_data/metrics_answers.ts";
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
  const cases: [metric: Metric, inferred: number][] = [
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
  const query = (metric: Metric) =>
    `chainId=${CHAIN}&metric=${metric}&from=2026-11-02&to=2026-11-05`;
  const changed = resuming(deps);
  for (const [metric, inferred] of cases) {
    const { body } = await askMetrics(deps, query(metric));
    if (metric === "txCount") {
      assertEquals(body.series.map(({ value }) => value), [0, 0, 0, 0]);
    }
    const id = { subject: CHAIN, metric };
    await refreshSeries(changed, id, jobCallOptions());
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
