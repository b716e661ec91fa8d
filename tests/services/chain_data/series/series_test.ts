import { assert, assertEquals, assertFalse } from "@std/assert";
import {
  EMPTY_SERIES,
  newestDay,
  sameSeries,
  seriesOf,
  valueOn,
} from "../../../../services/chain_data/series/series.ts";

const at = (...points: [day: number, value: number][]) =>
  seriesOf(points.map(([day, value]) => ({ day, value })));

Deno.test("seriesOf sorts days, fills absent ones with NaN and keeps the first duplicate", () => {
  const series = at([12, 3], [10, 1], [12, 99]);
  assertEquals([...series.values], [1, NaN, 3]);
  assertEquals(newestDay(series), 12);
  assertEquals(valueOn(series, 9), NaN);
  assertEquals(seriesOf([]), EMPTY_SERIES);
});

Deno.test("sameSeries compares days, absent days and values", () => {
  assert(sameSeries(at([1, 1], [3, 3]), at([1, 1], [3, 3])));
  assertFalse(sameSeries(at([1, 1], [3, 3]), at([1, 1], [2, 2], [3, 3])));
  assertFalse(sameSeries(at([1, 1]), at([2, 1])));
});
