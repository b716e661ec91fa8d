/** What a chart draws of its series: values, averages, indexes, shares and totals. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  type ChartPoint,
  PLAIN_VIEW,
} from "../../../services/charts/charts_schema.ts";
import { drawLines, movingAverage } from "../../../services/charts/charts.ts";
import { formatDay, parseDay } from "../../../services/platform/days.ts";
import { point } from "../../support/charts/charts.ts";
import { fc } from "../../support/properties.ts";

const FIRST = parseDay("2026-11-01");
const dayOf = (nth: number) => formatDay(FIRST + nth);

const pointsOf = (from: number, values: readonly number[]) =>
  values.map((value, nth) => point(dayOf(from + nth), value));

type Line = Parameters<typeof drawLines>[0][number];

/** A line with points from the first day on, and daily values before it. */
const line = (
  points: readonly ChartPoint[],
  before: readonly ChartPoint[] = [],
  answer: Partial<Line["answer"]> = {},
): Line => ({
  from: dayOf(0),
  daily: {
    points: before.map(({ day, value, complete }) => ({
      day,
      value,
      complete,
    })),
    gaps: [],
  },
  answer: {
    chainId: 1,
    chainName: "One",
    token: null,
    points,
    gaps: [],
    dataThrough: points.at(-1)?.day ?? null,
    fetchedAt: "2026-11-21T08:00:00.000Z",
    source: "a",
    ...answer,
  },
});

function draw(
  lines: readonly Line[],
  view: Partial<typeof PLAIN_VIEW> = {},
  interval: "day" | "month" = "day",
  axis = [0, 1, 2].map(dayOf),
) {
  const drawing = { metric: "txCount", interval, axis } as const;
  return drawLines(lines, { ...drawing, view: { ...PLAIN_VIEW, ...view } });
}

const ONE = line(pointsOf(0, [10, 20, 30]));
const TWO = line(pointsOf(0, [30, 60, 0]), [], {
  chainId: 2,
  dataThrough: dayOf(1),
  fetchedAt: "2026-11-21T07:00:00.000Z",
  source: "b",
});

Deno.test("drawLines() draws the values of each series, without a base", () => {
  const [one, two] = draw([ONE, TWO]);
  assertEquals([one!.drawn, two!.drawn], [[10, 20, 30], [30, 60, 0]]);
  assertEquals([one!.base, one!.chainId, two!.chainId], [null, 1, 2]);
  assertEquals(one!.points, ONE.answer.points);
});

Deno.test("drawLines() draws averages over complete days, with the days before the window", () => {
  const before = pointsOf(-4, [1, 2, 3, 4]);
  const averages = (of: Line) => draw([of], { average: "7" }, "day")[0]!.drawn;
  const long = pointsOf(-6, [1, 2, 3, 4, 5, 6]);
  assertEquals(averages(line(pointsOf(0, [7, 14]), long)), [4, 41 / 7]);
  assertEquals(
    averages(line(pointsOf(0, [7, 14, 21, 28]), before)),
    [null, null, 52 / 7, 79 / 7],
  );
  const open = pointsOf(0, [7, 14]).with(
    1,
    point(dayOf(1), 14, { complete: false }),
  );
  assertEquals(averages(line(open, long)), [4, null]);
  const older = pointsOf(-20, Array.from({ length: 20 }, () => 7));
  assertEquals(averages(line(pointsOf(0, [7]), older)), [7]);
  assertEquals(averages(line([])), []);
});

Deno.test("drawLines() indexes a series to its base, which is 100", () => {
  const base = dayOf(1);
  const [one, two] = draw([ONE, TWO], { values: "index", base });
  assertEquals(one!.drawn, [50, 100, 150]);
  assertEquals(two!.drawn, [50, 100, 0]);
  assertEquals(one!.base, {
    day: base,
    value: 20,
    isSmall: true,
    bucketCount: 1,
  });
  const none = draw([TWO], { values: "index", base: dayOf(2) })[0]!;
  assertEquals([none.base, none.drawn], [null, [null, null, null]]);
  const averaged = draw([ONE], { values: "index", base, average: "7" })[0]!;
  assertEquals(averaged.drawn, [null, null, null]);
});

Deno.test("drawLines() draws shares of the total, none on a day without one", () => {
  const later = line(pointsOf(1, [20]), [], { dataThrough: dayOf(2) });
  const lines = draw([ONE, TWO], { values: "share" });
  assertEquals(lines.map(({ drawn }) => drawn), [[25, 25, 100], [75, 75, 0]]);
  const [one, two] = draw([ONE, later], { values: "share" });
  assertEquals([one!.drawn, two!.drawn], [[100, 50, null], [50]]);
  const averaged = draw([ONE, TWO], { values: "share", average: "7" });
  assertEquals(averaged[0]!.drawn, [null, null, null]);
  const seven = (value: number) => pointsOf(-6, Array<number>(6).fill(value));
  const [share] = draw([
    line(pointsOf(0, [1]), seven(1)),
    line(pointsOf(0, [3]), seven(3)),
  ], { values: "share", average: "7" });
  assertEquals(share!.drawn, [25]);
});

Deno.test("drawLines() joins the lines of a total, with its marks, gaps, sources and the oldest read", () => {
  const gap = (nth: number) => ({ from: dayOf(nth), to: dayOf(nth) });
  const marked = pointsOf(0, [1, 2, 3]);
  const first = line(
    [
      { ...marked[0]!, withdrawn: true, revisedAt: "2026-11-05" },
      { ...marked[1]!, agrees: false },
      { ...marked[2]!, disputedDays: [{ day: dayOf(2) }] as never },
    ],
    [],
    { gaps: [gap(9), gap(5)] },
  );
  const second = line(
    [
      { ...marked[0]!, revisedAt: "2026-11-07", agrees: true },
      marked[1]!,
      { ...marked[2]!, agrees: false },
    ],
    [],
    { gaps: [gap(5), gap(7)], dataThrough: dayOf(1), source: "b" },
  );
  const third = line(marked, [], { source: "a", fetchedAt: "2026-11-20" });
  const lines = [first, second, { ...third, from: dayOf(-1) }];
  const [total, ...others] = draw(lines, { values: "total" });
  assertEquals(others, []);
  assertEquals([total!.chainId, total!.chainName, total!.token], [
    null,
    "3 chains together",
    null,
  ]);
  assertEquals(total!.drawn, [3, 6, 9]);
  assertEquals(total!.gaps, [gap(5), gap(7), gap(9)]);
  assertEquals(
    [total!.dataThrough, total!.fetchedAt, total!.source],
    [dayOf(1), "2026-11-20", "a; b"],
  );
  const marks = total!.points.map((
    { withdrawn, revisedAt, agrees, disputedDays },
  ) => [withdrawn, revisedAt, agrees, disputedDays.length]);
  assertEquals(marks, [
    [true, "2026-11-07", null, 0],
    [false, null, false, 0],
    [false, null, false, 1],
  ]);
  const unread = line(marked, [], { dataThrough: null });
  assertEquals(
    draw([first, unread], { values: "total" })[0]!.dataThrough,
    null,
  );
  assertEquals(
    draw([unread, first], { values: "total" })[0]!.dataThrough,
    null,
  );
  const plain = draw([third, third], { values: "total" })[0]!.points[0]!;
  assertEquals([plain.withdrawn, plain.revisedAt, plain.agrees], [
    false,
    null,
    null,
  ]);
});

Deno.test("drawLines() compares the days of a daily window, else the days beside its buckets", () => {
  const before = pointsOf(-3, [1, 2, 3]);
  const daily = draw([line(pointsOf(0, [4, 6, 8]), before)])[0]!.changes!;
  assertEquals([daily.value, daily.from, daily.to], [18, dayOf(0), dayOf(2)]);
  assertAlmostEquals(daily.before!.changePct!, 200);
  const month = draw([line(pointsOf(0, [99]), before)], {}, "month")[0]!;
  assertEquals(month.changes, null);
  const inside = line(pointsOf(0, [99]), pointsOf(0, [4, 6]));
  assertEquals(draw([inside], {}, "month")[0]!.changes!.value, 10);
});

Deno.test("movingAverage has a value exactly where no day of the window is missing, within the window's range", () => {
  const value = fc.oneof(
    { weight: 9, arbitrary: fc.double({ min: 0, max: 1e12, noNaN: true }) },
    { weight: 1, arbitrary: fc.constant(NaN) },
  );
  fc.assert(fc.property(
    fc.array(value, { maxLength: 80 }),
    fc.constantFrom(1, 7, 30),
    (values, length) => {
      const means = movingAverage(Float64Array.from(values), length);
      assertEquals(means.length, values.length);
      for (const [at, mean] of means.entries()) {
        const window = values.slice(Math.max(0, at - length + 1), at + 1);
        const isWhole = window.length === length &&
          !window.some(Number.isNaN);
        assertEquals(!Number.isNaN(mean), isWhole);
        if (!isWhole) continue;
        const most = Math.max(...window);
        assert(mean <= most * (1 + 1e-12));
        assert(mean >= Math.min(...window) * (1 - 1e-12));
        assertAlmostEquals(
          mean,
          window.reduceRight((sum, one) => sum + one, 0) / length,
          most * 1e-12,
        );
      }
    },
  ));
});

Deno.test("a total whose window begins in a gap lacks the days of the gap", () => {
  const gaps = [{ from: dayOf(0), to: dayOf(1) }];
  const late = line(pointsOf(2, [5, 5]), [], { gaps });
  const [drawn] = draw([late], {}, "day", [2, 3].map(dayOf));
  assertEquals([drawn!.changes?.value, drawn!.changes?.missingDays], [null, 2]);
});
