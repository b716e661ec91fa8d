import { assert, assertEquals } from "@std/assert";
import { C_CHAIN_ID, type Chain, listChains } from "../../../simnet/chains.ts";
import {
  LAG_DAYS,
  type Series,
  seriesPublisher,
} from "../../../simnet/metrics_api/published_series.ts";
import {
  dailyValue,
  type Metric,
  METRICS,
} from "../../../simnet/series/series.ts";
import {
  ANOMALY_CHAIN_IDS,
  type AnomalyName,
} from "../../../simnet/series/anomalies.ts";
import {
  CHAIN_DISPUTE,
  LAGGING_DAYS,
  listChainDays,
  ZERO_CHAIN_ID,
} from "../../../simnet/explorer/explorer_days.ts";
import { NOW, TODAY } from "../support.ts";

const publish = seriesPublisher();
const CHAINS = listChains();

function chainOf(id: number): Chain {
  return CHAINS.find(({ evmChainId }) => evmChainId === id)!;
}

function seriesOf(chain: Chain, metric: Metric, today = TODAY): Series {
  return publish(chain, metric, today)!;
}

function valueOfAnomaly(
  trait: AnomalyName,
  metric: Metric,
): (age: number) => number {
  const chain = chainOf(ANOMALY_CHAIN_IDS[trait]);
  const { firstDay, values } = seriesOf(chain, metric);
  return (age) => values[TODAY - age - firstDay] ?? NaN;
}

/** The days on which two neighbouring values of a series break a rule. */
function agesWhere(
  { firstDay, values }: Series,
  breaks: (value: number, before: number, index: number) => boolean,
): number[] {
  return Array.from(values.keys()).slice(1)
    .filter((index) => breaks(values[index]!, values[index - 1]!, index))
    .map((index) => TODAY - firstDay - index);
}

Deno.test("publishSeries() ends two days before today with a partial day", () => {
  const chain = chainOf(C_CHAIN_ID);
  const { firstDay, values } = seriesOf(chain, "txCount");
  const newest = firstDay + values.length - 1;
  assertEquals(newest, TODAY - LAG_DAYS);
  const share = values.at(-1)! / dailyValue(chain, "txCount", newest);
  assert(Math.abs(share - 0.18) < 0.001);
});

Deno.test("publishSeries() returns the same past days on every day", () => {
  const chain = chainOf(C_CHAIN_ID);
  const later = seriesOf(chain, "cumulativeTxCount", TODAY + 300).values;
  const { values } = seriesOf(chain, "cumulativeTxCount");
  assertEquals(later.slice(0, values.length - 1), values.slice(0, -1));
});

Deno.test("publishSeries() restates no transactions of the chain that stays young, or of the silent one", () => {
  for (const trait of ["young", "dead"] as const) {
    const chain = chainOf(ANOMALY_CHAIN_IDS[trait]);
    const now = seriesOf(chain, "txCount");
    const later = seriesOf(chain, "txCount", TODAY + 1);
    const since = later.firstDay - now.firstDay;
    assertEquals(
      later.values.slice(0, -2),
      now.values.slice(since, -1),
      trait,
    );
  }
});

Deno.test("publishSeries() accumulates running totals from daily values", () => {
  for (const chain of CHAINS) {
    const { values: daily } = seriesOf(chain, "txCount");
    const total = seriesOf(chain, "cumulativeTxCount");
    const broken = agesWhere(
      total,
      (value, before, index) => Math.abs(value - before - daily[index]!) > 0,
    );
    const isPlanted = chain.evmChainId === ANOMALY_CHAIN_IDS.fallingTotal;
    assertEquals(broken, isPlanted ? [20, 19] : [], chain.chainName);
  }
});

Deno.test("publishSeries() decreases no running total except the anomaly", () => {
  const running = METRICS.filter((metric) => metric.startsWith("cumulative"));
  for (const chain of CHAINS) {
    for (const metric of running) {
      const series = publish(chain, metric, TODAY);
      if (series === null) continue;
      const isPlanted = chain.evmChainId === ANOMALY_CHAIN_IDS.fallingTotal &&
        metric === "cumulativeTxCount";
      const falls = agesWhere(series, (value, before) => value < before);
      assertEquals(falls, isPlanted ? [20] : [], chain.chainName);
    }
  }
});

Deno.test("publishSeries() counts contracts up to the start of the day", () => {
  const chain = chainOf(C_CHAIN_ID);
  const { values: contracts } = seriesOf(chain, "contracts");
  const { values: total } = seriesOf(chain, "cumulativeContracts");
  assertEquals(total[0], 0);
  assertEquals(total[1_000], contracts.slice(0, 1_000).reduce((a, b) => a + b));
});

Deno.test("publishSeries() applies every anomaly", async (t) => {
  await t.step("dead: zeroes for 400 days, activity before", () => {
    const at = valueOfAnomaly("dead", "txCount");
    assertEquals([2, 100, 400].map(at), [0, 0, 0]);
    assert(at(401) > 1_000);
    assertEquals(valueOfAnomaly("dead", "activeAddresses")(50), 0);
  });
  await t.step("never: no point of any metric", () => {
    const chain = chainOf(ANOMALY_CHAIN_IDS.never);
    for (const metric of METRICS) {
      assert(seriesOf(chain, metric).values.every(Number.isNaN));
    }
  });
  await t.step("young: first point 40 days back", () => {
    const chain = chainOf(ANOMALY_CHAIN_IDS.young);
    assertEquals(seriesOf(chain, "txCount").firstDay, TODAY - 40);
  });
  await t.step("missingWeek: seven absent days", () => {
    for (const metric of METRICS) {
      const at = valueOfAnomaly("missingWeek", metric);
      const absent = [57, 58, 59, 60, 61, 62, 63].map(at);
      assert(absent.every(Number.isNaN));
      assert(at(56) > 0 && at(64) > 0);
    }
  });
  await t.step("nullAddresses: null instead of a series", () => {
    const chain = chainOf(ANOMALY_CHAIN_IDS.nullAddresses);
    assertEquals(publish(chain, "cumulativeAddresses", TODAY), null);
  });
  await t.step("wrongTps: avgTps contradicts txCount on one day", () => {
    const [tps, txs] = [
      valueOfAnomaly("wrongTps", "avgTps"),
      valueOfAnomaly("wrongTps", "txCount"),
    ];
    const differs = (age: number) =>
      Math.abs(tps(age) - txs(age) / 86_400) > 0.01;
    assertEquals([24, 25, 26].map(differs), [false, true, false]);
  });
});

Deno.test("publishSeries() and the index count the same days of a chain, but for the planted differences", () => {
  const planted: readonly number[] = [
    ZERO_CHAIN_ID,
    LAGGING_DAYS.chainId,
    CHAIN_DISPUTE.chainId,
  ];
  let compared = 0;
  for (const chain of CHAINS) {
    if (planted.includes(chain.evmChainId)) continue;
    const { firstDay, values } = seriesOf(chain, "txCount");
    for (
      const { day, value } of listChainDays(chain, "txCount", NOW.getTime())
    ) {
      const ours = values[day - firstDay];
      const isWhole = day < TODAY - LAG_DAYS;
      if (!isWhole || ours === undefined || Number.isNaN(ours)) continue;
      assert(Math.abs(ours - value) <= 1 + ours / 500, `${chain.chainName}`);
      compared++;
    }
  }
  assert(compared > 10_000);
});
