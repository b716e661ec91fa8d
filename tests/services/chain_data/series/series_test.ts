import { assert, assertEquals, assertFalse } from "@std/assert";
import {
  covers,
  EMPTY_SERIES,
  newestDay,
  sameSeries,
  seriesOf,
  valueOn,
  withTail,
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

Deno.test("withTail replaces the tail, including removed days", () => {
  const held = at([1, 1], [2, 2], [3, 3], [4, 4]);
  const next = withTail(held, at([3, 30], [5, 50]), 3);
  assertEquals([...next.values], [1, 2, 30, NaN, 50]);
});

Deno.test("covers is false only if a day is missing", () => {
  const held = at([10, 1], [12, 1], [13, 1]);
  assert(covers(held, EMPTY_SERIES));
  assert(covers(at([9, 1], [10, 1], [12, 1], [13, 1], [14, 1]), held));
  assert(covers(at([10, 5], [11, 5], [12, 5], [13, 5]), held));
  assertFalse(covers(at([12, 1], [13, 1]), held), "lost its first day");
  assertFalse(covers(at([10, 1], [12, 1]), held), "lost its newest day");
  assertFalse(covers(at([10, 1], [13, 1]), held), "lost a day in its midst");
  assertFalse(covers(EMPTY_SERIES, held));
});

Deno.test("sameSeries compares days, absent days and values", () => {
  assert(sameSeries(at([1, 1], [3, 3]), at([1, 1], [3, 3])));
  assertFalse(sameSeries(at([1, 1], [3, 3]), at([1, 1], [2, 2], [3, 3])));
  assertFalse(sameSeries(at([1, 1]), at([2, 1])));
});
