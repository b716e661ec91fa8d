/** The values of a chart as a table, newest first. */
import { html } from "hono/html";
import type { Interval } from "../../services/platform/days.ts";
import { isBeforeFirst } from "../../services/charts/across_chains.ts";
import {
  type Chart,
  type ChartPoint,
  isChecked,
} from "../../services/charts/charts_schema.ts";
import {
  bucketsOf,
  capitalised,
  columnFormat,
  drawnHeadOf,
  drawnKindOf,
  formatCompared,
  formatDrawn,
  formatValue,
  FURTHER_WORDS,
  isComparison,
  isDisputed,
  pctColumnFormat,
  revisionOf,
  titleOf,
  unitOf,
} from "./chart_words.ts";
import { printable } from "../pages/drawable_names.ts";
import type { Html } from "../pages/layout.ts";

/** Maximum number of rows: more than a year of days. Older values are in the CSV. */
const MAX_ROWS = 400;

/** Maximum number of cells, so that a table of many chains has fewer rows. */
const MAX_CELLS = 3_000;

/**
 * Renders the newest buckets of a chart. One row stands for a run of buckets
 * without a value. The last row links to the older ones.
 */
export function valueTable(
  chart: Chart,
  { csv }: { readonly csv: string },
): Html {
  const { interval, lines } = chart;
  const buckets = bucketsIn(chart);
  const isCompared = isComparison(chart);
  const perLine = drawnHeadOf(chart) === null ? 1 : 2;
  const columns = isCompared ? 2 + perLine * lines.length : countColumns(chart);
  const shown = Math.min(MAX_ROWS, Math.floor(MAX_CELLS / columns));
  const older = buckets.length - shown;
  const formats = columnsOf(chart, shown);
  return html`
    <div class="table-scroll values" tabindex="0" role="region"
      aria-label="${titleOf(chart)}, as a table">
      <table>
    <caption>${titleOf(chart)} ${bucketsOf(chart)}, newest first</caption>
    ${isCompared ? comparisonHead(chart) : seriesHead(chart)}
    <tbody>${buckets.slice(0, shown).map((bucket) =>
      "missing" in bucket
        ? html`
          <tr class="is-missing">
            <th scope="row">${bucket.from}</th>
            <td colspan="${columns - 1}">${bucket.missing === 1
              ? `no value for this ${interval}`
              : `no value for ${bucket.missing} ${interval}s up to ${bucket.to}`}</td>
          </tr>
        `
        : isCompared
        ? comparisonRow(bucket, chart, formats)
        : seriesRow(bucket, chart, formats)
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
function countColumns(chart: Chart): number {
  return 3 + (isChecked(chart.name) ? 2 : 0) +
    (drawnHeadOf(chart) === null ? 0 : 1) + furtherOf(chart).length;
}

function furtherOf({ lines: [line] }: Chart): string[] {
  return Object.keys(line?.points[0]?.further ?? {});
}

function seriesHead(chart: Chart): Html {
  const { name, interval, lines: [line] } = chart;
  const drawnHead = drawnHeadOf(chart);
  return html`
    <thead>
      <tr><th scope="col">${WIDTHS[interval]}</th>
    <th scope="col" class="num">${capitalised(unitOf(name, line!))}</th>
    ${drawnHead === null
      ? ""
      : html`<th scope="col" class="num">${capitalised(drawnHead)}</th>`}
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

function seriesRow(
  { day, points, drawn }: Bucket,
  chart: Chart,
  formats: ColumnFormats,
): Html {
  const format = formats.values[0]!;
  const point = points[0]!;
  const { value, crossCheckValue } = point;
  return html`
    <tr
      class="${classOf(
        [point],
        point.complete,
      )}"><th scope="row">${day}</th><td class="num">${format(
        value,
      )}${revisionNote(point)}</td>${drawnCell(
        drawn[0]!,
        chart,
        formats.drawn[0]!,
      )}${isChecked(chart.name)
        ? html`
          <td class="num">${crossCheckValue === null
            ? NOTHING
            : format(crossCheckValue)}</td>
          <td class="num">${differenceOf(
            point,
            formats.differences,
          )}</td>
        `
        : ""}${furtherOf(chart).map((field) => {
          const further = point.further[field] ?? null;
          return html`<td class="num">${
            further === null ? NOTHING : formats.further(field)(further)
          }</td>`;
        })}${lastCell([point], point.complete)}</tr>
  `;
}

/** Renders that a value was revised, and the values that it had before. */
function revisionNote(point: ChartPoint): Html | "" {
  const words = revisionOf(point);
  return words === null ? "" : html`
    <span class="small" title="revised, seen ${point.revisedAt}">${words}</span>
  `;
}

/** Renders a difference, and how many days it covers if not all were compared. */
function differenceOf(
  { differencePct, comparedDayCount }: ChartPoint,
  format: (pct: number) => string,
): Html | string {
  if (differencePct === null) return NOTHING;
  const difference = format(differencePct);
  return comparedDayCount === null ? difference : html`${difference}
    <span class="small is-below">${formatCompared(comparedDayCount)}</span>`;
}

/** Renders the drawn value beside the value; nothing if these are the same. */
function drawnCell(
  drawn: number | null,
  chart: Chart,
  format: (value: number) => string,
): Html | "" {
  if (drawnHeadOf(chart) === null) return "";
  return html`<td class="num">${drawn === null ? NOTHING : format(drawn)}</td>`;
}

function comparisonHead(chart: Chart): Html {
  const { lines, interval } = chart;
  const drawnHead = drawnHeadOf(chart);
  const names = lines.map(({ chainName }) => printable(chainName));
  if (drawnHead === null) {
    return html`
      <thead>
        <tr><th scope="col">${WIDTHS[interval]}</th>${names.map((name) =>
          html`<th scope="col" class="num">${name}</th>`
        )}<th scope="col">Complete</th></tr>
      </thead>
    `;
  }
  return html`
    <thead>
      <tr><th scope="col" rowspan="2">${WIDTHS[interval]}</th>${names.map((
        name,
      ) =>
        html`<th scope="colgroup" colspan="2" class="num">${name}</th>`
      )}<th scope="col" rowspan="2">Complete</th></tr>
      <tr>${lines.map(() =>
        html`
          <th scope="col" class="num">value</th>
          <th scope="col" class="num">${drawnHead}</th>
        `
      )}</tr>
    </thead>
  `;
}

function comparisonRow(
  { day, points, drawn }: Bucket,
  chart: Chart,
  formats: ColumnFormats,
): Html {
  const held = points.filter((point) => point !== undefined);
  const isWhole = chart.lines.every((line, index) =>
    points[index]?.complete ?? isBeforeFirst(day, line)
  );
  return html`
    <tr
      class="${classOf(
        held,
        isWhole,
      )}"><th scope="row">${day}</th>${points.map((point, index) =>
        html`<td class="num">${
          point
            ? html`${formats.values[index]!(point.value)}${revisionNote(point)}`
            : NOTHING
        }</td>${drawnCell(drawn[index]!, chart, formats.drawn[index]!)}`
      )}${lastCell(held, isWhole)}</tr>
  `;
}

/** Renders whether a row is complete, inferred, withdrawn or disputed. */
function lastCell(points: readonly ChartPoint[], isWhole: boolean): Html {
  const words = (isWhole ? "yes" : "no") +
    (points.some(({ inferred }) => inferred) ? ", inferred" : "");
  if (points.some(({ withdrawn }) => withdrawn)) {
    return html`<td>${words}, <span class="is-differ">withdrawn</span></td>`;
  }
  return points.some(isDisputed)
    ? html`<td>${words}, <span class="is-differ">disputed</span></td>`
    : html`<td>${words}</td>`;
}

const NOTHING = "–";

const WIDTHS: Readonly<Record<Interval, string>> = {
  day: "Day",
  week: "Week from",
  month: "Month from",
};

function classOf(points: readonly ChartPoint[], isWhole: boolean): string {
  return [
    ...(isWhole ? [] : ["is-incomplete"]),
    ...(points.some(isDisputed) ? ["is-disputed"] : []),
  ].join(" ");
}

/** One bucket: the point of each line. */
interface Bucket {
  readonly day: string;
  readonly points: readonly (ChartPoint | undefined)[];
  readonly drawn: readonly (number | null)[];
}

/** A run of buckets without any point. */
interface Missing {
  readonly from: string;
  readonly to: string;
  readonly missing: number;
}

/** Lists the buckets newest first, and merges consecutive empty ones. */
function bucketsIn({ axis, lines }: Chart): (Bucket | Missing)[] {
  const next = lines.map(({ points }) => points.length - 1);
  const listed: (Bucket | Missing)[] = [];
  for (const day of axis.toReversed()) {
    const places = lines.map(({ points }, index) =>
      points[next[index]!]?.day === day ? next[index]!-- : -1
    );
    const last = listed.at(-1);
    if (places.some((place) => place !== -1)) {
      listed.push({
        day,
        points: lines.map(({ points }, index) => points[places[index]!]),
        drawn: lines.map(({ drawn }, index) => drawn[places[index]!] ?? null),
      });
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

type Format = (value: number) => string;

/** The formats of the columns. Those of lines are in their order. */
interface ColumnFormats {
  /** The formats of the values of a line, and of those of the second source. */
  readonly values: readonly Format[];
  /** The formats of the lines that are drawn instead of the values. */
  readonly drawn: readonly Format[];
  /** The format of the differences from the second source, in percent. */
  readonly differences: Format;
  readonly further: (field: string) => Format;
}

/** Returns the formats of a chart's table, which shows the newest buckets. */
function columnsOf(chart: Chart, shown: number): ColumnFormats {
  const { lines } = chart;
  const [first] = lines;
  const points = first?.points.slice(-shown) ?? [];
  const further = new Map<string, Format>();
  for (const field of Object.keys(points[0]?.further ?? {})) {
    const values = points.map((point) => point.further[field] ?? null);
    further.set(
      field,
      field.endsWith("Pct") ? pctColumnFormat(values) : columnFormat(values),
    );
  }
  return {
    values: lines.map((line) =>
      columnFormat(
        line.points.slice(-shown).flatMap((
          { value, crossCheckValue },
        ) => [value, crossCheckValue]),
      )
    ),
    drawn: lines.map(({ drawn }) =>
      drawnKindOf(chart) === "average"
        ? columnFormat(drawn.slice(-shown))
        : (value) => formatDrawn(chart, value)
    ),
    differences: pctColumnFormat(
      points.map(({ differencePct }) => differencePct),
    ),
    further: (field) => further.get(field) ?? String,
  };
}
