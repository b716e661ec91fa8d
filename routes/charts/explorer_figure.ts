/** The values of the explorer: as the chart that the server draws, for the browser to read, and as a table, newest first. */
import { html, raw } from "hono/html";
import {
  type Chart,
  type ChartLine,
  type ChartPoint,
  isChecked,
} from "../../services/charts/charts_schema.ts";
import {
  countDrawn,
  hasSecond,
  isUnfinished,
  secondValueOf,
} from "../../services/charts/marks.ts";
import {
  endOfBucket,
  formatDay,
  type Interval,
  parseDay,
} from "../../services/platform/days.ts";
import { groupByAxis, isShown } from "../../services/charts/value_axis.ts";
import {
  bucketsOf,
  capitalised,
  changeChips,
  columnFormat,
  describeBase,
  describeDrawn,
  describeLimits,
  describeMissing,
  disputeOf,
  drawnHeadOf,
  drawnKindOf,
  formatBucket,
  formatCompared,
  formatDrawn,
  formatValue,
  FURTHER_WORDS,
  isComparison,
  isDisputed,
  isRevised,
  pctColumnFormat,
  revisionOf,
  titleOf,
  unitOf,
  VALUE_FORMAT,
} from "./chart_words.ts";
import {
  chartPicture,
  differenceLabels,
  differencePicture,
  differenceWords,
} from "./chart_svg.ts";
import { printable } from "../pages/drawable_names.ts";
import type { Html } from "../pages/layout.ts";
import { unbroken } from "../pages/unbroken.ts";
import { isBeforeFirst } from "../../services/charts/across_chains.ts";

/** Sizes of the picture: on a wide screen, and on a phone. */
const WIDE = { width: 1080, height: 400 };
const NARROW = { width: 330, height: 300 };

/** Renders the chart with its legend. A script adds a cursor, and fits the picture of one plot into its box. */
export function chartFigure(chart: Chart): Html {
  if (chart.axis.length === 0) {
    return html`<p class="notice">There are no values for these days.</p>`;
  }
  const isCompared = isComparison(chart);
  const isApart = groupByAxis(chart).length > 1;
  const isDrawn = chart.lines.some(({ drawn }) =>
    drawn.some((value) => isShown(value, chart.view))
  );
  const naming = { isNamed: false, labelsBelow: differenceLabels(chart) };
  return html`
    <div class="card explorer-figure stack stack-small">
      <figure>
      ${isDrawn
        ? ""
        : html`<p class="notice">There is nothing to draw: ${
          describeMissing(chart).join("; ") || "no value of these days is shown"
        }.</p>`} ${isCompared ? "" : readout(chart)}
      <div class="plot ${isApart
        ? "is-apart"
        : ""}" data-chart-title="${titleOf(
          chart,
        )}">
        <div class="plot-wide">${chartPicture(chart, WIDE, naming)}</div>
        <div class="plot-narrow">${chartPicture(chart, NARROW, naming)}</div>
      </div>
      ${hasSecond(chart)
        ? html`
          <div class="differences-box">
            <p class="small muted">${differenceWords(chart)}</p>
            <div class="plot-wide">${differencePicture(chart, WIDE)}</div>
            <div class="plot-narrow">${differencePicture(chart, NARROW)}</div>
          </div>
        `
        : ""} ${isCompared
        ? comparisonReadout(chart)
        : changeChips(chart, chart.lines[0]!)}
      <figcaption class="small muted keys"><span>${describeDrawn(
        chart,
      )}</span>${[
        ...(isCompared || !isDrawn ? [] : describeMissing(chart)),
        ...describeLimits(chart),
      ].map((words) => html`<span class="key">${words}</span>`)}${keysOf(
        chart,
      )}</figcaption>
      </figure>
      ${upgradeList(chart)}
      <script type="application/json" id="chart-data">${raw(
        JSON.stringify(drawingOf(chart)).replaceAll("<", "\\u003c"),
      )}</script>
    </div>
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

/** Returns why buckets are incomplete: the newest still fill, and an old one lacks days. */
function incompleteWords({ interval, lines, view }: Chart): string {
  const lastOf = (day: string) =>
    formatDay(endOfBucket(parseDay(day), interval));
  const isOld = lines.flatMap(({ points, drawn, dataThrough }) =>
    points.filter((point, place) =>
      isUnfinished(point) && isShown(drawn[place]!, view)
    ).map(({ day }) =>
      interval !== "day" && dataThrough !== null && lastOf(day) <= dataThrough
    )
  );
  const why = [
    ...(isOld.includes(false) ? ["will change"] : []),
    ...(isOld.includes(true) ? ["lacks days"] : []),
  ];
  return `incomplete: ${why.join(", or ")}`;
}

/** Renders what the marks in the picture mean, each with its sign if it has one. */
function keysOf(chart: Chart): Html {
  const { lines } = chart;
  const isDrawn = (isMarked: (point: ChartPoint) => boolean) =>
    countDrawn(chart, isMarked) > 0;
  const rows: (readonly [isThere: boolean, sign: string, words: string])[] = [
    [isDrawn(isUnfinished), "hollow", incompleteWords(chart)],
    [isDrawn(({ inferred }) => inferred), "dashed", inferredWords(lines)],
    [isDrawn(isDisputed), "ring", "disputed: two sources differ"],
    [hasSecond(chart), "second", "second source"],
    [
      isDrawn(isRevised),
      "diamond",
      "revised: the source changed the value",
    ],
    [lines.some(({ gaps }) => gaps.length > 0), "", "broken line: no value"],
  ];
  return html`${
    rows.map(([isThere, sign, words]) =>
      !isThere ? "" : html`<span class="key">${
        sign === "" ? "" : html`
          <span class="key-${sign}"></span>
        `
      }${words}</span>`
    )
  }`;
}

/** Renders the network upgrades in these days, each with the source of its date. */
function upgradeList({ upgrades }: Chart): Html | "" {
  if (upgrades.length === 0) return "";
  return html`
    <details class="small muted">
      <summary>${upgrades.length === 1
        ? "1 network upgrade"
        : `${upgrades.length} network upgrades`} in these days</summary>
      <ul class="upgrades">${upgrades.map(({ name, day, change, source }) =>
        html`<li>${day}: <a href="${source}">${name}</a>${
          change === null ? "" : `, ${change}`
        }</li>`
      )}</ul>
    </details>
  `;
}

/** Renders the newest complete bucket. readoutOf() of static/explorer/chart.js shows others in its place. */
function readout(chart: Chart): Html {
  const { interval, lines: [line] } = chart;
  const day = readDay(chart);
  const point = pointOf(line!, day);
  return html`<p class="readout" id="readout" aria-live="polite"><span
    class="readout-day">${
    capitalised(formatBucket(day, interval))
  }</span><span class="readout-value">${
    point === undefined ? "no value" : valueWords(chart, line!, point)
  }</span><span class="readout-note" hidden></span></p>`;
}

/** Renders the name and the base of each line, with its value of one bucket. */
function comparisonReadout(chart: Chart): Html {
  const { interval, lines } = chart;
  const day = readDay(chart);
  return html`
    <div class="readout-list" id="readout" aria-live="polite">
      <p><span class="readout-day">${capitalised(
        formatBucket(day, interval),
      )}</span> <span class="readout-note" hidden></span></p>
      <ul class="grid legend">${lines.map((line, index) =>
        html`
          <li aria-atomic="true"><span class="swatch series-${index +
            1}"></span>
            <div><p><strong>${printable(
              line.chainName,
            )}</strong> <span class="readout-value">${valueWords(
              chart,
              line,
              pointOf(line, day),
            )}</span></p>${changeChips(chart, line)}${chart.view.base === null
              ? ""
              : html`<p class="small muted">${
                unbroken(describeBase(chart, line))
              }</p>`}${line.base?.isSmall
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

/** Describes the drawn value of a line, as readoutOf() of static/explorer/chart.js does. */
function valueWords(
  chart: Chart,
  line: ChartLine,
  point: ChartPoint | undefined,
): string {
  const kind = drawnKindOf(chart);
  const drawn = point && line.drawn[line.points.indexOf(point)]!;
  if (point === undefined || drawn === null) {
    return kind === null ? "no value" : `no ${kind}`;
  }
  const open = openWords(point);
  const words = formatDrawn(chart, drawn!);
  if (kind === "index" && chart.view.average === null) {
    return `${words} (${formatValue(point.value)} ${
      unitOf(chart.name, line)
    })${open}`;
  }
  const unit = kind === "share"
    ? " %"
    : kind === "index"
    ? ""
    : ` ${unitOf(chart.name, line)}`;
  const second = secondValueOf(chart, point);
  return `${words}${unit}${open}${
    second === null ? "" : `, second source ${formatValue(second)}`
  }`;
}

function openWords({ complete, inferred }: ChartPoint): string {
  return inferred ? ", inferred" : complete ? "" : ", incomplete";
}

/** Digits of an index or a share: enough for a plot of small changes. The readout shows one decimal. */
const DIGITS = 8;

/** Returns the values of a chart. */
export function drawingOf(chart: Chart) {
  const { name, axis, interval, lines, view } = chart;
  const kind = drawnKindOf(chart);
  return {
    days: axis,
    interval,
    format: VALUE_FORMAT,
    kind,
    isLog: view.scale === "log",
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
        second: places.map((place) =>
          place === -1 ? null : secondValueOf(chart, line.points[place]!)
        ),
        incomplete: listed((place) => !line.points[place]!.complete),
        inferred: listed((place) => line.points[place]!.inferred),
        revised: places.flatMap((place, at) => {
          const words = place === -1 ? null : revisionOf(line.points[place]!);
          return words === null ? [] : [{ at, words }];
        }),
      };
    }),
    rings: lines.flatMap((line) =>
      line.points.flatMap((point, place) =>
        isDisputed(point) && line.drawn[place] !== null
          ? [{
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
    <caption class="visually-hidden">${titleOf(chart)} ${bucketsOf(
      chart,
    )}, newest first</caption>
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
