/** A metric that upstream publishes after the chain's `txCount`, and that a request reads meanwhile. */
import { assertEquals } from "@std/assert";
import {
  readSeries,
  refreshSeries,
} from "../../../../services/chain_data/series/series_reader.ts";
import { newestDay } from "../../../../services/chain_data/series/series.ts";
import { testDeps } from "../../../support/deps.ts";
import { runNamed, succeed } from "../../../support/jobs.ts";
import { CALL_OPTIONS } from "../../../support/upstreams.ts";

const MINUTE_MS = 60_000;

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
  for (let tick = 0; tick < 9; tick++) {
    deps.advance(10 * MINUTE_MS);
    await runNamed(late, "refresh-series");
  }
  const { series } = await readSeries(late, id, { maxStaleMs: 0 });
  assertEquals(newestDay(series), published + 1);
});
