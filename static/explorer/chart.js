/** The interactive chart of the explorer, drawn by uPlot from the data in the page. */
import uPlot from "../vendor/uplot.js";
import {
  dimOthers,
  drawNames,
  drawRevisions,
  drawRings,
  drawUpgrades,
  lineOf,
  prepareHighlight,
  roomForNames,
} from "./marks.js";
import { readPanels } from "./panels.js";
import { readoutOf, stepFrom } from "./readout.js";
import { isMeant, selectByPointer } from "./selection.js";
import {
  alonePoints,
  axisWidth,
  dataOf,
  dayRangeOf,
  formatTicks,
  hasSecond,
  isWhole,
  rangeOf,
  secondsOf,
  WHOLE_STEPS,
} from "./values.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Replaces the picture of a region by a chart. Returns null if the region has no data. */
export function showChart(region, { onDays, onReset }) {
  const block = region.querySelector("#chart-data");
  if (block === null) return null;
  const drawing = JSON.parse(block.textContent);
  const box = region.querySelector(".plot");
  const title = box.dataset.chartTitle;
  const readout = readoutOf(region.querySelector("#readout"), drawing);
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-roledescription", "chart");
  box.setAttribute(
    "aria-label",
    `${title}. Use the arrow keys to read each point. The table has the same values.`,
  );

  box.addEventListener("dblclick", onReset);
  const legend = region.querySelector("#readout .legend");

  if (box.classList.contains("is-apart")) {
    const { highlight } = readPanels(box, { drawing, readout, onDays });
    prepareHighlight(legend, highlight);
    return { destroy() {} };
  }

  // The picture stays for printing.
  box.classList.add("is-live");
  let plot;
  /** Chooses the days between two positions, in pixels of the plot. */
  const onSelect = (left, right) => {
    if (!isMeant(left, right)) return;
    const dayAt = (position) => drawing.days[plot.posToIdx(position)];
    onDays(dayAt(left), dayAt(right));
  };
  const highlighting = prepareHighlight(
    legend,
    (line) => dimOthers(plot, line),
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
  selectByPointer(box, { plotOf: () => plot, onSelect });
  box.addEventListener("keydown", (event) => {
    const at = stepFrom(event.key, {
      at: plot.cursor.idx,
      last: drawing.days.length - 1,
    });
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

function optionsOf(drawing, { box, readout, onSelect, highlight, chosen }) {
  const { lines } = drawing;
  const colour = colours(box);
  const ticksFor = ({ bbox }) => {
    const width = bbox.width / devicePixelRatio;
    const { days } = drawing.ticks.findLast((ticks) => ticks.width <= width) ??
      drawing.ticks[0];
    return days;
  };
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
      x: { range: dayRangeOf },
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
        ...(isWhole(drawing) ? { incrs: WHOLE_STEPS } : {}),
        values: (_, ticks) => formatTicks(ticks),
      },
    ],
    series: [
      {},
      ...strokes.flatMap((stroke) => {
        const shared = { stroke, width: 2, spanGaps: false };
        const hollow = { size: 7, width: 1.5, fill: colour("--surface") };
        return [
          { ...shared, points: { size: 5, fill: stroke, filter: alonePoints } },
          {
            ...shared,
            dash: [4, 4],
            points: { ...hollow, filter: alonePoints },
          },
          // Joined, an unfinished point would look like a fall of the line.
          { ...shared, paths: () => null, points: { ...hollow, show: true } },
        ];
      }),
      ...hasSecond(drawing)
        ? [{
          stroke: colour("--differ"),
          width: 1,
          spanGaps: false,
          points: { show: false },
        }]
        : [],
    ],
    hooks: {
      draw: [
        (plot) =>
          drawUpgrades(plot, drawing, {
            stroke: colour("--ink-faint"),
            ground: colour("--surface"),
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
        (plot) =>
          drawRevisions(plot, drawing, {
            fill: colour("--warn"),
            stroke: colour("--surface"),
          }),
        (plot) => drawRings(plot, drawing, colour("--differ")),
        () => performance.mark("explorer-drawn"),
      ],
      setSeries: [
        (_, series) => highlight(series === null ? null : lineOf(series)),
      ],
      setCursor: [({ cursor }) => readout.show(cursor.idx ?? null)],
      setSelect: [
        ({ select: { left, width } }) => onSelect(left, left + width),
      ],
    },
  };
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
