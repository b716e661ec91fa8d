/** A metric that upstream publishes after the chain's `txCount`, and that a request reads meanwhile. */
import { assertEquals } from "@std/assert";
import type { ChainDataDeps } from "../../../../services/chain_data/overview/deps.ts";
import {
  isDayMissing,
  readSeries,
  refreshSeries,
} from "../../../../services/chain_data/series/series_reader.ts";
import type { SeriesState } from "../../../../services/chain_data/series/stored_series.ts";
import { nameSeries } from "../../../../services/chain_data/catalogue/series_id.ts";
import { newestDay } from "../../../../services/chain_data/series/series.ts";
import { testDeps } from "../../../support/deps.ts";
import { runNamed, succeed } from "../../../support/jobs.ts";
import { CALL_OPTIONS } from "../../../support/upstreams.ts";

const MINUTE_MS = 60_000;

Deno.test("isDayMissing() is true for two hours after the newest day of the chain's txCount came, while a metric lacks it", async () => {
  const NOW = 1e12;
  const state = (newestDay: number, newestAgo: number | null) => ({
    newestDay,
    fetchedAt: NOW,
    newestAt: newestAgo === null ? null : NOW - newestAgo,
    wholeAt: NOW,
  });
  type State = SeriesState | null;
  const isMissing = (
    [newest, txCount]: readonly [newest: number | null, txCount: State],
    id: Parameters<typeof isDayMissing>[1],
  ) =>
    isDayMissing(
      {
        store: { series: { listStates: () => Promise.resolve([txCount]) } },
        upstream: { metrics: { baseUrl: "" } },
        now: () => new Date(NOW),
      } as unknown as ChainDataDeps,
      id,
      newest,
    );
  const late = 120 * MINUTE_MS;
  const cases: [newest: number | null, txCount: State, expected: boolean][] = [
    [4, state(5, 0), true],
    [4, state(5, late - 1), true],
    [4, state(5, late), false],
    [5, state(5, 0), false],
    [6, state(5, 0), false],
    [4, state(5, null), false],
    [null, state(5, 0), false],
    [4, null, false],
  ];
  for (const [newest, txCount, expected] of cases) {
    const states = [newest, txCount] as const;
    assertEquals(
      await isMissing(states, { subject: 7, metric: "gasUsed" }),
      expected,
      JSON.stringify(states),
    );
  }
  const behind = [4, state(5, 0)] as const;
  for (
    const id of [
      { subject: 7, metric: "txCount" },
      { subject: "primary-network", metric: "validatorCount" },
    ] as const
  ) assertEquals(await isMissing(behind, id), false, id.metric);
});

Deno.test("readSeries() has a job read a metric again that lacked the chain's newest day", async () => {
  using deps = await testDeps({ chains: 3, start: "2026-11-22T00:05:00Z" });
  await succeed(deps, "refresh-series");
  const id = { subject: 2044, metric: "gasUsed" } as const;
  const { metrics } = deps.upstream;
  const published = (await deps.store.publications.find())!.newestDay;
  const publishesAt = Date.parse("2026-11-23T02:00:00Z");
  const readDaily: typeof metrics.readDaily = async (asked, options) => {
    const { body, source } = await metrics.readDaily(asked, options);
    const isLate = asked.subject === id.subject &&
      asked.metric === id.metric && deps.now().getTime() < publishesAt;
    const days = body.filter(({ day }) => !isLate || day <= published);
    return { body: days, source };
  };
  const upstream = { ...deps.upstream, metrics: { ...metrics, readDaily } };
  const late = { ...deps, upstream };
  deps.advance(24 * 60 * MINUTE_MS + 5 * MINUTE_MS);
  for (const subject of [43114, 2044]) {
    await refreshSeries(late, { subject, metric: "txCount" }, CALL_OPTIONS);
  }
  // No job runs for an hour, so a request reads the metric.
  deps.advance(55 * MINUTE_MS);
  const first = await readSeries(late, id, { maxStaleMs: 0 });
  assertEquals(first.fetchedAt, deps.now().getTime());
  assertEquals(newestDay(first.series), published, "not published yet");
  const failures = await deps.store.series.listFailures();
  assertEquals(failures.get(nameSeries(id)), deps.now().getTime());
  for (let tick = 0; tick < 9; tick++) {
    deps.advance(10 * MINUTE_MS);
    await runNamed(late, "refresh-series");
  }
  const { series } = await readSeries(late, id, { maxStaleMs: 0 });
  assertEquals(newestDay(series), published + 1);
});
