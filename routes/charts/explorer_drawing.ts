/** The data of the chart that static/explorer/chart.js draws. */
import type { Chart } from "../../services/charts/charts_schema.ts";
import { extentOf, isLevel } from "../../services/charts/value_axis.ts";
import { dayTicksOf } from "./day_axis.ts";
import { drawnKindOf } from "./chart_view_words.ts";
import {
  disputeOf,
  isDisputed,
  printable,
  revisionOf,
  unitOf,
  VALUE_FORMAT,
} from "./chart_words.ts";

/** Digits of an index or a share: enough for a plot of small changes. The readout shows one decimal. */
const DIGITS = 8;

/** Widths of a plot that have day ticks of their own, in pixels: from a phone's on. */
const TICK_WIDTHS = [220, 540, 860];

/** Returns the data of a chart, with the day ticks by the width of the plot. */
export function drawingOf(chart: Chart) {
  const { name, axis, interval, lines, view } = chart;
  const kind = drawnKindOf(chart);
  return {
    days: axis,
    interval,
    format: VALUE_FORMAT,
    kind,
    isLog: view.scale === "log",
    ticks: TICK_WIDTHS.map((width) => ({ width, days: ticksOf(chart, width) })),
    extent: extentOf(chart, lines),
    fromZero: view.values !== "absolute" || !isLevel(name),
    lines: lines.map((line) => {
      const places = placesOf(line.points, axis);
      const listed = (isWanted: (at: number) => boolean) =>
        places.flatMap((place, at) =>
          place !== -1 && isWanted(place) ? [at] : []
        );
      // The browser gets the values of an index as well; of other views it gets the drawn values alone.
      const isValue = kind === null ||
        (kind === "index" && view.average === null);
      return {
        label: printable(line.chainName),
        unit: unitOf(name, line),
        base: isValue ? line.base?.value ?? null : null,
        values: places.map((place) =>
          place === -1 || line.drawn[place] === null
            ? null
            : isValue
            ? line.points[place]!.value
            : rounded(line.drawn[place]!, kind)
        ),
        incomplete: listed((place) => !line.points[place]!.complete),
        inferred: listed((place) => line.points[place]!.inferred),
        revised: places.flatMap((place, at) => {
          const words = place === -1 ? null : revisionOf(line.points[place]!);
          return words === null ? [] : [{ at, words }];
        }),
      };
    }),
    upgrades: chart.upgrades.map(({ name, day }) => ({
      name,
      at: Math.max(0, axis.findLastIndex((bucket) => bucket <= day)),
    })),
    rings: lines.flatMap((line, index) =>
      line.points.flatMap((point, place) =>
        isDisputed(point) && line.drawn[place] !== null
          ? [{
            line: index,
            at: axis.indexOf(point.day),
            words: disputeOf(chart, line, point),
          }]
          : []
      )
    ),
  };
}

/** Rounds a derived value. An average keeps the digits that the table writes, so the readout says the same. */
function rounded(value: number, kind: ReturnType<typeof drawnKindOf>): number {
  if (kind !== "average") return Number(value.toPrecision(DIGITS));
  return Number(
    Math.abs(value) < 1_000 ? value.toPrecision(5) : value.toFixed(2),
  );
}

/** Returns the place of each bucket's point in a line; -1 without one. */
function placesOf(
  points: readonly { readonly day: string }[],
  axis: readonly string[],
): number[] {
  let next = 0;
  return axis.map((day) => points[next]?.day === day ? next++ : -1);
}

function ticksOf(chart: Chart, width: number): [day: string, label: string][] {
  return dayTicksOf(chart, { left: 0, right: width }).map((
    { day, label },
  ) => [day, label]);
}
