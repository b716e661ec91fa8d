/** What the sources have of each chain, and since when they have not. */
import { coverageOf } from "../../../../services/chain_data/catalogue/chains_schema.ts";
import { listUntracked } from "../../../../services/chain_data/catalogue/listed_chains.ts";
import { indexSeriesId } from "../../../../services/chain_data/catalogue/series_id.ts";
import { assertEquals } from "@std/assert";
import {
  judgeCoverage,
  readChains,
} from "../../../../services/chain_data/checks/coverage.ts";
import { readQuality } from "../../../../services/chain_data/quality/quality.ts";
import {
  refreshSeries,
} from "../../../../services/chain_data/series/series_reader.ts";
import { seriesOf } from "../../../../services/chain_data/series/series.ts";
import { jobCallOptions } from "../../../../services/platform/rate_limit/call_budget.ts";
import { parseDay } from "../../../../services/platform/days.ts";
import { ANOMALY_CHAIN_IDS } from "../../../../simnet/series/anomalies.ts";
import { testDeps } from "../../../support/deps.ts";
import { putSeries } from "../../../support/series.ts";
import { succeed } from "../../../support/jobs.ts";

const PUBLISHED = parseDay("2026-11-20");

Deno.test("a chain is served, late, not indexed or stopped, by the transactions of both sources", () => {
  const traffic = (from: string, ...values: number[]) =>
    seriesOf(
      values.map((value, nth) => ({ day: parseDay(from) + nth, value })),
    );
  const zeroes = (count: number) => Array<number>(count).fill(0);
  const upTo = (newest: string) => traffic(newest, 5);
  const cases: [
    txCount: ReturnType<typeof traffic>,
    second: ReturnType<typeof traffic> | undefined,
    state: string,
    since: string | null,
  ][] = [
    [upTo("2026-11-20"), undefined, "served", null],
    [upTo("2026-11-19"), undefined, "late", "2026-11-20"],
    [upTo("2026-11-13"), undefined, "late", "2026-11-14"],
    [upTo("2026-11-12"), undefined, "served", null],
    [
      upTo("2026-11-12"),
      traffic("2026-11-11", 5, 5, 0, 0),
      "served",
      null,
    ],
    [
      upTo("2026-11-12"),
      traffic("2026-11-11", 5, 5, 0, 7),
      "stopped",
      "2026-11-13",
    ],
    // The end of a day of one source is the next day of the other.
    [upTo("2026-11-12"), traffic("2026-11-12", 5, 7), "served", null],
    // Seven complete days of zeroes, and the newest one.
    [traffic("2026-11-12", 5, ...zeroes(8)), undefined, "served", null],
    [
      traffic("2026-11-12", 5, ...zeroes(8)),
      traffic("2026-11-12", 5, 5, 5, 5),
      "stopped",
      "2026-11-13",
    ],
    [
      traffic("2026-11-13", 5, ...zeroes(7)),
      traffic("2026-11-13", 5, 5, 5, 5),
      "served",
      null,
    ],
    [seriesOf([]), undefined, "served", null],
    [seriesOf([]), traffic("2026-11-01", 0, 0), "served", null],
    [seriesOf([]), traffic("2026-11-01", 0, 7), "notIndexed", "2026-11-02"],
    [
      traffic("2026-11-12", ...zeroes(9)),
      traffic("2026-11-01", 0, 7),
      "notIndexed",
      "2026-11-02",
    ],
  ];
  for (const [nth, [txCount, second, state, since]] of cases.entries()) {
    const coverage = judgeCoverage({ txCount, second, published: PUBLISHED });
    assertEquals([coverage.state, coverage.since], [state, since], `${nth}`);
    assertEquals(coverage.reason === null, state === "served");
  }
});

Deno.test("GET /chains and /quality tell the coverage of each chain", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const { never } = ANOMALY_CHAIN_IDS;
  for (const subject of [43114, 4337, never]) {
    await refreshSeries(deps, { subject, metric: "txCount" }, jobCallOptions());
  }
  await putSeries(deps, indexSeriesId(never, "txCount"), {
    from: "2026-11-10",
    values: [0, 5, 6],
  });
  const { answer: { chains, untracked } } = await readChains(deps, {
    maxStaleMs: 0,
  });
  const { answer: { coverage, ...quality } } = await readQuality(deps);
  assertEquals(quality.untracked, untracked);
  const more = new Map(
    untracked.map(({ chainName, ...of }) => [chainName, of]),
  );
  const notIndexed = coverageOf("notIndexed");
  assertEquals(more.get("AIB Mainnet"), {
    chainId: 80000,
    blockchainId: null,
    coverage: notIndexed,
  });
  assertEquals(more.get("kite"), {
    chainId: null,
    blockchainId: "3USaEfTcoUhHxpKXvpAG916UKCUEyjrtkg2hBArBG3JyDP7my",
    coverage: notIndexed,
  });
  assertEquals(
    chains.filter(({ chainId }) =>
      untracked.some((chain) => chain.chainId === chainId)
    ),
    [],
  );
  assertEquals(
    listUntracked([{
      chainId: 2366,
      blockchainId: more.get("kite")!.blockchainId!,
    }]).some(({ chainName }) => chainName === "kite"),
    false,
  );
  assertEquals(
    chains.map(({ chainId, coverage, proof, agreementPct }) => ({
      chainId,
      ...coverage,
      proof,
      agreementPct,
    })),
    coverage.map(({ chainName: _, ...rest }) => rest),
  );
  const states = new Map(
    coverage.map(({ chainId, state, since }) => [chainId, [state, since]]),
  );
  assertEquals(states.get(43114), ["served", null]);
  assertEquals(states.get(4337), ["served", null]);
  assertEquals(states.get(never), ["notIndexed", "2026-11-11"]);
  assertEquals(states.get(432204), ["unread", null]);
});
