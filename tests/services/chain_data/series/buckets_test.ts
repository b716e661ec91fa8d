import { assertEquals } from "@std/assert";
import { Aggregation } from "../../../../services/chain_data/metrics_schema.ts";
import {
  foldBuckets,
  isComplete,
  listGaps,
  newestCompleteDay,
  wholeBuckets,
} from "../../../../services/chain_data/series/buckets.ts";
import { formatDay, parseDay } from "../../../../services/platform/days.ts";
import {
  EMPTY_SERIES,
  seriesOf,
} from "../../../../services/chain_data/series/series.ts";

/** Builds a series from one value per day; null is an absent day. */
function daily(first: string, values: (number | null)[]) {
  const points = values.flatMap((value, index) =>
    value === null ? [] : [{ day: parseDay(first) + index, value }]
  );
  return seriesOf(points);
}

const window = (start: string, end: string) => ({
  start: parseDay(start),
  end: parseDay(end),
});
const today = parseDay("2026-11-21");

Deno.test("a day before today is complete unless it is the newest one", () => {
  const series = daily("2026-11-17", [1, 2, null, 4]);
  const complete = (day: string) => isComplete(series, parseDay(day), today);
  assertEquals(complete("2026-11-18"), true);
  assertEquals(complete("2026-11-19"), false, "absent");
  assertEquals(complete("2026-11-20"), false, "newest, though before today");
  assertEquals(
    isComplete(series, parseDay("2026-11-18"), parseDay("2026-11-18")),
    false,
  );
  assertEquals(formatDay(newestCompleteDay(series, today)!), "2026-11-18");
  assertEquals(newestCompleteDay(EMPTY_SERIES, today), null);
});

Deno.test("each fold computes its value of a week", () => {
  const series = daily("2026-11-02", [1, 2, 3, 4, 5, 6, 21, 8, 9]);
  const values = Aggregation.options.map((fold) => {
    const rule = { interval: "week", fold, today } as const;
    return foldBuckets(series, window("2026-11-02", "2026-11-08"), rule);
  });
  assertEquals(values.map(([point]) => point?.value), [42, 6, 21, 21]);
  assertEquals(values[0], [{ day: "2026-11-02", value: 42, complete: true }]);
});

Deno.test("a bucket with a missing day is incomplete, and an empty bucket is left out", () => {
  const week = Array(7).fill(1);
  const series = daily("2026-10-05", [
    ...week,
    ...[1, null, 1, 1, 1, 1, 1],
    ...Array(7).fill(null),
    ...week,
    1,
  ]);
  const rule = { interval: "week", fold: "sum", today } as const;
  const points = foldBuckets(series, window("2026-10-01", "2026-11-21"), rule);
  assertEquals(points, [
    { day: "2026-10-05", value: 7, complete: true },
    { day: "2026-10-12", value: 6, complete: false },
    { day: "2026-10-26", value: 7, complete: true },
    { day: "2026-11-02", value: 1, complete: false },
  ]);
  assertEquals(listGaps(series, window("2026-10-01", "2026-11-21")), [
    { from: "2026-10-13", to: "2026-10-13" },
    { from: "2026-10-19", to: "2026-10-25" },
  ]);
});

Deno.test("gaps are clipped to the window and the series", () => {
  const series = daily("2026-10-05", [1, null, null, null, 1]);
  assertEquals(listGaps(series, window("2026-10-07", "2026-12-01")), [
    { from: "2026-10-07", to: "2026-10-08" },
  ]);
  assertEquals(listGaps(series, window("2026-01-01", "2026-10-04")), []);
  assertEquals(listGaps(EMPTY_SERIES, window("2026-01-01", "2026-10-04")), []);
});

Deno.test("wholeBuckets widens a window to whole buckets", () => {
  const wide = wholeBuckets(window("2026-10-07", "2026-11-03"), "month");
  assertEquals(wide, window("2026-10-01", "2026-11-30"));
});

Deno.test("a bucket was revised when the last of its days was", () => {
  const first = parseDay("2026-11-02");
  const series = {
    ...daily("2026-11-02", Array(21).fill(1)),
    revised: new Map([[first, 3_000], [first + 1, 5_000], [first + 8, 4_000]]),
  };
  const rule = { interval: "week", fold: "sum", today } as const;
  const points = foldBuckets(series, window("2026-11-02", "2026-11-22"), rule);
  assertEquals(points.map(({ revisedAt }) => revisedAt), [
    new Date(5_000).toISOString(),
    new Date(4_000).toISOString(),
    undefined,
  ]);
});
