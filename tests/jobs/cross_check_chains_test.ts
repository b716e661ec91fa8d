/** The part of cross-check that reads every chain from the explorer index. */
import { indexSeriesId } from "../../services/chain_data/catalogue/series_id.ts";
import { INDEX_METRICS } from "../../services/chain_data/catalogue/check_rules_schema.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DAY_MS } from "../../services/platform/days.ts";
import { upstreamDown } from "../../services/platform/fault.ts";
import { isIndexed } from "../../services/chain_data/checks/index_checks.ts";
import { readQuality } from "../../services/chain_data/quality/quality.ts";
import { readDisputes } from "../../services/chain_data/checks/disputes.ts";
import type { ChainIndex } from "../../services/chain_data/checks/chain_index_client.ts";
import { ANOMALY_CHAIN_IDS } from "../../simnet/series/anomalies.ts";
import {
  CHAIN_DISPUTE,
  LAGGING_DAYS,
  ZERO_CHAIN_ID,
} from "../../simnet/explorer/explorer_days.ts";
import { refreshSeries } from "../../services/chain_data/series/series_reader.ts";
import { jobCallOptions } from "../../services/platform/cache/read_through.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { runNamed, succeed } from "../support/jobs.ts";

const JOB = "cross-check";

/** Takes the calls about chains since the last time: the metric and the chain. */
function takeChainCalls({ upstreams }: TestDeps): string[] {
  return upstreams.explorer.calls.splice(0).flatMap(({ path }) => {
    const { pathname, searchParams } = new URL(path, "http://explorer.test");
    const kind = /aggregations\/(\w+)$/.exec(pathname)?.[1];
    if (kind) return [`${kind} ${searchParams.get("includedChainIds")}`];
    const chainId = /evm\/(\d+)\//.exec(pathname)![1];
    return chainId === "43114" ? [] : [`fees ${chainId}`];
  });
}

function withChainIndex(deps: TestDeps, readDaily: ChainIndex["readDaily"]) {
  const chainIndex = { ...deps.upstream.chainIndex, readDaily };
  return { ...deps, upstream: { ...deps.upstream, chainIndex } };
}

Deno.test("cross-check reads each metric of each chain once a day, and of a chain that is not indexed only the transactions", async (t) => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const chains = (await deps.store.chains.find())!.chains.length;
  const unindexed = [ZERO_CHAIN_ID, ANOMALY_CHAIN_IDS.never];
  const expected = 1 + 3 * (chains - 1 - unindexed.length) + unindexed.length;

  await t.step("one call a series", async () => {
    assertEquals(
      await succeed(deps, JOB),
      `3 series checked, ${expected} series of chains read`,
    );
    const calls = takeChainCalls(deps);
    assertEquals(new Set(calls).size, calls.length);
    assertEquals(calls.length, expected);
    assertEquals(
      calls.filter((call) =>
        call.endsWith(" 43114") ||
        unindexed.some((id) => call.endsWith(` ${id}`))
      ).toSorted(),
      ["addresses 43114", ...unindexed.map((id) => `txs ${id}`)].toSorted(),
    );
  });
  await t.step("none again on the same day", async () => {
    deps.advance(3_600_000);
    assertEquals(await succeed(deps, JOB), "3 series checked");
    assertEquals(takeChainCalls(deps), []);
  });
  await t.step("all again on the next", async () => {
    deps.advance(DAY_MS);
    await succeed(deps, JOB);
    assertEquals(takeChainCalls(deps).length, expected);
  });
});

Deno.test("cross-check continues with the other chains if one fails, and stops after three failures in a row", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const { readDaily } = deps.upstream.chainIndex;
  const failing = (which: (chainId: number) => boolean) =>
    withChainIndex(
      deps,
      (metric, chainId, options) =>
        which(chainId)
          ? Promise.reject(upstreamDown("explorer.test", "no such chain"))
          : readDaily(metric, chainId, options),
    );
  const one = (await runNamed(failing((id) => id === 4337), JOB)).outcome!;
  assertMatch(one, /^3 series checked, \d+ series of chains read, 1 failed$/);
  const found = await deps.store.series.find(indexSeriesId(432204, "feesPaid"));
  assert(isIndexed(found!.series));

  deps.advance(DAY_MS);
  takeChainCalls(deps);
  const { error } = await runNamed(failing(() => true), JOB);
  assertEquals(error, "Cannot read explorer.test: no such chain");
  assertEquals(takeChainCalls(deps), []);
  assertMatch(await succeed(deps, JOB), /^3 series checked, \d+ series/);
});

Deno.test("simnet's chains are checked: /quality and /disputes cover them", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  for (
    const subject of [
      4337,
      ZERO_CHAIN_ID,
      LAGGING_DAYS.chainId,
      CHAIN_DISPUTE.chainId,
    ]
  ) {
    for (const metric of INDEX_METRICS) {
      await refreshSeries(deps, { subject, metric }, jobCallOptions());
    }
  }
  await succeed(deps, JOB);
  const { chainChecks } = (await readQuality(deps)).answer;
  const checkOf = (id: number, of = "txCount") =>
    chainChecks.find(({ chainId, metric }) => chainId === id && metric === of)!;
  const dispute = (await readDisputes(deps)).answer.disputes.filter((
    { chainId },
  ) => chainId !== 43114);
  assertEquals(checkOf(ZERO_CHAIN_ID).reason, "notIndexed");
  const [newest, oldest] = LAGGING_DAYS.ages;
  assertEquals(
    checkOf(LAGGING_DAYS.chainId).notCoveredDayCount,
    oldest - newest + 1,
  );
  assertEquals(checkOf(4337).agreementPct, 100);
  assertEquals(
    [...new Set(dispute.map(({ chainId, day }) => `${chainId} ${day}`))],
    [`${CHAIN_DISPUTE.chainId} 2026-11-09`],
  );
  assert(
    dispute.some(({ series, unit, token }) =>
      series === "feesPaid" && unit === "avax" && token !== "AVAX"
    ),
  );
});
