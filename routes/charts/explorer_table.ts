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
  // The number of columns limits the rows, whose values decide the formats.
  const count = columnsOf(chart, 0).length + 2;
  const shown = Math.min(MAX_ROWS, Math.floor(MAX_CELLS / count));
  const older = buckets.length - shown;
  const columns = columnsOf(chart, shown);
  const row = ({ day, points, drawn }: Bucket) => {
    const found = points.filter((point) => point !== undefined);
    const isWhole = lines.every((line, index) =>
      points[index]?.complete ?? isBeforeFirst(day, line)
    );
    return html`
      <tr
        class="${classOf(found, isWhole)}"><th scope="row">${day}</th>${columns
          .map(({ line, cell }) =>
            html`<td class="num">${cell(points[line], drawn[line]!)}</td>`
          )}${lastCell(found, isWhole)}</tr>
    `;
  };
  return html`
    <div class="table-scroll values" tabindex="0" role="region"
      aria-label="${titleOf(chart)}, as a table">
      <table>
    <caption>${titleOf(chart)} ${bucketsOf(chart)}, newest first</caption>
    ${headOf(chart, columns)}
    <tbody>${buckets.slice(0, shown).map((bucket) =>
      "missing" in bucket
        ? html`
          <tr class="is-missing">
            <th scope="row">${bucket.from}</th>
            <td colspan="${count - 1}">${bucket.missing === 1
              ? `no value for this ${interval}`
              : `no value for ${bucket.missing} ${interval}s up to ${bucket.to}`}</td>
          </tr>
        `
        : row(bucket)
    )}${older > 0
      ? html`
        <tr class="is-missing">
          <td
            colspan="${count}">${formatValue(
              older,
            )} older ${interval}s are in <a href="${csv}">the CSV</a></td>
        </tr>
      `
      : ""}</tbody>
      </table>
    </div>
  `;
}

/** A column between the day and the last one. */
interface Column {
  readonly head: string;
  /** Place of its line in the chart. */
  readonly line: number;
  readonly cell: (
    point: ChartPoint | undefined,
    drawn: number | null,
  ) => Html | string;
}

/** Returns the columns of a chart's table, which shows the newest buckets. */
function columnsOf(chart: Chart, shown: number): Column[] {
  const { name, lines } = chart;
  const drawnHead = drawnHeadOf(chart);
  const isCompared = isComparison(chart);
  return lines.flatMap((line, nth): Column[] => {
    const points = newest(line.points, shown);
    const format = columnFormat(
      points.flatMap(({ value, crossCheckValue }) => [value, crossCheckValue]),
    );
    const formatOfDrawn = drawnKindOf(chart) === "average"
      ? columnFormat(newest(line.drawn, shown))
      : (value: number) => formatDrawn(chart, value);
    const formatPct = pctColumnFormat(
      points.map(({ differencePct }) => differencePct),
    );
    const columns: Omit<Column, "line">[] = [{
      head: !isCompared
        ? capitalised(unitOf(name, line))
        : drawnHead === null
        ? `${printable(line.chainName)}, ${unitOf(name, line)}`
        : unitOf(name, line),
      cell: (point) =>
        point ? html`${format(point.value)}${revisionNote(point)}` : NOTHING,
    }];
    if (drawnHead !== null) {
      columns.push({
        head: isCompared ? drawnHead : capitalised(drawnHead),
        cell: (_, drawn) => drawn === null ? NOTHING : formatOfDrawn(drawn),
      });
    }
    if (isChecked(name)) {
      columns.push({
        head: "Second source",
        cell: (point) =>
          point!.crossCheckValue === null
            ? NOTHING
            : format(point!.crossCheckValue),
      }, {
        head: "Difference",
        cell: (point) => differenceOf(point!, formatPct),
      });
    }
    for (const field of isCompared ? [] : furtherOf(chart)) {
      const values = points.map((point) => point.further[field] ?? null);
      const format = field.endsWith("Pct")
        ? pctColumnFormat(values)
        : columnFormat(values);
      columns.push({
        head: FURTHER_WORDS[field]!,
        cell: (point) => {
          const further = point!.further[field] ?? null;
          return further === null ? NOTHING : format(further);
        },
      });
    }
    return columns.map((column) => ({ ...column, line: nth }));
  });
}

function newest<Item>(items: readonly Item[], count: number) {
  return items.slice(Math.max(0, items.length - count));
}

function furtherOf({ lines: [line] }: Chart): string[] {
  return Object.keys(line?.points[0]?.further ?? {});
}

/** Renders the head. Columns of what is drawn beside the values are grouped by chain. */
function headOf(chart: Chart, columns: readonly Column[]): Html {
  const { lines, interval } = chart;
  const heads = columns.map(({ head }) =>
    html`<th scope="col" class="num">${head}</th>`
  );
  if (!isComparison(chart) || drawnHeadOf(chart) === null) {
    return html`
      <thead>
        <tr><th scope="col">${WIDTHS[interval]}</th>${heads}<th
          scope="col">Complete</th></tr>
      </thead>
    `;
  }
  return html`
    <thead>
      <tr><th scope="col" rowspan="2">${WIDTHS[interval]}</th>${lines.map((
        { chainName },
      ) =>
        html`<th scope="colgroup" colspan="2" class="num">${
          printable(chainName)
        }</th>`
      )}<th scope="col" rowspan="2">Complete</th></tr>
      <tr>${heads}</tr>
    </thead>
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
