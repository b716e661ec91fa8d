/** The value axis of a chart, and what it draws as a table. */
import { assertEquals } from "@std/assert";
import {
  type Chart,
  type ChartLine,
  type ChartName,
  PLAIN_VIEW,
} from "../../../services/charts/charts_schema.ts";
import { drawnTable } from "../../../services/charts/charts.ts";
import {
  canShareAxis,
  countHidden,
  extentOf,
  groupByAxis,
  isShown,
  joinAxes,
} from "../../../services/charts/value_axis.ts";
import { point } from "../../support/charts/charts.ts";

const DAYS = ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"];

const POINT = point(DAYS[0]!, 0);

/** A line of values, one a day; the last `open` buckets are not complete. */
function line(
  values: readonly (number | null)[],
  { from = 0, open = 0, chainId = 1 as number | null, token = "AVAX" } = {},
): ChartLine {
  const points = values.map((value, nth) => ({
    ...POINT,
    day: DAYS[from + nth]!,
    value: value ?? 0,
    complete: nth < values.length - open,
  }));
  return {
    chainId,
    chainName: "Chain",
    token,
    points,
    drawn: values,
    gaps: [],
    dataThrough: null,
    fetchedAt: "2026-11-05T00:00:00.000Z",
    source: "test",
    base: null,
    changes: null,
  };
}

function chart(
  lines: readonly ChartLine[],
  { name = "txCount" as ChartName, view = {} } = {},
): Chart {
  return {
    name,
    unit: "count",
    interval: "day",
    axis: DAYS,
    lines,
    view: { ...PLAIN_VIEW, ...view },
    chainNames: [],
    upgrades: [],
    checks: null,
    recentAgreementPct: null,
  };
}

Deno.test("isShown() and countHidden(): what a log axis leaves out", () => {
  const shown = (scale: "linear" | "log") =>
    [null, -1, 0, 1].map((value) => isShown(value, { scale }));
  assertEquals(shown("linear"), [false, true, true, true]);
  assertEquals(shown("log"), [false, false, false, true]);
  const zeros = [line([0, 1, 0]), line([null, 0])];
  assertEquals(countHidden(chart(zeros)), 0);
  assertEquals(countHidden(chart(zeros, { view: { scale: "log" } })), 3);
});

Deno.test("extentOf() is the range of complete buckets, from zero except of levels and on a log axis", () => {
  const linear = { name: "txCount", view: PLAIN_VIEW } as const;
  const level = { ...linear, name: "cumulativeTxCount" } as const;
  const log = { ...linear, view: { ...PLAIN_VIEW, scale: "log" } } as const;
  const lines = [line([5, 9, 50], { open: 1 }), line([null, 3])];
  assertEquals(extentOf(linear, lines), [0, 9]);
  assertEquals(extentOf(level, lines), [3, 9]);
  assertEquals(extentOf({ ...linear, name: "validators" }, lines), [3, 9]);
  const index = { ...PLAIN_VIEW, values: "index" as const };
  assertEquals(extentOf({ ...level, view: index }, lines), [0, 9]);
  assertEquals(extentOf(log, lines), [3, 9]);
  assertEquals(extentOf(linear, [line([5], { open: 1 })]), [0, 5]);
  assertEquals(extentOf(level, [line([5])]), [0, 5], "one value");
  assertEquals(extentOf(log, [line([20])]), [2, 200], "one value");
  assertEquals(extentOf(linear, [line([0])]), [0, 1]);
  assertEquals(extentOf(linear, []), [0, 1]);
  assertEquals(extentOf(log, [line([0])]), [0.1, 10]);
});

Deno.test("canShareAxis(): up to twenty times as high, in one token, and always on a log axis", () => {
  const pair = (high: number, other = "AVAX") => [
    line([1, null, 0.5]),
    line([high, 2], { token: other }),
  ];
  assertEquals(canShareAxis(chart(pair(20))), true);
  assertEquals(canShareAxis(chart(pair(20.01))), false);
  assertEquals(canShareAxis(chart([...pair(20), line([0, 0])])), true);
  const log = { view: { scale: "log" } };
  assertEquals(canShareAxis(chart(pair(1e6), log)), true);
  const fees = { name: "feesPaid" as const };
  assertEquals(canShareAxis(chart(pair(2, "BEAM"))), true);
  assertEquals(canShareAxis(chart(pair(2, "BEAM"), fees)), false);
  assertEquals(canShareAxis(chart(pair(2), fees)), true);
  const share = { ...fees, view: { values: "share" } };
  assertEquals(canShareAxis(chart(pair(1e6, "BEAM"), share)), true);
});

Deno.test("groupByAxis(): one axis for all lines, or one for each", () => {
  const near = [line([1]), line([2])];
  const panels = { view: { layout: "panels" } };
  assertEquals(groupByAxis(chart(near)), [[0, 1]]);
  assertEquals(groupByAxis(chart(near, panels)), [[0], [1]]);
  assertEquals(groupByAxis(chart([line([1]), line([99])])), [[0], [1]]);
  assertEquals(groupByAxis(chart([line([1])], panels)), [[0]]);
});

Deno.test("drawnTable() has a row a bucket, complete if each line is or has not begun", () => {
  const lines = [
    line([1, 2, 3], { open: 1 }),
    line([7, 8], { from: 1, chainId: null }),
  ];
  assertEquals(drawnTable(chart(lines)), {
    columns: ["period", "Chain (1)", "Chain", "complete"],
    rows: [
      { period: DAYS[0]!, "Chain (1)": 1, Chain: null, complete: true },
      { period: DAYS[1]!, "Chain (1)": 2, Chain: 7, complete: true },
      { period: DAYS[2]!, "Chain (1)": 3, Chain: 8, complete: false },
      { period: DAYS[3]!, "Chain (1)": null, Chain: null, complete: false },
    ],
  });
});

Deno.test("drawnTable() does not count a chain as not begun in a gap, or after its newest day", () => {
  const whole = line([1, 2, 3, 4]);
  const completeOf = (other: Partial<ChartLine>) =>
    drawnTable(chart([whole, { ...line([7], { from: 3 }), ...other }])).rows
      .map(({ complete }) => complete);
  assertEquals(completeOf({}), [true, true, true, true]);
  const gaps = [{ from: DAYS[0]!, to: DAYS[2]! }];
  assertEquals(completeOf({ gaps }), [false, false, false, true]);
  const none = { points: [], drawn: [] };
  assertEquals(completeOf({ ...none, dataThrough: DAYS[1]! }), [
    true,
    true,
    false,
    false,
  ]);
  const weeks = ["2026-10-26", "2026-11-02"];
  const week = (at: number) => ({ ...POINT, day: weeks[at]! });
  // Its first week has a gap and is hidden.
  const hidden = { points: [week(1)], drawn: [7] };
  const weekly = {
    ...chart([
      { ...whole, points: [week(0), week(1)], drawn: [1, 2] },
      { ...whole, ...hidden, gaps: [{ from: "2026-10-28", to: "2026-10-29" }] },
    ]),
    axis: weeks,
    interval: "week",
  } as const;
  assertEquals(drawnTable(weekly).rows.map(({ complete }) => complete), [
    false,
    true,
  ]);
});

const daysOf = (...days: string[]) => days.map((day) => ({ day }));

Deno.test("joinAxes lists every bucket between the first and the last point", () => {
  const rows: [
    lines: { day: string }[][],
    interval: "day" | "week" | "month",
    axis: string[],
  ][] = [
    [[], "day", []],
    [[[]], "day", []],
    [[daysOf("2026-02-27", "2026-03-01")], "day", [
      "2026-02-27",
      "2026-02-28",
      "2026-03-01",
    ]],
    [[daysOf("2026-11-02"), [], daysOf("2026-10-19")], "week", [
      "2026-10-19",
      "2026-10-26",
      "2026-11-02",
    ]],
    [[daysOf("2025-12-01", "2026-02-01"), daysOf("2026-01-01")], "month", [
      "2025-12-01",
      "2026-01-01",
      "2026-02-01",
    ]],
  ];
  for (const [lines, interval, axis] of rows) {
    assertEquals(joinAxes(lines, interval), axis);
  }
});
