/** Small plots, which the server draws: a pointer or a key reads the same bucket in all of them, and a drag selects days. */
import { stepFrom } from "./readout.js";
import { isMeant, selectByPointer } from "./selection.js";

const SVG = "http://www.w3.org/2000/svg";

/** Pixels around a plot in which a pointer still reads it. */
const AROUND = 12;

/**
 * Reads all plots of a box at once: a line in each, with its value beside the name.
 * Returns `highlight`, which dims the plots of the other lines; none for null.
 */
export function readPanels(box, { drawing, readout, onDays }) {
  const { days, lines } = drawing;
  const last = days.length - 1;
  const times = days.map((day) => Date.parse(day));
  /** Returns where a bucket is on the day axis, from 0 to 1. A single one is in the middle. */
  const shareOf = (at) =>
    last === 0 ? 0.5 : (times[at] - times[0]) / (times[last] - times[0]);
  // The same plots are drawn for a wide and for a narrow screen.
  const panels = [...box.querySelectorAll("svg")].flatMap((picture) =>
    [...picture.querySelectorAll(".panel-area")].map((area, line) => ({
      area,
      line,
      ...prepareCursor(picture, area),
      dim: prepareDimming(picture, area, line),
    }))
  );

  let at = null;
  const read = (next) => {
    if (next === at) return;
    at = next;
    for (const { line, show } of panels) {
      show(
        at === null ? null : {
          share: shareOf(at),
          words: readout.wordsOf(lines[line], at),
        },
      );
    }
    readout.show(at);
  };
  /** Returns the plot at a pointer, or around it; undefined without one. */
  const areaAt = ({ clientX, clientY }) =>
    panels.find(({ area }) => {
      const { left, right, top, bottom, width } = area.getBoundingClientRect();
      return width > 0 && clientX >= left - AROUND &&
        clientX <= right + AROUND && clientY >= top - AROUND &&
        clientY <= bottom + AROUND;
    })?.area;
  const readAt = (event) => {
    const area = areaAt(event);
    if (area === undefined) return;
    const { left, width } = area.getBoundingClientRect();
    read(nearest((event.clientX - left) / width));
  };
  const nearest = (share) => {
    const next = days.findIndex((_, place) => shareOf(place) >= share);
    if (next === -1) return last;
    return next > 0 && share - shareOf(next - 1) < shareOf(next) - share
      ? next - 1
      : next;
  };

  /** The plot in which the pointer was pressed. */
  let pressed;
  const shareIn = (position) =>
    position / pressed.getBoundingClientRect().width;
  const plot = {
    get over() {
      return pressed;
    },
    setCursor: ({ left }) => read(nearest(shareIn(left))),
    setSelect({ left, width }) {
      const [from, to] = [shareIn(left), shareIn(left + width)];
      for (const { select } of panels) select({ from, to });
    },
  };
  box.addEventListener("pointerdown", (event) => {
    // A second finger changes neither the plot nor the selection of the first.
    if (!event.isPrimary) return;
    pressed = areaAt(event);
    readAt(event);
  });
  selectByPointer(box, {
    plotOf: () => pressed === undefined ? null : plot,
    onSelect(left, right) {
      if (!isMeant(left, right)) return;
      onDays(days[nearest(shareIn(left))], days[nearest(shareIn(right))]);
    },
    dragsMouse: true,
  });
  box.addEventListener("pointermove", (event) => {
    // A drag reads the plot in which it began, also outside of it.
    if (event.buttons === 0 || pressed === undefined) readAt(event);
  });
  box.addEventListener("pointerleave", ({ pointerType }) => {
    // A finger that is lifted leaves the plot. Its values stay shown, as on the
    // large chart.
    if (pointerType !== "touch") read(null);
  });
  box.addEventListener("blur", () => read(null));
  box.addEventListener("keydown", (event) => {
    const next = stepFrom(event.key, { at, last });
    if (next === null) return;
    event.preventDefault();
    read(next);
  });
  return {
    highlight(chosen) {
      for (const { line, dim } of panels) {
        dim(chosen !== null && chosen !== line);
      }
    },
  };
}

/** Least distance between the title and the value of a plot, in pixels. */
const GAP = 8;

/** Adds a line, a selection and a value to a plot. Returns `show` and `select`, which place them. */
function prepareCursor(picture, area) {
  const { x, y, width, height } = area;
  const [left, top] = [x.baseVal.value, y.baseVal.value];
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("class", "panel-cursor");
  const selected = document.createElementNS(SVG, "rect");
  selected.setAttribute("class", "panel-select");
  selected.setAttribute("y", String(top));
  selected.setAttribute("width", "0");
  selected.setAttribute("height", String(height.baseVal.value));
  const value = document.createElementNS(SVG, "text");
  value.setAttribute("class", "panel-value");
  value.setAttribute("text-anchor", "end");
  value.setAttribute("x", String(left + width.baseVal.value));
  value.setAttribute("y", String(top - 8));
  value.setAttribute("aria-hidden", "true");
  picture.append(selected, line, value);
  const title = area.previousElementSibling;
  return {
    /** Shows a value and its place; null hides both. */
    show(shown) {
      const at = left + (shown?.share ?? 0) * width.baseVal.value;
      line.setAttribute(
        "d",
        shown === null ? "" : `M${at} ${top}v${height.baseVal.value}`,
      );
      value.textContent = shown?.words ?? "";
      // Both stand in one row. The legend names the chain as well.
      const taken = shown === null
        ? 0
        : title.getComputedTextLength() + value.getComputedTextLength() + GAP;
      title.setAttribute(
        "visibility",
        taken > width.baseVal.value ? "hidden" : "visible",
      );
    },
    /** Draws a selection between two places, from 0 to 1. */
    select({ from, to }) {
      const whole = width.baseVal.value;
      selected.setAttribute("x", String(left + from * whole));
      selected.setAttribute("width", String((to - from) * whole));
    },
  };
}

/** Returns the function that dims the line and the name of a plot. */
function prepareDimming(picture, area, line) {
  const parts = [
    area.previousElementSibling,
    ...picture.querySelectorAll(`.series-${line + 1}`),
  ];
  return (isDimmed) => {
    for (const part of parts) part.classList.toggle("is-dimmed", isDimmed);
  };
}
