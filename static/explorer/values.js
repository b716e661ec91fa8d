/** The values of the chart as uPlot takes them, and the labels of its value axis. */
import uPlot from "../vendor/uplot.js";

/** Series of uPlot for each line: its solid part, its dashed part, and its unfinished points. */
export const PARTS = 3;

/** Returns the data for uPlot: days in seconds, then the parts of each line. */
export function dataOf(drawing) {
  const { days, lines, isLog } = drawing;
  const [bottom, top] = rangeOf(drawing);
  const within = (value) =>
    value === null ? null : Math.min(Math.max(value, bottom), top);
  return [
    days.map(secondsOf),
    ...lines.flatMap((line) => {
      const inferred = new Set(line.inferred);
      const open = new Set(line.incomplete.filter((at) => !inferred.has(at)));
      const shown = line.values.map((_, at) => drawnAt(line, at, isLog));
      return [
        shown.map((value, at) =>
          open.has(at) || inferred.has(at) ? null : value
        ),
        shown.map((value, at) =>
          !open.has(at) &&
            [at - 1, at, at + 1].some((near) => inferred.has(near))
            ? within(value)
            : null
        ),
        shown.map((value, at) => open.has(at) ? within(value) : null),
      ];
    }),
    ...hasSecond(drawing) ? [lines[0].second.map(within)] : [],
  ];
}

/** Returns whether the second source of the only line is drawn. */
export function hasSecond({ lines }) {
  return lines.length === 1 && lines[0].second.some((value) => value !== null);
}

/** Returns the range of the value axis. Unfinished buckets do not affect it. */
export function rangeOf({ extent: [least, most], fromZero, isLog }) {
  if (isLog) return uPlot.rangeLog(least, most, 10, false);
  if (fromZero) return [0, uPlot.rangeNum(0, most, 0.05, true)[1]];
  const [bottom, top] = uPlot.rangeNum(least, most, 0.05, false);
  // The space below a low value would reach below 0, where no value is.
  return [Math.max(0, bottom), top];
}

/** Returns the drawn value of a bucket: indexed to the base if there is one; null if it is not drawn. */
function drawnAt({ values, base }, at, isLog) {
  const value = values[at];
  // A log axis has no 0.
  if (value === null || (isLog && value === 0)) return null;
  return base === null ? value : value / base * 100;
}

/** Returns the points without neighbours: no line shows them. */
export function alonePoints(plot, index) {
  const isThere = (value) => typeof value === "number";
  return plot.data[index].flatMap((value, at, values) =>
    isThere(value) && !isThere(values[at - 1]) && !isThere(values[at + 1])
      ? [at]
      : []
  );
}

const DAY_S = 86_400;

/** Returns the range of the day axis. A single day is in the middle. */
export function dayRangeOf({ data: [days] }, first, last) {
  return days.length === 1 ? [days[0] - DAY_S, days[0] + DAY_S] : [first, last];
}

/** Returns whether all drawn values are whole numbers, so that the axis needs no fractions. */
export function isWhole({ lines }) {
  return lines.every(({ values, base }) =>
    base === null &&
    values.every((value) => value === null || Number.isInteger(value))
  );
}

/** Distances of whole ticks: 1, 2, 5, 10, 20, 25, 50 and so on. */
export const WHOLE_STEPS = Array.from(
  { length: 16 },
  (_, power) => [1, 2, 2.5, 5].map((step) => step * 10 ** power),
).flat().filter(Number.isInteger);

/** Formats ticks as short as they stay distinct. */
export function formatTicks(values) {
  for (let digits = 3;; digits++) {
    const compact = new Intl.NumberFormat("en-US", {
      notation: "compact",
      maximumSignificantDigits: digits,
    });
    // A log axis has ticks without a label.
    const labels = values.map((value) =>
      value === null ? "" : compact.format(value)
    );
    const shown = labels.filter((label) => label !== "");
    if (digits === 15 || new Set(shown).size === shown.length) return labels;
  }
}

/** Returns the width of the longest label. */
export function axisWidth(plot, labels) {
  if (labels === null) return 40;
  const { ctx } = plot;
  ctx.font = plot.axes[1].font[0];
  const widest = labels.reduce(
    (most, label) => Math.max(most, ctx.measureText(label ?? "").width),
    0,
  );
  return Math.ceil(widest / devicePixelRatio) + 14;
}

/** Returns the start of a day in seconds, as uPlot counts. */
export function secondsOf(day) {
  return Date.parse(day) / 1000;
}
