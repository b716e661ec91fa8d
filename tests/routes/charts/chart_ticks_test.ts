/** Ticks, marks and paths of charts, in pixels. */
import { assertEquals } from "@std/assert";
import { dayTicksOf, upgradeMarksOf } from "../../../routes/charts/day_axis.ts";
import {
  diamondPath,
  linePath,
  plotChart,
} from "../../../routes/charts/chart_panels.ts";
import { PLAIN_VIEW } from "../../../services/charts/charts_schema.ts";
import { chart, point } from "../../support/charts/charts.ts";
import {
  COMPARED_DAYS,
  upgrade,
} from "../../support/charts/compared_charts.ts";

const DAYS = COMPARED_DAYS;

Deno.test("upgradeMarksOf() leaves out a name that would reach the next mark or the edge", () => {
  // 6.5 pixels a letter and 10 to the next mark.
  const marks = (right: number, names: readonly [string, number][]) =>
    upgradeMarksOf(
      chart(["2026-01-01", "2026-04-11"], [], {
        upgrades: names.map(([name, day]) =>
          upgrade(
            name,
            new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
          )
        ),
      }),
      { left: 0, right },
    ).map(({ x, isNamed }) => [x, isNamed]);
  assertEquals(marks(100, [["Etna", 64]]), [[64, true]]);
  assertEquals(marks(100, [["Etna", 65]]), [[65, false]]);
  assertEquals(marks(100, [["Etna", 10], ["B", 46]]), [[10, true], [46, true]]);
  assertEquals(marks(100, [["Etna", 10], ["B", 45]]), [[10, false], [
    45,
    true,
  ]]);
  assertEquals(marks(100, [["Etna", 120]]), [[100, false]], "within the plot");
});

Deno.test("the ticks of an axis are 84 and 64 pixels apart on the average, and labels of days never nearer than 54", () => {
  const axis = Array.from(
    { length: 5 },
    (_, at) =>
      new Date(Date.UTC(2026, 2, 2 + 7 * at)).toISOString().slice(0, 10),
  );
  const weeks = chart(axis, [], { interval: "week" });
  const days = (right: number) =>
    plotChart(weeks, { left: 0, top: 0, right, bottom: 100 }).xTicks
      .map(({ day }) => axis.indexOf(day));
  assertEquals(days(161), [0, 4], "three labels need 162 pixels");
  assertEquals(days(162), [0, 2, 4]);
  assertEquals(days(419), [0, 2, 4]);
  assertEquals(days(420), [0, 1, 2, 3, 4]);
  assertEquals(
    dayTicksOf(weeks, { left: 84, right: 336 }).map(({ day }) => day),
    [axis[0], axis[2], axis[4]],
  );
  const from = (first: number, days: number, interval: "day" | "week") =>
    dayTicksOf(
      chart(
        [first, first + days].map((day) =>
          new Date(Date.UTC(2026, 10, day)).toISOString().slice(0, 10)
        ),
        [],
        { interval },
      ),
      { left: 0, right: 168 },
    ).map(({ label }) => label);
  assertEquals(from(3, 20, "day"), ["8 Nov", "15 Nov", "22 Nov"]);
  assertEquals(from(2, 63, "week"), ["Dec", "2027"]);
  const months = (...axis: string[]) =>
    dayTicksOf(chart(axis, [], { interval: "month" }), { left: 0, right: 420 })
      .map(({ label }) => label);
  assertEquals(months("2026-11-01", "2027-02-01"), [
    "Nov",
    "Dec",
    "2027",
    "Feb",
  ]);
  assertEquals(months("2026-02-01", "2026-06-01"), [
    "Feb 2026",
    "Mar",
    "Apr",
    "May",
    "Jun",
  ]);
  const values = (bottom: number) =>
    plotChart(chart(DAYS, [point(DAYS[0]!, 4)]), {
      left: 0,
      top: 0,
      right: 100,
      bottom,
    }).yTicks.map(({ y, label }) => [y, label]);
  assertEquals(values(100), [[100, "0"], [50, "2"], [0, "4"]]);
  assertEquals(values(224).length, 5);
  assertEquals(values(256), [[256, "0"], [192, "1"], [128, "2"], [64, "3"], [
    0,
    "4",
  ]]);
});

Deno.test("a log axis has powers of ten, as many as fit, and the digits 1, 2 and 5 of up to two", () => {
  const ticks = (values: readonly number[], bottom = 100) =>
    plotChart(
      chart(DAYS, values.map((value, at) => point(DAYS[at]!, value)), {
        view: { ...PLAIN_VIEW, scale: "log" },
      }),
      { left: 0, top: 0, right: 100, bottom },
    ).yTicks.map(({ label }) => label);
  assertEquals(ticks([1, 10]), ["1", "2", "5", "10"]);
  assertEquals(ticks([1, 100]), ["1", "2", "5", "10", "20", "50", "100"]);
  assertEquals(ticks([1, 1000]), ["1", "10", "100", "1K"]);
  assertEquals(ticks([1, 10_000]), ["1", "100", "10K"]);
  assertEquals(ticks([1, 10_000], 256), ["1", "10", "100", "1K", "10K"]);
  const open = [1, 100, 5000].map((value, at) =>
    point(DAYS[at]!, value, { complete: at < 2 })
  );
  assertEquals(
    plotChart(chart(DAYS, open, { view: { ...PLAIN_VIEW, scale: "log" } }), {
      left: 0,
      top: 7,
      right: 100,
      bottom: 100,
    }).lines[0]!.provisional.map(({ y }) => y),
    [7],
    "at the edge",
  );
  assertEquals(ticks([10]), ["1", "2", "5", "10", "20", "50", "100"]);
});

Deno.test("linePath() draws two buckets or more for a pixel by whole pixels, and else to a tenth", () => {
  const places = (count: number, width: number) =>
    Array.from({ length: count }, (_, at) => ({
      x: at * width / (count - 1),
      y: 0.25,
    }));
  assertEquals(linePath([]), "");
  assertEquals(linePath([undefined]), "");
  assertEquals(linePath(places(2, 0.5)), "M0,0.3L0.5,0.3");
  assertEquals(linePath(places(4, 2)), "M0,0.3L0.7,0.3L1.3,0.3L2,0.3");
  assertEquals(linePath(places(5, 2)), "M0,0L1,0L1,0L2,0L2,0");
  assertEquals(
    linePath([undefined, ...places(5, 2), undefined, undefined]),
    "M0,0L1,0L1,0L2,0L2,0",
  );
  const away = places(5, 2).map(({ x, y }) => ({ x: x + 100, y }));
  assertEquals(linePath(away), "M100,0L101,0L101,0L102,0L102,0");
  const column = (...ys: number[]) => ys.map((y) => ({ x: 0.2, y }));
  assertEquals(linePath(column(3, 1, 5)), "M0,3L0,1L0,5");
  assertEquals(linePath(column(3, 1, 5, 2, 4)), "M0,3L0,1L0,5L0,4");
  assertEquals(linePath(column(3, 5, 1, 2, 4)), "M0,3L0,5L0,1L0,4");
  assertEquals(
    linePath([...column(3, 1, 5), undefined, ...column(2, 9)]),
    "M0,3L0,1L0,5M0,2L0,9",
  );
});

Deno.test("diamondPath() draws a diamond of eight pixels at each place, and none nearer than four pixels to the last", () => {
  const path = (...xs: number[]) =>
    diamondPath(xs.map((x) => ({ x, y: 10.26 })));
  assertEquals(path(), "");
  assertEquals(path(3), "M3 6.3l4 4l-4 4l-4-4z");
  assertEquals(path(3, 6.9), path(3));
  assertEquals(path(3, 7), path(3) + path(7));
  assertEquals(path(3, 6, 8), path(3) + path(8));
});

Deno.test("the label of a line is at its last complete bucket, else at its last", () => {
  const ends = (...complete: boolean[]) =>
    plotChart(
      chart(
        DAYS.slice(0, complete.length + 1),
        complete.map((is, at) =>
          point(DAYS[at]!, 10 * (at + 1), { complete: is })
        ),
      ),
      { left: 0, top: 0, right: 60, bottom: 100 },
    ).lines[0]!.end?.x ?? null;
  assertEquals(ends(true, true, false), 20);
  assertEquals(ends(false, false, false), 40);
  assertEquals(ends(), null);
});
