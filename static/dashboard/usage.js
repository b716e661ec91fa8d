/** Units of the last 30 days, as bars and as a table. */
import { byId, draw, fillTable } from "./elements.js";

/** @import { AccountAnswer } from "../../services/accounts/account_schema.ts" */
/** @typedef {{ date: string, total: number }} DayTotal */

/** Dimensions of the drawing in pixels. Its width is that of its container. */
const HEIGHT = 220;
const LEFT = 48;
const TOP = 12;
const BOTTOM = 28;

const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** @type {readonly DayTotal[]} */
let shown = [];

// Redrawn for each width, so that the text keeps its size.
const watch = new ResizeObserver(redraw);

function redraw() {
  const place = byId("usage-chart");
  const width = place.clientWidth;
  if (width > 0) place.replaceChildren(drawBars(shown, width));
}

/**
 * Shows the usage.
 * @param {AccountAnswer["usage"]} usage
 */
export function showUsage({ days }) {
  const totals = days.map(({ date, units }) => ({
    date,
    total: Object.values(units).reduce((sum, count) => sum + count, 0),
  }));
  shown = totals;
  watch.observe(byId("usage-chart"));
  redraw();
  const names = Object.keys(days[0]?.units ?? {});
  fillTable(
    byId("usage-table", HTMLTableElement),
    ["Day", "Total", ...names],
    days.map(({ date, units }, index) => [
      date,
      String(totals[index]?.total),
      ...Object.values(units).map(String),
    ]).toReversed(),
  );
}

/** @param {readonly DayTotal[]} totals @param {number} width */
function drawBars(totals, width) {
  const peak = totals.reduce((most, { total }) => Math.max(most, total), 0);
  const top = ceiling(peak);
  const step = (width - LEFT) / totals.length;
  const heightOf = (/** @type {number} */ value) =>
    (HEIGHT - TOP - BOTTOM) * value / top;
  const floor = HEIGHT - BOTTOM;
  const scale = [0, top / 2, top].map((value) =>
    draw("g", {}, [
      draw("line", {
        class: "grid-line",
        x1: LEFT,
        x2: width,
        y1: floor - heightOf(value),
        y2: floor - heightOf(value),
      }),
      draw("text", {
        x: LEFT - 8,
        y: floor - heightOf(value) + 4,
        "text-anchor": "end",
      }, [value.toLocaleString("en", { notation: "compact" })]),
    ])
  );
  const bars = totals.map(({ date, total }, index) => {
    const height = heightOf(total);
    return draw("rect", {
      class: "bar",
      x: LEFT + index * step + step * 0.15,
      y: floor - height,
      width: step * 0.7,
      height,
    }, [draw("title", {}, [`${date}: ${total}`])]);
  });
  const labels = [0, Math.floor(totals.length / 2), totals.length - 1];
  const days = labels.map((index) =>
    draw("text", {
      x: LEFT + (index + 0.5) * step,
      y: HEIGHT - 6,
      "text-anchor": index === totals.length - 1 ? "end" : "middle",
    }, [DAY.format(new Date(totals[index]?.date ?? 0))])
  );
  const sum = totals.reduce((sum, { total }) => sum + total, 0);
  const words = sum === 0
    ? "No units in the last 30 days"
    : `${sum.toLocaleString("en")} ${sum === 1 ? "unit" : "units"} ` +
      "in the last 30 days, " +
      `at most ${peak.toLocaleString("en")} in a day`;
  const nothing = {
    x: (LEFT + width) / 2,
    y: HEIGHT / 2 - 20,
    "text-anchor": "middle",
  };
  const chart = { class: "chart", viewBox: `0 0 ${width} ${HEIGHT}` };
  return draw("svg", { ...chart, role: "img", "aria-label": words }, [
    draw("title", {}, [words]),
    ...scale,
    ...bars,
    ...days,
    ...sum === 0 ? [draw("text", nothing, ["No units used yet"])] : [],
  ]);
}

/** Returns the upper end of the axis: a round number of at least `peak`. @param {number} peak */
function ceiling(peak) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(peak, 10)));
  const steps = [1, 2, 4, 6, 8, 10].map((step) => step * unit);
  return steps.find((step) => step >= peak) ?? unit * 10;
}
