/** The change over a week: its exact figure, and each reason for having none. */
import { assertEquals } from "@std/assert";
import { weekChangeOf } from "../../../../services/chain_data/overview/overview.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
} from "../../../../services/chain_data/series/series.ts";

const FIRST = 20_000;

/** A closed series of these values. */
const series = (
  values: readonly number[],
  more: Partial<DailySeries> = {},
): DailySeries => ({
  firstDay: FIRST,
  values: Float64Array.from(values),
  isClosed: true,
  ...more,
});

const weeks = (before: number, after: number) => [
  ...Array<number>(7).fill(before),
  ...Array<number>(7).fill(after),
];

const TODAY = FIRST + 14;

const changeOf = (
  of: DailySeries,
  fold: "mean" | "last" | "sum" = "mean",
  today = TODAY,
) => weekChangeOf(of, { fold, today });

Deno.test("weekChangeOf() compares the last seven complete days with the seven before", () => {
  const change = (changePct: number, from: number) => ({
    changePct,
    noChange: null,
    from,
  });
  assertEquals(changeOf(series(weeks(8, 10))), change(25, 8));
  assertEquals(changeOf(series(weeks(8, 10)), "sum"), change(25, 56));
  const days = Array.from({ length: 14 }, (_, nth) => nth + 1);
  assertEquals(changeOf(series(days)), change(175, 4));
  assertEquals(changeOf(series(days), "last"), change(100, 7));
  // The newest day of an open series, and today, are not complete.
  const open = series([5, ...days, 99], {
    isClosed: false,
    firstDay: FIRST - 1,
  });
  assertEquals(changeOf(open, "last"), change(100, 7));
  const withToday = series([5, ...days, 99], { firstDay: FIRST - 1 });
  assertEquals(changeOf(withToday, "last"), change(100, 7));
});

Deno.test("weekChangeOf() says why there is no change", () => {
  const gap = weeks(1, 2).with(3, NaN);
  const withdrawn = (day: number) => [{ from: FIRST + day, to: FIRST + day }];
  const cases: [of: DailySeries, reason: string][] = [
    [EMPTY_SERIES, "noCompleteDay"],
    [series([1], { isClosed: false }), "noCompleteDay"],
    [series(weeks(1, 2).slice(1)), "young"],
    [series(gap), "missing"],
    [series(weeks(1, 2), { withdrawn: withdrawn(0) }), "withdrawn"],
    [series(weeks(1, 2), { withdrawn: withdrawn(13) }), "withdrawn"],
    [series(weeks(0, 2)), "fromZero"],
  ];
  for (const [of, noChange] of cases) {
    assertEquals(
      changeOf(of),
      { changePct: null, noChange, from: null } as never,
    );
  }
  const older = series([9, ...weeks(1, 2)], {
    firstDay: FIRST - 1,
    withdrawn: [{ from: FIRST - 1, to: FIRST - 1 }],
  });
  assertEquals(changeOf(older).changePct, 100);
});
