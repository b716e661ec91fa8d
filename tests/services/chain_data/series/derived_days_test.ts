/** Metrics that are the growth of a running total. */
import { assertEquals } from "@std/assert";
import type { Metric } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import { listGaps } from "../../../../services/chain_data/series/buckets.ts";
import { valuesOf } from "../../../../services/chain_data/series/derived_days.ts";
import {
  type DailySeries,
  pointsOf,
} from "../../../../services/chain_data/series/series.ts";
import { formatDay } from "../../../../services/platform/days.ts";
import { EVER } from "../../../support/chain_data/agreement.ts";
import { seriesFrom } from "../../../support/series.ts";

const NONE = null;

/** A total from day 100 on; null is a day without one. */
const total = (...values: (number | null)[]) => seriesFrom(100, values);

const derive = (metric: Metric, series: DailySeries) =>
  valuesOf(metric, { series }).series;

const shown = (series: DailySeries) => ({
  values: pointsOf(series).map(({ day, value }) => `${day} ${value}`),
  gaps: listGaps(series, EVER).map(({ from, reason }) =>
    [from, reason].filter(Boolean).join(" ")
  ),
});

Deno.test("valuesOf() takes the growth of a running total, and a day on which it falls or is unknown is a gap", () => {
  const falls = `${formatDay(102)} the running total falls`;
  const cases: readonly [
    metric: Metric,
    total: DailySeries,
    values: string[],
    gaps: string[],
  ][] = [
    ["newAddresses", total(5, 7, 7, 12), ["101 2", "102 0", "103 5"], []],
    ["newDeployers", total(5, 7), ["101 2"], []],
    // Contracts are counted up to the start of their day.
    ["newContracts", total(5, 7, 12), ["100 2", "101 5"], []],
    ["newAddresses", total(5, 7, 6, 8), ["101 2", "103 2"], [falls]],
    ["newContracts", total(5, 6, 7, 3), ["100 1", "101 1"], [falls]],
    ["newAddresses", total(5, 7, NONE, 9, 10), ["101 2", "104 1"], [
      formatDay(102),
    ]],
    ["newAddresses", total(5), [], []],
    ["newAddresses", total(), [], []],
    ["txCount", total(5, 7), ["100 5", "101 7"], []],
  ];
  for (const [metric, series, values, gaps] of cases) {
    const found = shown(derive(metric, series));
    assertEquals(found.values, values, metric);
    assertEquals(found.gaps.slice(0, 1), gaps, metric);
  }
});

Deno.test("valuesOf() marks both days that a withdrawn, unread or revised total takes part in", () => {
  const series = {
    ...total(5, 7, 9, 11),
    withdrawn: [{ from: 101, to: 101 }],
    unread: [{ day: 102, reason: "no number" }, { day: null, reason: "none" }],
    revised: new Map([[101, 9], [102, 4]]),
  };
  const marksOf = (metric: Metric) => {
    const { withdrawn, unread, revised } = derive(metric, series);
    return [withdrawn, unread!.map(({ day }) => day), [...revised!]];
  };
  assertEquals(marksOf("newAddresses"), [
    [{ from: 101, to: 102 }],
    [102, 103, null],
    [[101, 9], [102, 9], [103, 4]],
  ]);
  assertEquals(marksOf("newContracts"), [
    [{ from: 100, to: 101 }],
    [101, 102, null],
    [[100, 9], [101, 9], [102, 4]],
  ]);
});
