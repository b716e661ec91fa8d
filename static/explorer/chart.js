/** The interactive chart of the explorer, drawn by uPlot from the data in the page. */
import uPlot from "../vendor/uplot.js";
import {
  drawNames,
  drawUpgrades,
  prepareHighlight,
  roomForNames,
} from "./marks.js";
import { readoutOf } from "./readout.js";
import { readByTouch } from "./touch.js";

const NARROW = 560;
/** Minimum width of a drag selection, in pixels. */
const MIN_DRAG = 12;

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Replaces the picture of a region by a chart. Returns null if the region has no data. */
export function showChart(region, { onDays, onReset }) {
  const block = region.querySelector("#chart-data");
  if (block === null) return null;
  const drawing = JSON.parse(block.textContent);
  const box = region.querySelector(".plot");
  const title = box.dataset.chartTitle;
  const readout = readoutOf(region.querySelector("#readout"), drawing);
  // The picture stays for printing.
  box.classList.add("is-live");
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-roledescription", "chart");
  box.setAttribute(
    "aria-label",
    `${title}. Use the arrow keys to read each point. The table has the same values.`,
  );

  let plot;
  /** Chooses the days between two positions, in pixels of the plot. */
  const onSelect = (left, right) => {
    if (right - left < MIN_DRAG) return;
    const dayAt = (position) => drawing.days[plot.posToIdx(position)];
    onDays(dayAt(left), dayAt(right));
  };
  const highlighting = prepareHighlight(
    region.querySelector("#readout .legend"),
    () => plot,
  );
  const draw = () => {
    plot?.destroy();
    plot = new uPlot(
      optionsOf(drawing, { box, readout, onSelect, ...highlighting }),
      dataOf(drawing),
      box,
    );
  };
  draw();
  const resized = new ResizeObserver(() => {
    const { width, height } = sizeOf(box);
    if (plot.width !== width || plot.height !== height) {
      plot.setSize({ width, height });
    }
  });
  resized.observe(box);
  dark.addEventListener("change", draw);
  readByTouch(box, { plotOf: () => plot, onSelect });
  box.addEventListener("dblclick", onReset);
  box.addEventListener("keydown", (event) => {
    const at = stepFrom(event.key, { plot, drawing });
    if (at === null) return;
    event.preventDefault();
    const left = plot.valToPos(plot.data[0][at], "x");
    plot.setCursor({ left, top: 0 });
  });

  return {
    destroy() {
      resized.disconnect();
      dark.removeEventListener("change", draw);
      plot.destroy();
    },
  };
}

/** Returns the data for uPlot: days in seconds, then the solid and the dashed part of each line. */
function dataOf(drawing) {
  const { days, lines, isLog } = drawing;
  const [bottom, top] = rangeOf(drawing);
  const within = (value) =>
    value === null ? null : Math.min(Math.max(value, bottom), top);
  return [
    days.map(secondsOf),
    ...lines.flatMap((line) => {
      const open = new Set(line.incomplete);
      const shown = line.values.map((_, at) => drawnAt(line, at, isLog));
      return [
        shown.map((value, at) => open.has(at) ? null : value),
        shown.map((value, at) =>
          open.has(at) || open.has(at - 1) || open.has(at + 1)
            ? within(value)
            : null
        ),
      ];
    }),
  ];
}

/** Returns the range of the value axis. Unfinished buckets have no part in it. */
function rangeOf({ extent: [least, most], fromZero, isLog }) {
  if (isLog) return uPlot.rangeLog(least, most, 10, false);
  return fromZero
    ? [0, uPlot.rangeNum(0, most, 0.05, true)[1]]
    : uPlot.rangeNum(least, most, 0.05, false);
}

/** Returns the drawn value of a bucket: indexed to the base if there is one; null if it is not drawn. */
function drawnAt({ values, base }, at, isLog) {
  const value = values[at];
  // A log axis has no 0.
  if (value === null || (isLog && value === 0)) return null;
  return base === null ? value : value / base * 100;
}

function optionsOf(drawing, { box, readout, onSelect, highlight, chosen }) {
  const { lines } = drawing;
  const colour = colours(box);
  const ticksFor = ({ width }) =>
    width < NARROW ? drawing.ticks.narrow : drawing.ticks.wide;
  const axis = {
    stroke: colour("--ink-faint"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1, size: 5 },
    font: `12px ${getComputedStyle(box).fontFamily}`,
  };
  const size = sizeOf(box);
  const strokes = lines.map((_, index) => colour(`--series-${index + 1}`));
  const room = roomForNames(drawing, { width: size.width, font: axis.font });
  return {
    ...size,
    padding: [12, Math.max(22, room), 0, 0],
    focus: { alpha: 1 },
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 8 },
      focus: { prox: lines.length > 1 ? 24 : -1 },
    },
    scales: {
      y: { distr: drawing.isLog ? 3 : 1, range: rangeOf(drawing) },
    },
    axes: [
      {
        ...axis,
        size: 32,
        splits: (plot) => ticksFor(plot).map(([day]) => secondsOf(day)),
        values: (plot) => ticksFor(plot).map(([, label]) => label),
      },
      {
        ...axis,
        size: axisWidth,
        space: 50,
        values: (_, ticks) => formatTicks(ticks),
      },
    ],
    series: [
      {},
      ...lines.flatMap((_, index) => {
        const stroke = strokes[index];
        const shared = { stroke, width: 2, spanGaps: false };
        return [
          { ...shared, points: { size: 5, filter: alonePoints } },
          {
            ...shared,
            dash: [4, 4],
            points: {
              size: 7,
              width: 2,
              fill: colour("--surface"),
              filter: () => lines[index].incomplete,
              show: true,
            },
          },
        ];
      }),
    ],
    hooks: {
      draw: [
        (plot) =>
          drawUpgrades(plot, drawing, {
            stroke: colour("--ink-faint"),
            font: axis.font,
          }),
        (plot) =>
          drawNames(plot, {
            font: axis.font,
            strokes,
            room,
            labels: lines.map(({ label }) => label),
            chosen: chosen(),
          }),
        (plot) => drawRings(plot, drawing, colour("--bad")),
        () => performance.mark("explorer-drawn"),
      ],
      setSeries: [
        (_, series) => highlight(series === null ? null : (series - 1) >> 1),
      ],
      setCursor: [({ cursor }) => readout(cursor.idx ?? null)],
      setSelect: [
        ({ select: { left, width } }) => onSelect(left, left + width),
      ],
    },
  };
}

/** Returns the points without neighbours: no line shows them. */
function alonePoints(plot, index) {
  const isThere = (value) => typeof value === "number";
  return plot.data[index].flatMap((value, at, values) =>
    isThere(value) && !isThere(values[at - 1]) && !isThere(values[at + 1])
      ? [at]
      : []
  );
}

/** Draws a ring around each disputed point. */
function drawRings(plot, { rings, lines, isLog }, stroke) {
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const { line, at } of rings) {
    const value = drawnAt(lines[line], at, isLog);
    if (value === null) continue;
    const x = plot.valToPos(plot.data[0][at], "x", true);
    const y = plot.valToPos(value, "y", true);
    ctx.beginPath();
    ctx.arc(x, y, 5.5 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.stroke();
  }
  ctx.restore();
}

/** Returns the index that a key moves to; null for other keys. */
function stepFrom(key, { plot, drawing }) {
  const last = drawing.days.length - 1;
  const at = plot.cursor.idx ?? last;
  const step = Math.max(1, Math.round(last / 20));
  const to = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    PageUp: at - step,
    PageDown: at + step,
    Home: 0,
    End: last,
  }[key];
  return to === undefined ? null : Math.min(Math.max(to, 0), last);
}

/** Formats ticks as short as they stay distinct. */
function formatTicks(values) {
  for (let digits = 3;; digits++) {
    const compact = new Intl.NumberFormat("en-US", {
      notation: "compact",
      maximumSignificantDigits: digits,
    });
    // A log axis has ticks without a label.
    const labels = values.map((value) =>
      value === null ? "" : compact.format(value)
    );
    const shown = labels.filter((label) => label !== "");
    if (digits === 15 || new Set(shown).size === shown.length) return labels;
  }
}

/** Returns the width of the longest label. */
function axisWidth(plot, labels) {
  if (labels === null) return 40;
  const { ctx } = plot;
  ctx.font = plot.axes[1].font[0];
  const widths = labels.map((label) => ctx.measureText(label ?? "").width);
  return Math.ceil(Math.max(...widths) / devicePixelRatio) + 14;
}

function secondsOf(day) {
  return Date.parse(day) / 1000;
}

function sizeOf(box) {
  return { width: box.clientWidth, height: box.clientHeight };
}

/** Resolves CSS variables to colours: a canvas cannot use variables. */
function colours(box) {
  const probe = document.createElement("span");
  return (name) => {
    box.append(probe);
    probe.style.color = `var(${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}
