/** Reads the charts that the server draws: a pointer or a key shows the values of a bucket, and in the explorer a drag selects days. */
import { fitPictures } from "./fit.js";

const SVG = "http://www.w3.org/2000/svg";

/** Pixels around a plot in which a pointer still reads it, and around a line in which it highlights it. */
const AROUND = 12;
const NEAR = 24;
/** A finger that rests for this long starts a selection, in ms. */
const LONG_PRESS_MS = 350;
/** A finger that moves further than this does not rest, in pixels. */
const REST = 8;
/** Minimum width of a selection, in pixels. */
const MIN_DRAG = 12;
/** Least distance between the title and the value of a small plot, in pixels. */
const GAP = 8;

/** Returns the values of the charts of a region; null if it has none. */
export function dataOf(region) {
  const block = region.querySelector("#chart-data");
  return block && JSON.parse(block.textContent);
}

/** Makes the chart of a region readable, and its days selectable if `onDays` is given. Returns null without values. */
export function showChart(region, drawing, { onDays, onReset } = {}) {
  if (drawing === null) return null;
  const { days } = drawing;
  const box = region.querySelector(".plot");
  const legend = region.querySelector(".readout, .readout-list");
  const readout = readoutOf(legend, drawing);
  box.setAttribute("role", "group");
  box.setAttribute("aria-roledescription", "chart");
  box.setAttribute(
    "aria-label",
    `${box.dataset.chartTitle}. Use the arrow keys to read each point.${
      onDays ? " The table has the same values." : ""
    }`,
  );
  // The same plots are drawn for a wide and for a narrow screen.
  const plots = [...box.querySelectorAll("svg")].flatMap((picture) =>
    [...picture.querySelectorAll(".panel-area")].map((area, nth) =>
      preparePlot(picture, area, { drawing, readout, nth })
    )
  );

  const last = days.length - 1;
  const times = days.map((day) => Date.parse(day));
  /** Returns where a bucket is on the day axis, from 0 to 1. A single one is in the middle. */
  const shareOf = (at) =>
    last === 0 ? 0.5 : (times[at] - times[0]) / (times[last] - times[0]);
  const nearest = (share) => {
    const next = days.findIndex((_, place) => shareOf(place) >= share);
    if (next === -1) return last;
    return next > 0 && share - shareOf(next - 1) < shareOf(next) - share
      ? next - 1
      : next;
  };

  let at = null;
  const place = () => {
    for (const { show } of plots) show(at, shareOf(at ?? 0));
  };
  // The picture of one plot gets another size with its box.
  const stop = box.classList.contains("is-apart")
    ? () => {}
    : fitPictures(region.querySelector(".explorer-figure"), place);
  const read = (next) => {
    if (next === at) return;
    at = next;
    place();
    readout.show(at);
  };
  let chosen = null;
  /** Dims the other lines; none for null. */
  const highlight = (line) => {
    if (line === chosen) return;
    chosen = line;
    for (const other of drawing.lines.keys()) {
      const isDimmed = line !== null && line !== other;
      for (const part of box.querySelectorAll(`.series-${other + 1}`)) {
        part.classList.toggle("is-dimmed", isDimmed);
      }
    }
    for (const { title, lines } of plots) {
      title?.classList.toggle(
        "is-dimmed",
        line !== null && !lines.includes(line),
      );
    }
  };
  const entries = legend.querySelectorAll(".legend > li");
  for (const [line, entry] of entries.entries()) {
    entry.tabIndex = 0;
    for (
      const [on, off] of [["pointerenter", "pointerleave"], [
        "focus",
        "blur",
      ]]
    ) {
      entry.addEventListener(on, () => highlight(line));
      entry.addEventListener(off, () => highlight(null));
    }
  }

  /** Returns the plot at a pointer, or around it; undefined without one. */
  const plotAt = ({ clientX, clientY }) =>
    plots.find(({ area }) => {
      const { left, right, top, bottom, width } = area.getBoundingClientRect();
      return width > 0 && clientX >= left - AROUND &&
        clientX <= right + AROUND && clientY >= top - AROUND &&
        clientY <= bottom + AROUND;
    });
  /** Returns the place of a pointer in a plot, in pixels, and as a share of its width. */
  const placeIn = ({ area }, { clientX }) => {
    const { left, width } = area.getBoundingClientRect();
    const x = Math.min(Math.max(clientX - left, 0), width);
    return { x, share: x / width };
  };

  /** The pressed pointer: its plot, where it began and is, and whether it selects. */
  let pressed = null;
  const select = () => {
    const { id, start, now } = pressed;
    pressed.isSelecting = true;
    box.setPointerCapture(id);
    for (const plot of plots) plot.select(start.share, now.share);
  };
  const release = () => {
    clearTimeout(pressed.timer);
    for (const plot of plots) plot.select(0, 0, 0);
    pressed = null;
  };
  box.addEventListener("pointerdown", (event) => {
    // A second finger changes neither the plot nor the selection of the first.
    const plot = event.isPrimary && event.button === 0 && plotAt(event);
    if (!plot) return;
    const start = placeIn(plot, event);
    const isFinger = event.pointerType === "touch";
    pressed = {
      id: event.pointerId,
      plot,
      start,
      now: start,
      isSelecting: !isFinger && onDays !== undefined,
    };
    read(nearest(start.share));
    // Without the capture, a mouse that leaves at once is released unseen.
    if (!isFinger) box.setPointerCapture(event.pointerId);
    else if (onDays) pressed.timer = setTimeout(select, LONG_PRESS_MS);
  });
  box.addEventListener("pointermove", (event) => {
    // A drag reads the plot in which it began, also outside of it.
    const plot = pressed?.plot ?? plotAt(event);
    if (plot === undefined || (pressed && pressed.id !== event.pointerId)) {
      return;
    }
    const now = placeIn(plot, event);
    read(nearest(now.share));
    if (pressed === null) {
      if (plot.lines.length > 1) highlight(plot.lineAt(event.clientY));
      return;
    }
    pressed.now = now;
    const isMoved = Math.abs(now.x - pressed.start.x) > REST;
    if (isMoved) clearTimeout(pressed.timer);
    if (pressed.isSelecting) select();
  });
  box.addEventListener("pointerup", ({ pointerId }) => {
    if (pressed?.id !== pointerId) return;
    const { isSelecting, start, now } = pressed;
    release();
    if (!isSelecting || Math.abs(now.x - start.x) < MIN_DRAG) return;
    const [from, to] = [start.share, now.share].sort((a, b) => a - b);
    onDays(days[nearest(from)], days[nearest(to)]);
  });
  box.addEventListener("pointercancel", ({ pointerId }) => {
    if (pressed?.id === pointerId) release();
  });
  // A long press would open the menu of the browser.
  box.addEventListener("contextmenu", (event) => {
    if (pressed !== null) event.preventDefault();
  });
  box.addEventListener("pointerleave", ({ pointerType }) => {
    // A finger that is lifted leaves the plot. Its values stay shown.
    if (pointerType === "touch") return;
    read(null);
    highlight(null);
  });
  box.addEventListener("blur", () => read(null));
  if (onReset) box.addEventListener("dblclick", onReset);
  box.addEventListener("keydown", (event) => {
    const from = at ?? last;
    const step = Math.max(1, Math.round(last / 20));
    const to = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      PageUp: from - step,
      PageDown: from + step,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    read(Math.min(Math.max(to, 0), last));
  });
  // It can be focused once it can be read.
  box.tabIndex = 0;
  return { destroy: stop };
}

/**
 * Adds what a reader moves to a plot: a line with a dot on each line of the chart, a
 * selection, and in a small plot the value. Returns the functions that place them.
 */
function preparePlot(picture, area, { drawing, readout, nth }) {
  const isSmall = picture.querySelectorAll(".panel-area").length > 1;
  const lines = isSmall ? [nth] : [...drawing.lines.keys()];
  const title = isSmall ? picture.querySelectorAll(".panel-title")[nth] : null;
  const add = (name, className) => {
    const part = document.createElementNS(SVG, name);
    part.setAttribute("class", className);
    picture.append(part);
    return part;
  };
  const selected = add("rect", "panel-select");
  const cursor = add("path", "panel-cursor");
  const dots = lines.map((line) =>
    add("circle", `panel-dot series-${line + 1}`)
  );
  const value = isSmall ? add("text", "panel-value") : null;
  const boxOf = () =>
    ["x", "y", "width", "height"].map((name) =>
      Number(area.getAttribute(name))
    );
  const place = (part, attributes) => {
    for (const [name, value] of Object.entries(attributes)) {
      part.setAttribute(name, value);
    }
  };
  const scale = drawing.isLog ? Math.log : (value) => value;
  const [low, high] = area.dataset.extent.split(" ")
    .map((value) => scale(Number(value)));
  /** Returns the height of a value in the plot, from 0 to 1. The scale ends at both. */
  const heightOf = (value) =>
    Math.min(Math.max((scale(value) - low) / (high - low), 0), 1);

  return {
    area,
    title,
    lines,
    /** Shows the values of a bucket at its place, from 0 to 1; null hides them. */
    show(at, share) {
      const [left, top, width, height] = boxOf();
      const x = left + share * width;
      place(cursor, { d: at === null ? "" : `M${x} ${top}v${height}` });
      for (const [nth, line] of lines.entries()) {
        const drawn = at === null ? null : drawnAt(drawing, line, at);
        place(dots[nth], {
          cx: x,
          cy: drawn === null ? 0 : top + (1 - heightOf(drawn)) * height,
          r: drawn === null ? 0 : 4,
        });
      }
      if (!isSmall) return;
      place(value, { x: left + width, y: top - 8 });
      value.textContent = at === null
        ? ""
        : readout.wordsOf(drawing.lines[nth], at);
      // Both stand in one row. The legend names the chain as well.
      const taken = at === null
        ? 0
        : title.getComputedTextLength() + value.getComputedTextLength() + GAP;
      place(title, { visibility: taken > width ? "hidden" : "visible" });
    },
    /** Draws a selection between two places, from 0 to 1, of a least width. */
    select(one, other, least = 1) {
      const [left, y, width, height] = boxOf();
      const x = left + Math.min(one, other) * width;
      const wide = Math.max(least, Math.abs(one - other) * width);
      place(selected, { x, y, width: wide, height });
    },
    /** Returns the line whose dot is nearest to a pointer; null if none is near. */
    lineAt(clientY) {
      const near = dots.map((dot, nth) => {
        const { top, height } = dot.getBoundingClientRect();
        const distance = height === 0
          ? Infinity
          : Math.abs(top + height / 2 - clientY);
        return { line: lines[nth], distance };
      }).sort((a, b) => a.distance - b.distance);
      return near[0].distance <= NEAR ? near[0].line : null;
    },
  };
}

/** Returns the drawn value of a bucket: indexed to the base if there is one; null if it is not drawn. */
function drawnAt({ lines, isLog }, line, at) {
  const { values, base } = lines[line];
  const value = values[at];
  // A log axis has no 0.
  if (value === null || (isLog && value === 0)) return null;
  return base === null ? value : value / base * 100;
}

/**
 * The line that shows the values of one bucket, in place of those that the server
 * rendered. Returns `show`, which writes the values of a bucket (for null those of the newest
 * complete one), and `wordsOf`, which describes the value of one line.
 */
function readoutOf(
  element,
  { days, lines, rings, interval, format, kind },
) {
  const number = new Intl.NumberFormat("en-US", format);
  // As formatDrawn() of the server writes an index and a share.
  const oneDecimal = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const day = element.querySelector(".readout-day");
  const values = element.querySelectorAll(".readout-value");
  const note = element.querySelector(".readout-note");
  const newest = days.findLastIndex((_, at) =>
    lines.some(({ values, incomplete }) =>
      values[at] !== null && !incomplete.includes(at)
    )
  );
  const usual = newest < 0 ? days.length - 1 : newest;

  function wordsOf({ unit, values, second, base, incomplete, inferred }, at) {
    const value = values[at];
    if (value === null) return kind === null ? "no value" : `no ${kind}`;
    const open = inferred.includes(at)
      ? ", inferred"
      : incomplete.includes(at)
      ? ", incomplete"
      : "";
    const shown = number.format(value);
    if (base !== null) {
      return `${
        oneDecimal.format(value / base * 100)
      } (${shown} ${unit})${open}`;
    }
    if (kind === null) {
      const other = second[at] === null
        ? ""
        : `, second source ${number.format(second[at])}`;
      return `${shown} ${unit}${open}${other}`;
    }
    return `${
      kind === "average" ? `${shown} ${unit}` : oneDecimal.format(value)
    }${kind === "share" ? " %" : ""}${open}`;
  }

  /** Returns the earlier values of a bucket: `Revised: was 1,200`. */
  function revisionsAt(at) {
    const found = lines.flatMap(({ label, revised }) =>
      revised.filter((revision) => revision.at === at)
        .map(({ words }) => lines.length > 1 ? `${label} ${words}` : words)
    );
    const words = found.join("; ");
    return words && (words === "revised" ? "Revised." : `Revised: ${words}.`);
  }

  function show(place) {
    const at = place ?? usual;
    day.textContent = bucketOf(days[at], interval);
    for (const [index, line] of lines.entries()) {
      values[index].textContent = wordsOf(line, at);
    }
    const disputes = rings.filter((ring) => ring.at === at)
      .map(({ words }) => words).join(" ");
    const words = [revisionsAt(at), disputes && `Disputed. ${disputes}`]
      .filter((part) => part !== "").join(" ");
    // At rest the note would cover the chart on a phone, and the mark of the bucket.
    note.hidden = place === null || words === "";
    note.textContent = words;
    note.title = words;
    note.classList.toggle("is-disputed", disputes !== "");
  }

  return { show, wordsOf };
}

function bucketOf(day, interval) {
  if (interval === "month") return day.slice(0, 7);
  return interval === "week" ? `Week of ${day}` : day;
}
