/** The sources of the quality report: which was read when. */
import { assertEquals } from "@std/assert";
import { listSources } from "../../../../services/chain_data/quality/quality.ts";
import { parseDay } from "../../../../services/platform/days.ts";
import { testDeps } from "../../../support/deps.ts";
import { putSeries } from "../../../support/series.ts";

const HOUR_MS = 3_600_000;
const DAYS = { from: "2026-11-01", values: [1, 2, 3] };

Deno.test("listSources: a source that was never read has its name and address, and no lag", async () => {
  using deps = await testDeps();
  const { metrics, explorer, cChain, platformChain } = deps.upstream;
  const found = await listSources(deps);
  assertEquals(
    found.map(({ source, url, lastSuccessAt, lagHours }) => [
      source,
      url,
      lastSuccessAt,
      lagHours,
    ]),
    [
      [metrics.source, "http://metrics.test", null, null],
      [explorer.source, "http://explorer.test", null, null],
      [cChain.source, "http://c-chain.test", null, null],
      [platformChain.source, "http://p-chain.test", null, null],
    ],
  );
});

Deno.test("listSources: a lag is that of the last read, of the explorer index that of its newest series", async () => {
  using deps = await testDeps();
  await putSeries(deps, { subject: 43114, metric: "txCount" }, DAYS);
  deps.advance(HOUR_MS);
  await putSeries(
    deps,
    { subject: "explorer-index", metric: "feesPaid" },
    DAYS,
  );
  deps.advance(HOUR_MS);
  await putSeries(deps, { subject: "explorer-index", metric: "txCount" }, DAYS);
  deps.advance(HOUR_MS);
  const day = parseDay("2026-11-20");
  const takenAt = deps.now().getTime();
  await deps.store.blockSamples.put({
    day,
    firstBlock: 10,
    firstBlockTimestamp: day * 86_400,
    previousBlock: 9,
    previousBlockTimestamp: day * 86_400 - 1,
    nextDayFirstBlock: 20,
    nextDayFirstBlockTimestamp: day * 86_400 + 86_400,
    takenAt,
    source: "a node",
  });
  deps.advance(HOUR_MS);
  await putSeries(deps, { subject: "explorer-index", metric: "blocks" }, {
    ...DAYS,
    values: [],
  });
  deps.advance(HOUR_MS / 2);
  const [metrics, explorer, cChain, platformChain] = await listSources(deps);
  assertEquals([metrics!.lastSuccessAt, metrics!.lagHours], [
    "2026-11-21T08:00:00.000Z",
    4.5,
  ]);
  assertEquals([explorer!.lastSuccessAt, explorer!.lagHours], [
    "2026-11-21T12:00:00.000Z",
    0.5,
  ]);
  assertEquals([cChain!.source, cChain!.lagHours], ["a node", 1.5]);
  assertEquals(platformChain!.lastSuccessAt, null);
});
