/** The geometry of charts: lines, positions and ticks. */
import { assert, assertEquals } from "@std/assert";
import { plotChart } from "../../../routes/charts/chart_panels.ts";
import { dayTicksOf, upgradeMarksOf } from "../../../routes/charts/day_axis.ts";
import { formatTicks } from "../../../routes/charts/chart_words.ts";
import { chartPicture } from "../../../routes/charts/chart_svg.ts";
import {
  type ChartName,
  type ChartView,
  PLAIN_VIEW,
} from "../../../services/charts/charts_schema.ts";
import { joinAxes } from "../../../services/charts/value_axis.ts";
import { chart, point } from "../../support/charts/charts.ts";
import { drawn, upgrade } from "../../support/charts/compared_charts.ts";

const FRAME = { left: 0, top: 0, right: 400, bottom: 100 };
const DAYS = [
  "2026-11-01",
  "2026-11-02",
  "2026-11-03",
  "2026-11-04",
  "2026-11-05",
];

/** Plots values on consecutive days: null is absent, a string is incomplete. */
function plot(values: readonly (number | string | null)[]) {
  const points = values.flatMap((value, index) =>
    value === null ? [] : [
      point(DAYS[index]!, Number(value), {
        complete: typeof value === "number",
      }),
    ]
  );
  return plotChart(chart(DAYS.slice(0, values.length), points), FRAME)
    .lines[0]!;
}

Deno.test("plotChart() joins adjacent complete buckets only: an incomplete one stands apart", () => {
  const rows: [
    values: (number | string | null)[],
    solid: string,
    alone: string,
  ][] = [
    [[0, 10, 0], "M0,100L200,0L400,100", ""],
    [[10, null, 10], "M0,0ZM400,0Z", "M0,0ZM400,0Z"],
    [[0, 10, "0"], "M0,100L200,0", ""],
    [[10, "0", 10], "M0,0ZM400,0Z", "M0,0ZM400,0Z"],
    [["10", null, "10"], "", ""],
    [["10", "10", "10"], "", ""],
  ];
  for (const [values, solid, alone] of rows) {
    const line = plot(values);
    assertEquals([line.solid, line.alone], [solid, alone], String(values));
    assertEquals(line.dashed, "");
    assertEquals(
      line.provisional.length,
      values.filter((value) => typeof value === "string").length,
    );
  }
});

Deno.test("plotChart() starts the axis of amounts at zero and of levels at their minimum", () => {
  const points = [point(DAYS[0]!, 1000), point(DAYS[1]!, 1010)];
  const labels = (name: "txCount" | "cumulativeTxCount") =>
    plotChart(chart(DAYS.slice(0, 2), points, { name }), FRAME)
      .yTicks.map(({ label }) => label);
  assertEquals(labels("txCount")[0], "0");
  assertEquals(labels("cumulativeTxCount")[0], "1K");
});

Deno.test("an axis that does not begin at 0 says so below its lowest value, and has the space for it", async () => {
  const points = [point(DAYS[0]!, 1000), point(DAYS[1]!, 1010)];
  const rows: [name: ChartName, view: Partial<ChartView>, isCut: boolean][] = [
    ["txCount", {}, false],
    ["cumulativeTxCount", {}, true],
    ["validators", {}, true],
    // A log axis never begins at 0, and the picture says that it is one.
    ["cumulativeTxCount", { scale: "log" }, false],
    ["cumulativeTxCount", { values: "index" }, false],
  ];
  for (const [name, view, isCut] of rows) {
    const { elements } = await drawn(chartPicture(
      chart(DAYS.slice(0, 2), points, {
        name,
        view: { ...PLAIN_VIEW, ...view },
      }),
      { width: 400, height: 200 },
    ));
    const notes = elements.filter(({ text }) => text === "not 0")
      .filter((element) => element.name === "text");
    assertEquals(notes.length, isCut ? 1 : 0, name);
    for (const { attributes } of notes) assert(Number(attributes.x) >= 5 * 7);
  }
});

Deno.test("plotChart() fits the axis to complete buckets, and draws an unfinished one at its edge", () => {
  const points = (last: number) => [
    point(DAYS[0]!, 1000),
    point(DAYS[1]!, 1010),
    point(DAYS[2]!, last, { complete: false }),
  ];
  const plotted = (last: number) =>
    plotChart(
      chart(DAYS.slice(0, 3), points(last), { name: "cumulativeTxCount" }),
      FRAME,
    );
  for (const [last, y] of [[1005, 50], [5, 100], [9000, 0]] as const) {
    const { lines: [line], yTicks } = plotted(last);
    assertEquals(yTicks.at(-1)!.label, "1.01K", String(last));
    assertEquals(line!.provisional, [{ x: 400, y }], String(last));
  }
  const none = plotChart(
    chart([DAYS[0]!], [point(DAYS[0]!, 500, { complete: false })]),
    FRAME,
  );
  assertEquals(none.yTicks.at(-1)!.label, "600", "no bucket is complete");
});

Deno.test("plotChart() handles no bucket, one bucket, and zeroes", () => {
  const empty = plotChart(chart([], []), FRAME);
  assertEquals([empty.lines[0]!.solid, empty.xTicks], ["", []]);
  const single = plotChart(chart([DAYS[0]!], [point(DAYS[0]!, 10)]), FRAME);
  const { solid, alone } = single.lines[0]!;
  assertEquals([solid, alone], ["M200,0Z", "M200,0Z"]);
  const zeroes = plotChart(chart([DAYS[0]!], [point(DAYS[0]!, 0)]), FRAME);
  assertEquals(zeroes.lines[0]!.solid, "M200,100Z");
});

Deno.test("plotChart() draws the drawn values, and omits points without one", () => {
  const days = DAYS.slice(0, 2);
  const { lines: [line] } = chart(days, [
    point(days[0]!, 50),
    point(days[1]!, 100),
  ]);
  const drawn = plotChart({
    ...chart(days, []),
    view: { ...PLAIN_VIEW, values: "index", base: "first" },
    lines: [{ ...line!, drawn: [100, 200] }, { ...line!, drawn: [null, null] }],
  }, FRAME);
  assertEquals(drawn.lines.map(({ solid }) => solid), ["M0,50L400,0", ""]);
  assertEquals(drawn.yTicks.at(-1)!.label, "200");
});

Deno.test("plotChart() breaks a line at 0 on a log axis, whose ticks are powers of ten", () => {
  const points = [1000, 0, 10, 10, 100].map((value, at) =>
    point(DAYS[at]!, value)
  );
  const log = plotChart(
    chart(DAYS, points, { view: { ...PLAIN_VIEW, scale: "log" } }),
    FRAME,
  );
  assertEquals(log.lines[0]!.solid, "M0,0ZM200,100L300,100L400,50");
  assertEquals(log.yTicks.map(({ label }) => label), [
    "10",
    "20",
    "50",
    "100",
    "200",
    "500",
    "1K",
  ]);
  const linear = plotChart(chart(DAYS, points), FRAME);
  assertEquals(linear.lines[0]!.solid.split("M").length - 1, 1);
});

Deno.test("plotChart() rings buckets that are disputed or contain a disputed day", () => {
  const disputed = {
    day: DAYS[2]!,
    value: 5,
    crossCheckValue: 6,
    differencePct: 20,
  };
  const points = [
    point(DAYS[0]!, 5, { crossCheckValue: 5, differencePct: 0, agrees: true }),
    point(DAYS[1]!, 5, {
      crossCheckValue: 6,
      differencePct: 20,
      agrees: false,
    }),
    point(DAYS[2]!, 5, { disputedDays: [disputed] }),
  ];
  const { rings } = plotChart(
    chart(DAYS.slice(0, 3), points, { interval: "week" }),
    FRAME,
  );
  assertEquals(rings.map(({ x }) => x), [200, 400]);
  assertEquals(rings.map(({ words }) => words), [
    "week of 2026-11-02: 5 here, 6 by the second source (+20 %)",
    "2026-11-03: 5 here, 6 by the second source (+20 %)",
  ]);
});

Deno.test("dayTicksOf() marks years, months or days, and names each year once", () => {
  const across = { left: 0, right: 760 };
  const labels = (
    first: string,
    last: string,
    interval: "day" | "month" = "day",
  ) => {
    const axis = joinAxes([[{ day: first }, { day: last }]], interval);
    return dayTicksOf(chart(axis, [], { interval }), across)
      .map(({ label }) => label);
  };
  const rows: [given: string[], expected: string[]][] = [
    [labels("2020-09-23", "2026-11-20"), [
      "2021",
      "2022",
      "2023",
      "2024",
      "2025",
      "2026",
    ]],
    [labels("2026-11-01", "2026-11-04"), ["1 Nov", "2 Nov", "3 Nov", "4 Nov"]],
    [labels("2026-01-01", "2026-04-01", "month"), [
      "2026",
      "Feb",
      "Mar",
      "Apr",
    ]],
    [labels("2026-06-01", "2026-10-01", "month"), [
      "Jun 2026",
      "Jul",
      "Aug",
      "Sep",
      "Oct",
    ]],
    // A single label says which bucket it is.
    [labels("2026-01-01", "2026-01-01"), ["1 Jan 2026"]],
    [labels("2026-10-05", "2026-10-05"), ["5 Oct 2026"]],
    [labels("2026-01-01", "2026-01-01", "month"), ["Jan 2026"]],
    [labels("2026-10-01", "2026-10-01", "month"), ["Oct 2026"]],
  ];
  for (const [given, expected] of rows) assertEquals(given, expected);
});

Deno.test("a first day whose label would leave the axis is omitted, so that the days stay evenly apart", () => {
  const axis = joinAxes([
    [{ day: "2026-10-25" }, { day: "2026-11-20" }],
  ], "day");
  const ticks = dayTicksOf(chart(axis, []), { left: 0, right: 220 });
  assertEquals(ticks.map(({ label }) => label), ["1 Nov", "8 Nov", "15 Nov"]);
});

Deno.test("the labels of days never touch each other or leave the axis", () => {
  for (let width = 200; width <= 1600; width += 50) {
    for (
      const first of ["2026-08-23", "2026-09-30", "2026-10-29", "2025-11-20"]
    ) {
      const axis = joinAxes([[{ day: first }, { day: "2026-11-20" }]], "day");
      const ticks = dayTicksOf(chart(axis, []), {
        left: 10,
        right: 10 + width,
      });
      assert(ticks.length >= 1);
      let end = 10;
      for (const { label, labelX } of ticks) {
        const half = label.length * 3.2;
        assert(labelX - half >= end, `${width} px from ${first}: ${label}`);
        end = labelX + half;
      }
      assert(end <= 10 + width, `${width} px from ${first}`);
    }
  }
});

Deno.test("formatTicks() is short and keeps the values distinct", () => {
  assertEquals(formatTicks([0, 500_000, 1_000_000]), ["0", "500K", "1M"]);
  const close = formatTicks([208_400_000, 208_450_000, 208_500_000]);
  assertEquals(close, ["208.4M", "208.45M", "208.5M"]);
  assert(new Set(formatTicks([1e-9, 2e-9, 1e12])).size === 3);
});

Deno.test("dayTicksOf() leaves each label its room at every width and length", () => {
  for (const width of [220, 330, 540, 860, 1080]) {
    for (let days = 2; days <= 2_500; days = Math.ceil(days * 1.15)) {
      const last = new Date(Date.UTC(2020, 8, 22 + days));
      const axis = ["2020-09-23", last.toISOString().slice(0, 10)];
      const places = dayTicksOf(chart(axis, [], { interval: "day" }), {
        left: 0,
        right: width,
      }).map(({ x }) => x);
      const distances = places.slice(1).map((x, index) => x - places[index]!);
      // February is shorter than the other months.
      const least = Math.min(...distances);
      assert(least > 45, `${days} days on ${width} px: ${least} px apart`);
    }
  }
});

Deno.test("plotChart() gives whole values whole ticks, and fractions their own", () => {
  const labels = (values: readonly number[]) =>
    plotChart(
      chart(
        DAYS.slice(0, 2),
        values.map((value, at) => point(DAYS[at]!, value)),
      ),
      { ...FRAME, bottom: 320 },
    ).yTicks.map(({ label }) => label);
  assertEquals(labels([0, 0]), ["0", "1"]);
  assertEquals(labels([3, 1]), ["0", "1", "2", "3"]);
  assertEquals(labels([0.5, 1]), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
});

Deno.test("plotChart() draws inferred buckets as a dashed line without rings, and one alone as a ring", () => {
  const inferred = { inferred: true };
  const plotted = (days: readonly string[]) =>
    plotChart(
      chart(DAYS.slice(0, 3), days.map((day) => point(day, 0, inferred))),
      FRAME,
    ).lines[0]!;
  const line = plotted(DAYS.slice(0, 3));
  assertEquals(line.dashed, "M0,100L200,100M200,100L400,100");
  assertEquals(line.provisional, []);
  assertEquals(plotted([DAYS[1]!]).provisional, [{ x: 200, y: 100 }]);
});

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
