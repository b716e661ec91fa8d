import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { C_CHAIN, listChains } from "../../../simnet/chains.ts";
import { dayOf } from "../../../simnet/series/days.ts";
import {
  countTxs,
  type DailyMetric,
  dailyValue,
  METRICS,
} from "../../../simnet/series/series.ts";
import { seriesPublisher } from "../../../simnet/metrics_api/published_series.ts";
import { readCapturedChains } from "../../support/captured.ts";
import { TODAY } from "../support.ts";

Deno.test("dailyValue() returns fixed values for documented days", () => {
  const fixed: [metric: DailyMetric, date: string, value: number][] = [
    ["txCount", "2020-09-23", 7],
    ["txCount", "2024-02-14", 460_377],
    ["activeAddresses", "2024-02-14", 32_924],
    ["txCount", "2026-10-14", 1_384_498],
  ];
  for (const [metric, date, value] of fixed) {
    assertEquals(dailyValue(C_CHAIN, metric, dayOf(date)), value);
  }
});

/** Chains with fewer transactions a day differ by more from one week to the next. */
const MIN_COMPARED = 100;

const medianOf = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

Deno.test("the chains have the order of magnitude of the captures of July 2025", async () => {
  const captured = await readCapturedChains("metrics-api");
  const ratios = listChains().flatMap((chain) => {
    const days = captured.get(chain.evmChainId) ?? [];
    // The newest day of a capture is a part of a day.
    const whole = days.filter(({ day }) => day < days[0]!.day);
    const real = medianOf(whole.map(({ value }) => value));
    if (whole.length === 0 || real < MIN_COMPARED) return [];
    const ours = medianOf(whole.map(({ day }) => countTxs(chain, day)));
    return [{ chainId: chain.evmChainId, ratio: ours / real }];
  });
  assert(ratios.length >= 20, `${ratios.length} chains`);
  assertEquals(
    ratios.filter(({ ratio }) => ratio < 1 / 10 || ratio > 10),
    [],
  );
  const cChain = ratios.find(({ chainId }) => chainId === C_CHAIN.evmChainId)!;
  assertAlmostEquals(cChain.ratio, 1, 0.2);
});

Deno.test("the C-Chain has the order of magnitude of its captured addresses and of its burnt fees", async () => {
  const { results }: { results: { value: number; timestamp: number }[] } = JSON
    .parse(
      await Deno.readTextFile(
        new URL(
          "../../fixtures/activeAddresses_43114_2024-08.json",
          import.meta.url,
        ),
      ),
    );
  const real = medianOf(results.map(({ value }) => value));
  const ours = medianOf(
    results.map(({ timestamp }) =>
      dailyValue(C_CHAIN, "activeAddresses", timestamp / 86_400)
    ),
  );
  assert(ours / real > 1 / 3 && ours / real < 3, `${ours} for ${real}`);
  // All fees of the C-Chain are burnt: 4,868,917.66 AVAX up to 2025-11-05.
  let fees = 0;
  for (let day = C_CHAIN.firstDay; day <= dayOf("2025-11-05"); day++) {
    fees += dailyValue(C_CHAIN, "feesPaid", day);
  }
  assert(fees > 4_868_917.66 / 3 && fees < 4_868_917.66 * 3, `${fees}`);
});

/** How alike two courses are: their correlation, from -1 to 1. */
function likeness(a: readonly number[], b: readonly number[]): number {
  const centred = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value) / values.length;
    return values.map((value) => value - mean);
  };
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  const [x, y] = [centred(a), centred(b)];
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

Deno.test("the last thirty days of no two chains look alike", () => {
  const courses = listChains().flatMap((chain) => {
    const days = Array.from(
      { length: 30 },
      (_, nth) => countTxs(chain, TODAY - 30 + nth),
    );
    return medianOf(days) < MIN_COMPARED ? [] : [days];
  });
  assert(courses.length >= 20, `${courses.length} chains`);
  const pairs = courses.flatMap((course, nth) =>
    courses.slice(nth + 1).map((other) => likeness(course, other))
  );
  assert(Math.max(...pairs) < 0.95, `${Math.max(...pairs)}`);
  assert(Math.abs(medianOf(pairs)) < 0.3, `${medianOf(pairs)}`);
});

Deno.test("the C-Chain leads the chains in everything that is counted, and a bot's chain is silent again", () => {
  const publish = seriesPublisher();
  for (const metric of METRICS) {
    // Amounts are in the token of each chain.
    if (/fees|price/i.test(metric)) continue;
    const newest = listChains().map((chain) => ({
      chain: chain.chainName,
      value: publish(chain, metric, TODAY)?.values.at(-2) || 0,
    }));
    const [first, second] = newest.toSorted((a, b) => b.value - a.value);
    assertEquals(first!.chain, "c_chain", metric);
    assert(second!.value > first!.value / 10, `${metric} of a large L1`);
    const bot = newest.find(({ chain }) => chain === "coqnet")!;
    if (!metric.startsWith("cumulative")) assertEquals(bot.value, 0, metric);
  }
});
