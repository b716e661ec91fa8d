import { assert, assertEquals } from "@std/assert";
import { C_CHAIN_ID, type Chain, listChains } from "../../../simnet/chains.ts";
import {
  LAG_DAYS,
  type Series,
  seriesPublisher,
} from "../../../simnet/metrics_api/published_series.ts";
import { dailyValue, type Metric } from "../../../simnet/series/series.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
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
