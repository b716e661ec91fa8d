import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { C_CHAIN, listChains } from "../../../simnet/chains.ts";
import { dayOf } from "../../../simnet/series/days.ts";
import {
  countTxs,
  DAILY_METRICS,
  type DailyMetric,
  dailyValue,
  EMPTY_DAYS,
  METRICS,
} from "../../../simnet/series/series.ts";
import { TODAY } from "../support.ts";

const SAMPLED_DAYS = Array.from({ length: 300 }, (_, n) => TODAY - 7 * n);

Deno.test("METRICS lists the API's seventeen metrics", () => {
  assertEquals(METRICS.length, 17);
  assertEquals(new Set(METRICS).size, 17);
});

Deno.test("dailyValue() returns consistent values of a day", () => {
  for (const chain of listChains(60)) {
    for (const day of SAMPLED_DAYS) {
      const at = (metric: DailyMetric) => dailyValue(chain, metric, day);
      const txCount = at("txCount");
      assert(Number.isInteger(txCount) && txCount >= 0);
      assertAlmostEquals(at("avgTps"), txCount / 86_400, 0.005001);
      assertAlmostEquals(at("avgGps"), at("gasUsed") / 86_400, 0.005001);
      assert(at("avgTps") <= at("maxTps"));
      assert(at("avgGps") <= at("maxGps"));
      assert(at("avgGasPrice") <= at("maxGasPrice"));
      assert(at("activeSenders") <= at("activeAddresses"));
      assert(at("activeSenders") <= txCount);
      assert(at("deployers") <= at("contracts"));
      assertEquals(at("feesPaid"), at("gasUsed") * at("avgGasPrice") / 1e18);
      assertEquals(txCount === 0, at("activeAddresses") === 0);
    }
  }
});

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

Deno.test("countTxs() grows on the C-Chain, peaks in November 2023 and is lower at weekends", () => {
  const on = (date: string) => countTxs(C_CHAIN, dayOf(date));
  assert(on("2020-10-01") < 50);
  assert(on("2022-01-25") > 700_000);
  assert(on("2023-11-22") > 5_000_000);
  assert(Math.abs(on("2026-11-18") / 1.3e6 - 1) < 0.15);
  assert(on("2026-11-15") < on("2026-11-17"));
  for (const day of EMPTY_DAYS) assertEquals(countTxs(C_CHAIN, day), 0);
});

Deno.test("dailyValue() lowers C-Chain fees over the years", () => {
  const perTx = (date: string) => {
    const day = dayOf(date);
    const of = { chain: C_CHAIN, day, txCount: countTxs(C_CHAIN, day) };
    return DAILY_METRICS.feesPaid(of) / of.txCount;
  };
  const dates = ["2021-01-15", "2022-01-15", "2024-06-15", "2025-03-01"];
  const fees = [...dates, "2026-06-01"].map(perTx);
  assertEquals(fees, fees.toSorted((a, b) => b - a));
});
