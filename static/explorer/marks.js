/** What the chart draws besides its lines: names at their ends, disputed and revised days, and network upgrades. */
import { PARTS } from "./values.js";

/** Distance between names, and largest share of the width that they take. */
export const LABEL_DISTANCE = 14;
export const MAX_LABEL_SHARE = 0.24;

/** Width from which there is room for names, in pixels. */
const WIDE = 560;

/** Opacity of the lines that are not highlighted. */
const DIMMED = 0.2;

/** Returns the room that the names need beside the plot; 0 without names. */
export function roomForNames({ lines }, { width, font }) {
  if (lines.length < 2 || width < WIDE) return 0;
  const ctx = document.createElement("canvas").getContext("2d");
  ctx.font = bold(font, 1);
  const widest = lines.reduce(
    (most, { label }) => Math.max(most, ctx.measureText(label).width),
    0,
  );
  return Math.min(widest + 12, width * MAX_LABEL_SHARE);
}

/** Draws the name of each line at its last value, moved apart where these are close. */
export function drawNames(plot, { font, strokes, room, labels, chosen }) {
  if (room === 0) return;
  const { ctx, bbox } = plot;
  const unit = devicePixelRatio;
  const ends = labels.flatMap((label, line) => {
    const isThere = (value) => typeof value === "number";
    // An unfinished value would take all names to the bottom, so it comes last.
    const value = partsOf(plot, line)
      .map((values) => values.findLast(isThere)).find(isThere);
    return value === undefined
      ? []
      : [{ label, line, y: plot.valToPos(value, "y", true) }];
  }).sort((a, b) => a.y - b.y);
  for (const [at, end] of ends.entries()) {
    const above = ends[at - 1]?.y ?? -Infinity;
    end.y = Math.max(end.y, above + LABEL_DISTANCE * unit);
  }
  let limit = bbox.top + bbox.height;
  for (const end of ends.toReversed()) {
    end.y = Math.min(end.y, limit);
    limit = end.y - LABEL_DISTANCE * unit;
  }
  ctx.save();
  ctx.font = bold(font, unit);
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  for (const { label, line, y } of ends) {
    ctx.globalAlpha = chosen === null || chosen === line ? 1 : DIMMED;
    ctx.fillStyle = strokes[line];
    const x = bbox.left + bbox.width + 8 * unit;
    ctx.fillText(shorten(ctx, label, (room - 10) * unit), x, y);
  }
  ctx.restore();
}

/** Draws the lines except one dimmed; none for null. */
export function dimOthers(plot, line) {
  for (const [at, series] of plot.series.entries()) {
    series.alpha = line === null || lineOf(at) === line ? 1 : DIMMED;
  }
  plot.redraw(false);
}

/**
 * Highlights a line while its entry of the legend has the pointer or the focus.
 * Returns `highlight`, which passes a line (null for none) to `draw`, and `chosen`,
 * which returns the highlighted line.
 */
export function prepareHighlight(legend, draw) {
  let chosen = null;
  const highlight = (line) => {
    if (line === chosen) return;
    chosen = line;
    draw(line);
  };
  for (const [line, entry] of [...legend?.children ?? []].entries()) {
    entry.tabIndex = 0;
    entry.addEventListener("pointerenter", () => highlight(line));
    entry.addEventListener("pointerleave", () => highlight(null));
    entry.addEventListener("focus", () => highlight(line));
    entry.addEventListener("blur", () => highlight(null));
  }
  return { highlight, chosen: () => chosen };
}

/** Returns the line that a series of uPlot belongs to. The first series is the days. */
export function lineOf(series) {
  return Math.floor((series - 1) / PARTS);
}

/** Returns the values of a line: of its solid part, its dashed one, and its unfinished points. */
function partsOf({ data }, line) {
  return data.slice(PARTS * line + 1, PARTS * (line + 1) + 1);
}

/** Returns the value at which a point is drawn: an unfinished one outside of the axis is at its edge. */
function shownAt(plot, line, at) {
  return partsOf(plot, line).map((values) => values[at])
    .find((value) => value !== null) ?? null;
}

/** Draws a ring around each disputed point. */
export function drawRings(plot, { rings }, stroke) {
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const { line, at } of rings) {
    const value = shownAt(plot, line, at);
    if (value === null) continue;
    const x = plot.valToPos(plot.data[0][at], "x", true);
    const y = plot.valToPos(value, "y", true);
    ctx.beginPath();
    ctx.arc(x, y, 5.5 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.stroke();
  }
  ctx.restore();
}

/** Half the height of a diamond, and the least distance of two on a line, in pixels. */
const DIAMOND = 4;
const DIAMOND_DISTANCE = 4;

/** Draws a diamond at each revised point. One stands for points that are too close. */
export function drawRevisions(plot, { lines }, { fill, stroke }) {
  const { ctx } = plot;
  const unit = devicePixelRatio;
  const half = DIAMOND * unit;
  ctx.save();
  ctx.fillStyle = fill;
  ctx.strokeStyle = stroke;
  ctx.lineWidth = unit;
  for (const [line, { revised }] of lines.entries()) {
    let last = -Infinity;
    for (const { at } of revised) {
      const value = shownAt(plot, line, at);
      const x = plot.valToPos(plot.data[0][at], "x", true);
      if (value === null || x - last < DIAMOND_DISTANCE * unit) continue;
      last = x;
      const y = plot.valToPos(value, "y", true);
      ctx.beginPath();
      ctx.moveTo(x, y - half);
      ctx.lineTo(x + half, y);
      ctx.lineTo(x, y + half);
      ctx.lineTo(x - half, y);
      ctx.closePath();
      ctx.fill();
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** Draws a dashed line at each network upgrade, with its name where there is room. */
export function drawUpgrades(plot, { upgrades }, { stroke, ground, font }) {
  const { ctx, bbox } = plot;
  const unit = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.fillStyle = stroke;
  ctx.lineWidth = unit;
  ctx.setLineDash([2 * unit, 3 * unit]);
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  ctx.font = font.replace("12px", `${11 * unit}px`);
  const xs = upgrades.map(({ at }) =>
    Math.round(plot.valToPos(plot.data[0][at], "x", true))
  );
  for (const [index, { name }] of upgrades.entries()) {
    const x = xs[index];
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const end = x + ctx.measureText(name).width + 6 * unit;
    const free = xs[index + 1] ?? bbox.left + bbox.width;
    if (end > free) continue;
    // The ground around the name keeps the grid's lines from crossing it out.
    ctx.save();
    ctx.setLineDash([]);
    ctx.lineJoin = "round";
    ctx.lineWidth = 3 * unit;
    ctx.strokeStyle = ground;
    ctx.strokeText(name, x + 4 * unit, bbox.top);
    ctx.restore();
    ctx.fillText(name, x + 4 * unit, bbox.top);
  }
  ctx.restore();
}

function bold(font, unit) {
  return `600 ${font.replace("12px", `${12 * unit}px`)}`;
}

function shorten(ctx, text, width) {
  if (ctx.measureText(text).width <= width) return text;
  let letters = [...text];
  while (
    letters.length > 1 && ctx.measureText(`${letters.join("")}…`).width > width
  ) {
    letters = letters.slice(0, -1);
  }
  return `${letters.join("").trimEnd()}…`;
}
