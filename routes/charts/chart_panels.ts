/** Lays out the plots of a chart: one for all lines, or one for each value axis. */
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import type { Chart } from "../../services/charts/charts_schema.ts";
import {
  extentOf,
  groupByAxis,
  isShown,
} from "../../services/charts/value_axis.ts";
import { cut } from "./chart_card.ts";
import { type Plot, plotChart, valueLabelsOf } from "./chart_plot.ts";
import type { Frame } from "./day_axis.ts";
import { isComparison, printable } from "./chart_words.ts";

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

/** Largest share of the width that labels take, and their distance from each other. */
export const MAX_LABEL_SHARE = 0.24;
export const LABEL_DISTANCE = 14;

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

/** Whether the picture names its lines itself: a page of the explorer has a legend. */
interface Naming {
  readonly isNamed: boolean;
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
  const room = Math.max(...texts.map(labelWidth)) + 10;
  const frame = withLabels(
    chart,
    isLabelled
      ? { ...box, right: box.right - room }
      : { ...box, top: box.top + NAMES_ROW * rows.length },
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

/** Reserves space on the left for the labels of the value axis. */
function withLabels(
  chart: Chart,
  frame: Frame,
  extent?: Parameters<typeof valueLabelsOf>[2],
): Frame {
  const labels = valueLabelsOf(chart, frame, extent);
  const longest = Math.max(...labels.map(({ length }) => length));
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

/** Moves sorted positions apart, downwards and then up from the bottom. */
function spread(ys: readonly number[], bottom: number): number[] {
  const moved: number[] = [];
  for (const y of ys) {
    moved.push(Math.max(y, (moved.at(-1) ?? -Infinity) + LABEL_DISTANCE));
  }
  let limit = bottom;
  for (let index = moved.length - 1; index >= 0; index--) {
    moved[index] = Math.min(moved[index]!, limit);
    limit = moved[index]! - LABEL_DISTANCE;
  }
  return moved;
}
