/** Lays out the plots of a chart: one for all lines, or one for each value axis. */
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import type {
  Chart,
  ChartLine,
  ChartPoint,
} from "../../services/charts/charts_schema.ts";
import {
  type Extent,
  extentOf,
  groupByAxis,
  isShown,
  isWhole,
} from "../../services/charts/value_axis.ts";
import { isUnfinished, secondValueOf } from "../../services/charts/marks.ts";
import {
  daysAcross,
  type DayTick,
  dayTicksOf,
  type Frame,
  round,
  type UpgradeMark,
  upgradeMarksOf,
} from "./day_axis.ts";
import {
  disputeOf,
  formatTicks,
  isComparison,
  isDisputed,
  isRevised,
} from "./chart_words.ts";
import { printable } from "../pages/drawable_names.ts";
import { spread } from "../../static/explorer/fit.js";
import { scaleLinear, scaleLog } from "d3-scale";
import { parseDay, startOfDay } from "../../services/platform/days.ts";
import { maxOf } from "../../services/platform/numbers.ts";
// @ts-types="@types/d3-shape"
import { line } from "d3-shape";

/** Estimated width of a label's character, in pixels. */
const LETTER = 7;

/** Estimated widths of a bold capital and of an ideogram, in pixels. */
const CAPITAL = 8.5;
const IDEOGRAM = 12.5;

/** Height of a small plot without its title and day axis, and its distance to the next, in pixels. */
const PANEL = 110;
const HEAD = 22;
const FOOT = 26;
const GUTTER = 24;

/** Minimum width of a small plot, and of a picture with labels at its lines, in pixels. */
const MIN_PANEL = 300;
const MIN_LABELLED = 480;

/** Largest share of the width that labels take. */
const MAX_LABEL_SHARE = 0.24;

/** A label at the end of a line. */
interface LineLabel {
  readonly line: number;
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** One plot of a chart. */
export interface Panel {
  /** Places of its lines in the chart. */
  readonly lines: readonly number[];
  /** The chain of a plot of its own; null if there is one plot. */
  readonly title: string | null;
  readonly frame: Frame;
  readonly plot: Plot;
  readonly labels: readonly LineLabel[];
}

/** What a picture has besides its plot. */
interface Naming {
  /** Whether the picture names its lines itself: a page of the explorer has a legend. */
  readonly isNamed: boolean;
  /** Labels of a picture below it that has the same day axis, so they need the same space. */
  readonly labelsBelow?: readonly string[];
}

/**
 * Returns the height that the plots of a chart need: the given one and that of the
 * names above the plot, or that of all small plots.
 */
export function plotHeightOf(
  chart: Chart,
  { width, height }: { readonly width: number; readonly height: number },
  naming: Naming = { isNamed: false },
): number {
  const count = groupByAxis(chart).length;
  if (count === 1) {
    return height + NAMES_ROW * namesAbove(chart, width, naming).length;
  }
  return Math.ceil(count / columnsIn(count, width)) * (HEAD + PANEL + FOOT);
}

function columnsIn(count: number, width: number): number {
  const fitting = Math.max(
    1,
    Math.floor((width + GUTTER) / (MIN_PANEL + GUTTER)),
  );
  return Math.min(fitting, count < 5 ? 2 : 3, count);
}

/** Lays out the plots in a box. The bottom of the box is the lowest day axis. */
export function layOutPanels(
  chart: Chart,
  box: Frame,
  naming: Naming = { isNamed: false },
): Panel[] {
  const groups = groupByAxis(chart);
  if (groups.length === 1) return [onePanel(chart, box, naming)];
  const columns = columnsIn(groups.length, box.right - box.left);
  const width = (box.right - box.left - GUTTER * (columns - 1)) / columns;
  // Indexes and shares are comparable across plots, so all plots have one range.
  const shared = chart.view.values === "absolute"
    ? undefined
    : extentOf(chart, chart.lines);
  return groups.map((lines, place) => {
    const left = box.left + (place % columns) * (width + GUTTER);
    const top = box.top + Math.floor(place / columns) * (HEAD + PANEL + FOOT) +
      HEAD;
    const shown = lines.map((index) => chart.lines[index]!);
    // L1s choose when they adopt an upgrade.
    const isPrimary = shown.some(({ chainId }) => chainId === C_CHAIN);
    const upgrades = isPrimary ? chart.upgrades : [];
    const own = { ...chart, lines: shown, upgrades };
    const frame = withLabels(own, {
      left,
      top,
      right: left + width,
      bottom: top + PANEL,
    }, shared);
    return {
      lines,
      title: cutTo(
        printable(own.lines[0]!.chainName),
        frame.right - frame.left,
      ),
      frame,
      plot: plotChart(own, frame, shared),
      labels: [],
    };
  });
}

function onePanel(chart: Chart, box: Frame, naming: Naming): Panel {
  const names = chart.lines.map(({ chainName }) => printable(chainName));
  const width = box.right - box.left;
  const isLabelled = isComparison(chart) && width >= MIN_LABELLED;
  const rows = namesAbove(chart, width, naming);
  const texts = names.map((name) => cutTo(name, MAX_LABEL_SHARE * width));
  const room = maxOf(texts.map(labelWidth)) + 10;
  const frame = withLabels(
    chart,
    isLabelled
      ? { ...box, right: box.right - room }
      : { ...box, top: box.top + NAMES_ROW * rows.length },
    undefined,
    naming.labelsBelow,
  );
  const plot = plotChart(chart, frame);
  return {
    lines: chart.lines.map((_, index) => index),
    title: null,
    frame,
    plot,
    labels: isLabelled
      ? labelsOf(plot, texts, frame)
      : rows.flatMap((row, index) =>
        row.map((name) => ({
          ...name,
          x: box.left + name.x,
          y: box.top + NAMES_ROW * index - 4,
        }))
      ),
  };
}

/** Estimates the width of a bold label: capitals are wider than other characters. */
function labelWidth(text: string): number {
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  return lettersWidth(text) + capitals * (CAPITAL - LETTER);
}

const IDEOGRAMS =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu;

/** Estimates the width of a text: ideograms are nearly as wide as two letters. */
function lettersWidth(text: string): number {
  const ideograms = text.match(IDEOGRAMS)?.length ?? 0;
  return text.length * LETTER + ideograms * (IDEOGRAM - LETTER);
}

/** Shortens a text. */
export function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most
    ? text
    : `${letters.slice(0, most - 1).join("").trimEnd()}…`;
}

/** Shortens a name to a width. */
function cutTo(name: string, width: number): string {
  const most = Math.floor(width / LETTER);
  const ratio = lettersWidth(name) / (name.length * LETTER || 1);
  return cut(name, Math.floor(most / ratio));
}

/** Height of a row of names above a plot, and the distance of two names, in pixels. */
const NAMES_ROW = 18;
const NAMES_GAP = 14;

/** Places the names of the drawn lines in rows above a plot without room beside it. */
function namesAbove(
  { lines, view }: Chart,
  width: number,
  { isNamed }: Naming,
): Omit<LineLabel, "y">[][] {
  if (!isNamed || lines.length < 2 || width >= MIN_LABELLED) return [];
  const rows: Omit<LineLabel, "y">[][] = [];
  let x = Infinity;
  for (const [line, { chainName, drawn }] of lines.entries()) {
    if (!drawn.some((value) => isShown(value, view))) continue;
    const text = `■ ${cutTo(printable(chainName), width - 2 * LETTER)}`;
    // The gap makes up for the capitals at the beginning of words.
    const inRow = text.match(/(?<=[\p{Lu}\p{N}])\p{Lu}/gu)?.length ?? 0;
    const room = lettersWidth(text) + inRow * (CAPITAL - LETTER);
    if (x + room > width) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1)!.push({ line, x, text });
    x += room + NAMES_GAP;
  }
  return rows;
}

/** Reserves space on the left for the labels of the value axis, and of the axis below it. */
function withLabels(
  chart: Chart,
  frame: Frame,
  extent: Extent = extentOf(chart, chart.lines),
  labelsBelow: readonly string[] = [],
): Frame {
  const { ticks, isCut } = valuesUp(chart, frame, extent);
  const labels = [
    ...ticks.map(({ label }) => label),
    ...labelsBelow,
    ...isCut ? [CUT_AXIS] : [],
  ];
  const longest = maxOf(labels.map(({ length }) => length));
  return { ...frame, left: frame.left + longest * LETTER + 8 };
}

/** Places the labels at the ends of the lines, moved apart where these are close. */
function labelsOf(
  { lines }: Plot,
  texts: readonly string[],
  { right, bottom }: Frame,
): LineLabel[] {
  const ends = lines.flatMap(({ end }, line) =>
    end === null ? [] : [{ line, y: end.y, text: texts[line]! }]
  ).toSorted((a, b) => a.y - b.y);
  const ys = spread(ends.map(({ y }) => y), bottom);
  return ends.map(({ line, text }, index) => ({
    line,
    text,
    x: right + 8,
    y: ys[index]!,
  }));
}

/** The drawing of a line. */
interface PlottedLine {
  /** Path between complete buckets. */
  readonly solid: string;
  /** Path of a dot at each complete bucket without neighbours, which no line shows. */
  readonly alone: string;
  /** Path to and from inferred buckets. */
  readonly dashed: string;
  /** The buckets with a ring: those that are still filling. */
  readonly provisional: readonly Place[];
  /** Path of the diamonds at revised buckets. */
  readonly revised: string;
  /** Path of the second source; empty without one. */
  readonly second: string;
  /** The last complete point, else the last; null if none is drawn. */
  readonly end: Place | null;
}

/** A value of the axis. */
interface ValueTick {
  readonly y: number;
  readonly label: string;
}

/** The drawing of a chart. */
interface Plot {
  readonly lines: readonly PlottedLine[];
  readonly rings: readonly (Place & { readonly words: string })[];
  readonly xTicks: readonly DayTick[];
  readonly upgrades: readonly UpgradeMark[];
  readonly yTicks: readonly ValueTick[];
  /** The values at the bottom and at the top. */
  readonly extent: readonly number[];
  /** Whether it begins above 0, so that heights do not compare values. */
  readonly isCut: boolean;
}

/** What stands below the value axis of a plot that begins above 0. */
export const CUT_AXIS = "not 0";

/** Minimum distance between ticks of the value axis, in pixels. */
const Y_TICK = 64;

/** Computes the drawing of the lines of a chart on one value axis. */
export function plotChart(
  chart: Chart,
  frame: Frame,
  extent: Extent = extentOf(chart, chart.lines),
): Plot {
  const { axis } = chart;
  const x = daysAcross(chart, frame);
  const { y, ticks, isCut } = valuesUp(chart, frame, extent);
  const xs = axis.map((day) => round(x(startOfDay(parseDay(day)))));
  const lines = chart.lines.map((line) => placeLine(line, chart, { xs, y }));
  const secondOf = ({ x, point }: PlacedPoint): Place | undefined => {
    const value = secondValueOf(chart, point);
    return value === null ? undefined : { x, y: round(y(value)) };
  };
  return {
    lines: lines.map((places) => ({
      ...plotLine(places),
      second: linePath(places.map((place) => place && secondOf(place))),
    })),
    rings: lines.flatMap((places, index) =>
      places.flatMap((place) =>
        place !== undefined && isDisputed(place.point)
          ? [{
            x: place.x,
            y: place.y,
            words: disputeOf(chart, chart.lines[index]!, place.point),
          }]
          : []
      )
    ),
    xTicks: dayTicksOf(chart, frame),
    upgrades: upgradeMarksOf(chart, frame),
    yTicks: ticks.map(({ value, label }) => ({ y: round(y(value)), label })),
    extent: y.domain(),
    isCut,
  };
}

/** A drawn point. */
interface PlacedPoint extends Place {
  readonly point: ChartPoint;
}

/** Places the points of a line, by bucket; undefined for a bucket that is not drawn. */
function placeLine(
  { points, drawn }: ChartLine,
  { axis, view }: Chart,
  { xs, y }: {
    readonly xs: readonly number[];
    readonly y: (value: number) => number;
  },
): (PlacedPoint | undefined)[] {
  let next = 0;
  return axis.map((day, at) => {
    const point = points[next];
    if (point?.day !== day) return undefined;
    const value = drawn[next++]!;
    return isShown(value, view)
      ? { x: xs[at]!, y: round(y(value)), point }
      : undefined;
  });
}

function valuesUp(
  { view, lines }: Chart,
  { top, bottom }: Pick<Frame, "top" | "bottom">,
  extent: Extent,
) {
  const count = Math.max(2, Math.round((bottom - top) / Y_TICK));
  const isLog = view.scale === "log";
  // An unfinished value outside of the complete ones is drawn at the edge.
  const y = isLog
    ? scaleLog([...extent], [bottom, top]).nice().clamp(true)
    : scaleLinear([...extent], [bottom, top]).nice(count).clamp(true);
  const linearTicks = () =>
    y.ticks(count).filter(isWhole(lines) ? Number.isInteger : () => true);
  const values = isLog ? logTicks(y.domain(), count) : linearTicks();
  const labels = formatTicks(values);
  return {
    y,
    isCut: !isLog && y.domain()[0]! > 0,
    ticks: values.map((value, index) => ({ value, label: labels[index]! })),
  };
}

/** Returns powers of ten, as many as fit, and 1, 2, 5 of each if there are few. */
function logTicks(domain: readonly number[], count: number): number[] {
  const [low, high] = domain.map((value) => Math.round(Math.log10(value)));
  const decades = high! - low!;
  const step = Math.max(1, Math.ceil(decades / (count + 1)));
  const steps = decades <= 2 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = low!; power <= high!; power += step) {
    for (const digit of steps) ticks.push(Number(`${digit}e${power}`));
  }
  return ticks.filter((tick) => tick <= domain[1]!);
}

/**
 * Draws a line. It breaks at a bucket without a point, and is dashed next to an
 * inferred bucket. An unfinished bucket stands apart as a ring: joined, it would look
 * like a fall. An inferred bucket has no ring, unless nothing else shows it.
 */
function plotLine(
  places: readonly (PlacedPoint | undefined)[],
): Omit<PlottedLine, "second"> {
  let dashed = "";
  let alone = "";
  const provisional: Place[] = [];
  const isSolid = ({ point: { complete, inferred } }: PlacedPoint) =>
    complete && !inferred;
  const joined = places.map((place) =>
    place && isUnfinished(place.point) ? undefined : place
  );
  places.forEach((place, index) => {
    if (place === undefined) return;
    const [before, own, after] = [-1, 0, 1].map((step) => joined[index + step]);
    if (before && own && !(isSolid(own) && isSolid(before))) {
      dashed += `M${before.x},${before.y}L${own.x},${own.y}`;
    }
    const isAlone = before === undefined && after === undefined;
    if (isAlone && isSolid(place)) alone += `M${place.x},${place.y}Z`;
    if (isUnfinished(place.point) || (!isSolid(place) && isAlone)) {
      provisional.push({ x: place.x, y: place.y });
    }
  });
  // An unfinished bucket is far below the line that a label names.
  const last = places.findLast((place) => place?.point.complete) ??
    places.findLast((place) => place !== undefined);
  return {
    solid: linePath(
      places.map((place) => place && isSolid(place) ? place : undefined),
    ),
    alone,
    dashed,
    provisional,
    revised: diamondPath(
      places.flatMap((place) => place && isRevised(place.point) ? place : []),
    ),
    end: last === undefined ? null : { x: last.x, y: last.y },
  };
}

/** A point of the picture, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Buckets per pixel from which a path is drawn pixel by pixel. */
const DENSE = 2;

/** Returns the path through the places of a line. A missing place interrupts it. */
export function linePath(places: readonly (Place | undefined)[]): string {
  const found = places.filter((place) => place !== undefined);
  const width = found.length === 0 ? 0 : found.at(-1)!.x - found[0]!.x;
  const isDense = found.length > DENSE * Math.max(width, 1);
  const path = line<Place | undefined>()
    .defined((place) => place !== undefined)
    .x((place) => place!.x)
    .y((place) => place!.y)
    .digits(isDense ? 0 : 1);
  return path(isDense ? pixelColumns(places) : places) ?? "";
}

/** Half the height of a diamond, and the least distance of two on a line, in pixels. */
const DIAMOND = 4;
const DIAMOND_DISTANCE = 4;

/** Returns the path of a diamond at each place of a line. One stands for places that are too close. */
export function diamondPath(places: readonly Place[]): string {
  let last = -Infinity;
  return places.map(({ x, y }) => {
    if (x - last < DIAMOND_DISTANCE) return "";
    last = x;
    const d = DIAMOND;
    return `M${x} ${
      Number((y - d).toFixed(1))
    }l${d} ${d}l-${d} ${d}l-${d}-${d}z`;
  }).join("");
}

/**
 * Keeps the first, lowest, highest and last point of each pixel column of a line,
 * which cover the same pixels as all points do: nothing is smoothed.
 */
function pixelColumns(
  places: readonly (Place | undefined)[],
): (Place | undefined)[] {
  const kept: (Place | undefined)[] = [];
  for (let at = 0; at < places.length;) {
    const first = places[at];
    if (first === undefined) {
      kept.push(undefined);
      at++;
      continue;
    }
    const x = Math.round(first.x);
    let low = at;
    let high = at;
    let end = at;
    for (; end < places.length; end++) {
      const place = places[end];
      if (place === undefined || Math.round(place.x) !== x) break;
      if (place.y < places[low]!.y) low = end;
      if (place.y > places[high]!.y) high = end;
    }
    const ends = new Set(
      [at, Math.min(low, high), Math.max(low, high), end - 1],
    );
    for (const index of ends) kept.push({ x, y: places[index]!.y });
    at = end;
  }
  return kept;
}
