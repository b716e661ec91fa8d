/** The chart of the explorer: drawn by the server, with the data for the browser to redraw it. */
import { html, raw } from "hono/html";
import type {
  Chart,
  ChartLine,
} from "../../../services/charts/charts_schema.ts";
import { dayTicksOf } from "./chart_plot.ts";
import { chartPicture } from "./chart_svg.ts";
import {
  bucketsOf,
  capitalised,
  disputeOf,
  drawnValue,
  formatBucket,
  formatValue,
  isDisputed,
  isLevel,
  printable,
  titleOf,
  unitOf,
  VALUE_FORMAT,
} from "./chart_words.ts";
import type { Html } from "../layout.ts";

/** Sizes of the picture: alone, beside a table, and on a phone. */
const ALONE = { width: 1060, height: 380 };
const BESIDE = { width: 690, height: 380 };
const NARROW = { width: 330, height: 300 };

/** Renders the chart with its legend. Without scripts the picture stays. */
export function chartFigure(
  chart: Chart,
  { isBeside }: { readonly isBeside: boolean },
): Html {
  const wide = isBeside ? BESIDE : ALONE;
  const { name, lines, isIndexed, axis } = chart;
  if (axis.length === 0) {
    return html`<p class="notice">There are no values for these days.</p>`;
  }
  return html`
    <figure class="card explorer-figure stack stack-small">
      <figcaption class="small muted">${isIndexed
        ? "Each line in percent of its own base. The base, 100, is its first active and complete bucket."
        : capitalised(
          `${unitOf(name, lines[0]!)} ${bucketsOf(chart)}`,
        )}</figcaption>
      ${isIndexed ? legend(chart) : ""}
      <p class="readout" id="readout" aria-live="polite"></p>
      <div class="plot" data-chart-title="${titleOf(chart)}">
        <div class="plot-wide">${chartPicture(chart, wide)}</div>
        <div class="plot-narrow">${chartPicture(chart, NARROW)}</div>
      </div>
      <p class="small muted keys">${keysOf(chart)}</p>
      <script type="application/json" id="chart-data">${raw(
        JSON.stringify(drawing(chart, wide.width)).replaceAll("<", "\\u003c"),
      )}</script>
    </figure>
  `;
}

function keysOf({ lines }: Chart): Html {
  const points = lines.flatMap((line) => line.points);
  const keys = [
    ...(points.some(({ complete, inferred }) => !complete && !inferred)
      ? [html`
        <span
          class="key"><span class="key-dashed"></span> incomplete: will change</span>
      `]
      : []),
    ...(points.some(({ inferred }) => inferred)
      ? [html`
        <span
          class="key"><span class="key-dashed"></span> inferred: the source publishes no more days</span>
      `]
      : []),
    ...(points.some(isDisputed)
      ? [html`
        <span
          class="key"><span class="key-ring"></span> disputed: sources disagree</span>
      `]
      : []),
    ...(lines.some(({ gaps }) => gaps.length > 0)
      ? [html`<span class="key">broken line: no value</span>`]
      : []),
  ];
  return html`${keys}`;
}

/** Renders the name and the base of each line. */
function legend(chart: Chart): Html {
  const { lines } = chart;
  return html`
    <ul class="legend">${lines.map((line, index) =>
      html`<li><span class="swatch series-${index + 1}"></span>
<span><strong>${printable(line.chainName)}</strong> <span class="small muted">${
        baseWords(chart, line)
      }</span>${
        line.base?.isSmall
          ? html`
            <span
              class="badge badge-warn">Small base: swings look larger than they are</span>
          `
          : ""
      }</span></li>`
    )}</ul>
  `;
}

function baseWords({ name, interval }: Chart, line: ChartLine): Html {
  const { base } = line;
  return base === null
    ? html`no index: no active and complete bucket in these days`
    : html`
      100 = ${formatValue(base.value)} ${unitOf(name, line)}, <span
        class="nowrap">${formatBucket(base.day, interval)}</span>
    `;
}

/** Returns the data that static/explorer/chart.js draws. */
function drawing(chart: Chart, wide: number) {
  const { name, axis, interval, lines, isIndexed } = chart;
  return {
    days: axis,
    interval,
    format: VALUE_FORMAT,
    isIndexed,
    ticks: {
      wide: ticksOf(chart, wide),
      narrow: ticksOf(chart, NARROW.width),
    },
    fromZero: isIndexed || !isLevel(name),
    lines: lines.map((line) => {
      const byDay = new Map(line.points.map((point) => [point.day, point]));
      const points = axis.map((day) => byDay.get(day));
      return {
        label: printable(line.chainName),
        unit: unitOf(name, line),
        base: line.base?.value ?? null,
        values: points.map((point) =>
          point && drawnValue(chart, line, point) !== null ? point.value : null
        ),
        incomplete: places(points, (point) => !point.complete),
        inferred: places(points, (point) => point.inferred),
      };
    }),
    rings: lines.flatMap((line, index) =>
      line.points.filter(isDisputed).map((point) => ({
        line: index,
        at: axis.indexOf(point.day),
        words: disputeOf(chart, line, point),
      }))
    ),
  };
}

function ticksOf(chart: Chart, width: number): [day: string, label: string][] {
  return dayTicksOf(chart, { left: 0, right: width }).map((
    { day, label },
  ) => [day, label]);
}

function places<T>(
  list: readonly (T | undefined)[],
  isWanted: (item: T) => boolean,
): number[] {
  return list.flatMap((item, index) =>
    item !== undefined && isWanted(item) ? [index] : []
  );
}
