/** The values of a chart as a table, newest first. */
import { html } from "hono/html";
import type { Interval } from "../../../services/platform/days.ts";
import {
  type Chart,
  type ChartPoint,
  isChecked,
} from "../../../services/charts/charts_schema.ts";
import {
  bucketsOf,
  capitalised,
  drawnValue,
  formatCompared,
  formatPct,
  formatValue,
  FURTHER_WORDS,
  isDisputed,
  printable,
  titleOf,
  unitOf,
} from "./chart_words.ts";
import type { Html } from "../layout.ts";

/** Maximum number of rows: more than a year of days. Older values are in the CSV. */
const MAX_ROWS = 400;

/**
 * Renders the newest buckets of a chart. One row stands for a run of buckets
 * without a value. The last row links to the older ones.
 */
export function valueTable(chart: Chart, csv: string): Html {
  const { interval, lines } = chart;
  const buckets = bucketsIn(chart);
  const older = buckets.length - MAX_ROWS;
  const isComparison = lines.length > 1;
  const columns = isComparison ? 2 + 2 * lines.length : columnsOf(chart);
  return html`
    <div class="table-scroll values" tabindex="0" role="region"
      aria-label="${titleOf(chart)}, as a table">
      <table>
    <caption>${titleOf(chart)} ${bucketsOf(chart)}, newest first</caption>
    ${isComparison ? comparisonHead(chart) : seriesHead(chart)}
    <tbody>${buckets.slice(0, MAX_ROWS).map((bucket) =>
      "missing" in bucket
        ? html`
          <tr class="is-missing">
            <th scope="row">${bucket.from}</th>
            <td colspan="${columns - 1}">${bucket.missing === 1
              ? `no value for this ${interval}`
              : `no value for ${bucket.missing} ${interval}s up to ${bucket.to}`}</td>
          </tr>
        `
        : isComparison
        ? comparisonRow(bucket, chart)
        : seriesRow(bucket.day, bucket.points[0]!, chart)
    )}${older > 0
      ? html`
        <tr class="is-missing">
          <td
            colspan="${columns}">${formatValue(
              older,
            )} older ${interval}s are in <a href="${csv}">the CSV</a></td>
        </tr>
      `
      : ""}</tbody>
      </table>
    </div>
  `;
}

/** Returns the number of columns of a single series. */
function columnsOf(chart: Chart): number {
  return 3 + (isChecked(chart.name) ? 2 : 0) + furtherOf(chart).length;
}

/** One bucket: the point of each line. */
interface Bucket {
  readonly day: string;
  readonly points: readonly (ChartPoint | undefined)[];
}

/** A run of buckets without any point. */
interface Missing {
  readonly from: string;
  readonly to: string;
  readonly missing: number;
}

/** Lists the buckets newest first, and merges consecutive empty ones. */
function bucketsIn({ axis, lines }: Chart): (Bucket | Missing)[] {
  const byDay = lines.map(({ points }) =>
    new Map(points.map((point) => [point.day, point]))
  );
  const listed: (Bucket | Missing)[] = [];
  for (const day of axis.toReversed()) {
    const points = byDay.map((found) => found.get(day));
    const last = listed.at(-1);
    if (points.some((point) => point !== undefined)) {
      listed.push({ day, points });
    } else if (last && "missing" in last) {
      listed[listed.length - 1] = {
        ...last,
        from: day,
        missing: last.missing + 1,
      };
    } else listed.push({ from: day, to: day, missing: 1 });
  }
  return listed;
}

function furtherOf({ lines: [line] }: Chart): string[] {
  return Object.keys(line?.points[0]?.further ?? {});
}

function seriesHead(chart: Chart): Html {
  const { name, interval, lines: [line] } = chart;
  return html`
    <thead>
      <tr><th scope="col">${WIDTHS[interval]}</th>
    <th scope="col" class="num">${capitalised(unitOf(name, line!))}</th>
    ${isChecked(name)
      ? html`
        <th scope="col" class="num">Second source</th>
        <th scope="col" class="num">Difference</th>
      `
      : ""}${furtherOf(chart).map((field) =>
        html`<th scope="col" class="num">${FURTHER_WORDS[field]}</th>`
      )}<th scope="col">Complete</th></tr>
    </thead>
  `;
}

function seriesRow(day: string, point: ChartPoint, chart: Chart): Html {
  const { value, crossCheckValue } = point;
  return html`
    <tr
      class="${classOf(
        [point],
      )}"><th scope="row">${day}</th><td class="num">${formatValue(
        value,
      )}${revisionOf(point)}</td>${isChecked(chart.name)
        ? html`
          <td class="num">${crossCheckValue === null
            ? NOTHING
            : formatValue(crossCheckValue)}</td>
          <td class="num">${differenceOf(point)}</td>
        `
        : ""}${furtherOf(chart).map((field) => {
          const further = point.further[field] ?? null;
          return html`<td class="num">${
            further === null ? NOTHING : formatFurther(field, further)
          }</td>`;
        })}${lastCell([point])}</tr>
  `;
}

/** Renders that a value was revised, and the values that it had before. */
function revisionOf({ revisedAt, earlierValues }: ChartPoint): Html | string {
  if (revisedAt === null) return "";
  const values = earlierValues.map((value) =>
    value === null ? "no value" : formatValue(value)
  );
  const words = values.length === 0 ? "revised" : `was ${values.join(", ")}`;
  return html`
    <span class="small" title="revised, seen ${revisedAt}">${words}</span>
  `;
}

/** Renders a difference, and how many days it covers if not all were compared. */
function differenceOf(
  { differencePct, comparedDayCount }: ChartPoint,
): Html | string {
  if (differencePct === null) return NOTHING;
  const difference = formatPct(differencePct);
  return comparedDayCount === null ? difference : html`${difference}
    <span class="small">${formatCompared(comparedDayCount)}</span>`;
}

function comparisonHead({ lines, interval }: Chart): Html {
  return html`
    <thead>
      <tr><th scope="col" rowspan="2">${WIDTHS[interval]}</th>${lines.map((
        { chainName },
      ) =>
        html`<th scope="colgroup" colspan="2" class="num">${
          printable(chainName)
        }</th>`
      )}<th scope="col" rowspan="2">Complete</th></tr>
      <tr>${lines.map(() =>
        html`
          <th scope="col" class="num">value</th>
          <th scope="col" class="num">index</th>
        `
      )}</tr>
    </thead>
  `;
}

function comparisonRow({ day, points }: Bucket, chart: Chart): Html {
  const held = points.filter((point) => point !== undefined);
  return html`
    <tr
      class="${classOf(
        held,
      )}"><th scope="row">${day}</th>${points.map(
        (point, index) => {
          const drawn = point &&
            drawnValue(chart, chart.lines[index]!, point);
          return html`
            <td class="num">${point ? formatValue(point.value) : NOTHING}</td>
            <td class="num">${typeof drawn === "number"
              ? formatIndex(drawn)
              : NOTHING}</td>
          `;
        },
      )}${lastCell(held)}</tr>
  `;
}

/** Renders whether a row is complete, inferred, withdrawn or disputed. */
function lastCell(points: readonly ChartPoint[]): Html {
  const words = points.every(({ complete }) => complete)
    ? "yes"
    : points.some(({ inferred }) => inferred)
    ? "no, inferred"
    : "no";
  if (points.some(({ withdrawn }) => withdrawn)) {
    return html`<td>${words}, <span class="is-bad">withdrawn</span></td>`;
  }
  return points.some(isDisputed)
    ? html`<td>${words}, <span class="is-bad">disputed</span></td>`
    : html`<td>${words}</td>`;
}

const NOTHING = "–";

const WIDTHS: Readonly<Record<Interval, string>> = {
  day: "Day",
  week: "Week from",
  month: "Month from",
};

function classOf(points: readonly ChartPoint[]): string {
  return [
    ...(points.every(({ complete }) => complete) ? [] : ["is-incomplete"]),
    ...(points.some(isDisputed) ? ["is-disputed"] : []),
  ].join(" ");
}

function formatFurther(field: string, value: number): string {
  return field.endsWith("Pct") ? formatPct(value) : formatValue(value);
}

function formatIndex(index: number): string {
  return index.toLocaleString("en-US", {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
}
