import { assertEquals } from "@std/assert";
import { Aggregation } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import {
  countInferred,
  foldBuckets,
  isComplete,
  listGaps,
  newestCompleteDay,
} from "../../../../services/chain_data/series/buckets.ts";
import { formatDay, parseDay } from "../../../../services/platform/days.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
} from "../../../../services/chain_data/series/series.ts";
import { seriesFrom } from "../../../support/series.ts";

const daily = (first: string, values: (number | null)[]) =>
  seriesFrom(parseDay(first), values);

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

Deno.test("a bucket with a missing day is incomplete for a month, and an empty bucket is left out", () => {
  const week = Array(7).fill(1);
  const series = daily("2026-10-05", [
    ...week,
    ...[1, null, 1, 1, 1, 1, 1],
    ...Array(7).fill(null),
    ...week,
    1,
  ]);
  const missing = { missingDays: ["2026-10-13"] };
  for (
    const [day, marks] of [
      ["2026-11-12", { complete: false }],
      ["2026-11-13", { complete: true, ...missing }],
    ] as const
  ) {
    const rule = {
      interval: "week",
      fold: "sum",
      today: parseDay(day),
    } as const;
    const points = foldBuckets(
      series,
      window("2026-10-01", "2026-11-21"),
      rule,
    );
    assertEquals(points, [
      { day: "2026-10-05", value: 7, complete: true },
      { day: "2026-10-12", value: 6, ...marks },
      { day: "2026-10-26", value: 7, complete: true },
      { day: "2026-11-02", value: 1, complete: false },
    ]);
  }
  assertEquals(listGaps(series, window("2026-10-01", "2026-11-21")), [
    { from: "2026-10-13", to: "2026-10-13" },
    { from: "2026-10-19", to: "2026-10-25" },
  ]);
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

const DAY = 20_000;

const LONG: DailySeries = {
  firstDay: DAY,
  values: Float64Array.of(1, 2, NaN, 4, 5, 6),
};

const foldAll = (series: DailySeries, more: object = {}) =>
  foldBuckets(series, { start: DAY - 9, end: DAY + 40 }, {
    interval: "day",
    fold: "sum",
    today: DAY + 9,
    ...more,
  });

Deno.test("foldBuckets() marks inferred, withdrawn and revised buckets", () => {
  const points = foldAll({
    ...LONG,
    inferredAfter: DAY + 3,
    withdrawn: [{ from: DAY + 1, to: DAY + 1 }],
    revised: new Map([[DAY, 1_000], [DAY + 3, 2_000]]),
  });
  assertEquals(
    points.map(({ value, day: _, ...marks }) => [value, marks]),
    [
      [1, { complete: true, revisedAt: "1970-01-01T00:00:01.000Z" }],
      [2, { complete: true, disputed: "withdrawn" }],
      [4, { complete: false, revisedAt: "1970-01-01T00:00:02.000Z" }],
      [5, { complete: true, inferred: true }],
      [6, { complete: true, inferred: true }],
    ],
  );
});

Deno.test("foldBuckets() leaves out the day that grows if only final days count, and keeps inferred ones", () => {
  const isOnlyFinal = true;
  const values = (series: DailySeries, more: object = {}) =>
    foldAll(series, { isOnlyFinal, ...more }).map(({ value }) => value);
  assertEquals(values(LONG), [1, 2, 4, 5]);
  assertEquals(values({ ...LONG, inferredAfter: DAY + 3 }), [1, 2, 5, 6]);
  assertEquals(values({ ...LONG, isClosed: true }), [1, 2, 4, 5, 6]);
  assertEquals(values(LONG, { isOnlyFinal: false }), [1, 2, 4, 5, 6]);
});

Deno.test("countInferred(), listGaps() and newestCompleteDay() look at the days of the series alone", () => {
  const inferred = { ...LONG, inferredAfter: DAY + 2 };
  const count = (start: number, end: number) =>
    countInferred(inferred, { start: DAY + start, end: DAY + end });
  assertEquals([count(-9, 40), count(0, 2), count(3, 3), count(4, 4)], [
    3,
    0,
    1,
    1,
  ]);
  assertEquals(countInferred(LONG, { start: DAY, end: DAY + 9 }), 0);
  const none = { start: -5, end: 5 };
  assertEquals(countInferred({ ...EMPTY_SERIES, inferredAfter: -9 }, none), 0);
  assertEquals([listGaps(EMPTY_SERIES, none, 4), foldAll(EMPTY_SERIES)], [
    [],
    [],
  ]);
  const gaps = (start: number, end: number, through?: number) =>
    listGaps(LONG, { start: DAY + start, end: DAY + end }, through)
      .map(({ from, to }) => [parseDay(from) - DAY, parseDay(to) - DAY]);
  assertEquals(gaps(0, 40), [[2, 2]]);
  assertEquals(gaps(2, 2), [[2, 2]]);
  assertEquals([gaps(0, 1), gaps(3, 9)], [[], []]);
  assertEquals(gaps(0, 40, DAY + 8), [[2, 2], [6, 8]]);
  assertEquals(gaps(0, 7, DAY + 8), [[2, 2], [6, 7]]);
  assertEquals(newestCompleteDay(EMPTY_SERIES, DAY), null);
  assertEquals(newestCompleteDay(LONG, DAY + 9), DAY + 4);
  assertEquals(newestCompleteDay(LONG, DAY + 1), DAY);
  assertEquals(newestCompleteDay(LONG, DAY), null);
  assertEquals(
    newestCompleteDay({ ...LONG, inferredAfter: DAY + 2 }, DAY + 9),
    DAY + 5,
  );
});
