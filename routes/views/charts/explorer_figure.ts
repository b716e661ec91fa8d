/** The chart of the explorer: drawn by the server, with the data for the browser to redraw it. */
import { html, raw } from "hono/html";
import type {
  Chart,
  ChartLine,
  ChartPoint,
} from "../../../services/charts/charts_schema.ts";
import { dayTicksOf, extentOf } from "./chart_plot.ts";
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

/** Sizes of the picture: on a wide screen, and on a phone. */
const WIDE = { width: 1080, height: 400 };
const NARROW = { width: 330, height: 300 };

/** Renders the chart with its legend. Without scripts the picture stays. */
export function chartFigure(chart: Chart): Html {
  const { name, lines, isIndexed, axis } = chart;
  if (axis.length === 0) {
    return html`<p class="notice">There are no values for these days.</p>`;
  }
  return html`
    <figure class="card explorer-figure stack stack-small">
      ${isIndexed ? "" : readout(chart)}
      <div class="plot" data-chart-title="${titleOf(chart)}">
        <div class="plot-wide">${chartPicture(chart, WIDE)}</div>
        <div class="plot-narrow">${chartPicture(chart, NARROW)}</div>
      </div>
      ${isIndexed ? comparisonReadout(chart) : ""}
      <figcaption class="small muted keys"><span>${isIndexed
        ? "Each line in percent of its own base. The base, 100, is its first active and complete bucket."
        : capitalised(
          `${unitOf(name, lines[0]!)} ${bucketsOf(chart)}`,
        )}</span>${keysOf(chart)}</figcaption>
      <script type="application/json" id="chart-data">${raw(
        JSON.stringify(drawing(chart, WIDE.width)).replaceAll("<", "\\u003c"),
      )}</script>
    </figure>
  `;
}

/** Returns why days of the lines are inferred. */
function inferredWords(lines: readonly ChartLine[]): string {
  const inferred = lines.filter(({ points }) =>
    points.some((point) => point.inferred)
  );
  const isNever = ({ dataThrough }: ChartLine) => dataThrough === null;
  return inferred.every(isNever)
    ? "inferred as 0: the source has published no day of this chain"
    : inferred.some(isNever)
    ? "inferred: the source publishes no days, or no more"
    : "inferred: the source publishes no more days";
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
          class="key"><span class="key-dashed"></span> ${inferredWords(
            lines,
          )}</span>
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

/** Renders the newest complete bucket. static/explorer/readout.js shows others in its place. */
function readout(chart: Chart): Html {
  const { name, interval, lines: [line] } = chart;
  const day = readDay(chart);
  const point = pointOf(line!, day);
  return html`<p class="readout" id="readout" aria-live="polite"><span
    class="readout-day">${
    capitalised(formatBucket(day, interval))
  }</span><span class="readout-value">${
    point === undefined
      ? "no value"
      : `${formatValue(point.value)} ${unitOf(name, line!)}${openWords(point)}`
  }</span><span class="readout-disputed" hidden></span></p>`;
}

/** Renders the name and the base of each line, with its value of one bucket. */
function comparisonReadout(chart: Chart): Html {
  const { interval, lines } = chart;
  const day = readDay(chart);
  return html`
    <div class="readout-list" id="readout" aria-live="polite">
      <p><span class="readout-day">${capitalised(
        formatBucket(day, interval),
      )}</span> <span class="readout-disputed" hidden></span></p>
      <ul class="legend">${lines.map((line, index) =>
        html`
          <li aria-atomic="true"><span class="swatch series-${index +
            1}"></span>
            <div><p><strong>${printable(
              line.chainName,
            )}</strong> <span class="readout-value">${indexWords(
              chart,
              line,
              pointOf(line, day),
            )}</span></p><p class="small muted">${baseWords(
              chart,
              line,
            )}</p>${line.base?.isSmall
              ? html`
                <span
                  class="badge badge-warn">Small base: swings look larger than they are</span>
              `
              : ""}</div></li>
        `
      )}</ul>
    </div>
  `;
}

/** Returns the newest bucket in which a line is complete, else the newest. */
function readDay({ axis, lines }: Chart): string {
  const days = lines.flatMap(({ points }) =>
    points.findLast(({ complete }) => complete)?.day ?? []
  );
  return days.reduce((a, b) => a > b ? a : b, "") || axis.at(-1)!;
}

function pointOf({ points }: ChartLine, day: string): ChartPoint | undefined {
  return points.find((point) => point.day === day);
}

function indexWords(
  chart: Chart,
  line: ChartLine,
  point: ChartPoint | undefined,
): string {
  if (line.base === null) return "no index";
  if (point === undefined) return "no value";
  const index = drawnValue(chart, line, point)!.toFixed(1);
  return `${index} (${formatValue(point.value)})${openWords(point)}`;
}

function openWords({ complete, inferred }: ChartPoint): string {
  return inferred ? ", inferred" : complete ? "" : ", incomplete";
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
    extent: extentOf(chart),
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
