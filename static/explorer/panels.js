/** Small plots, which the server draws: a pointer or a key reads the same bucket in all of them. */
import { stepFrom } from "./readout.js";

const SVG = "http://www.w3.org/2000/svg";

/** Pixels around a plot in which a pointer still reads it. */
const AROUND = 12;

/** Reads all plots of a box at once: a line in each, with its value beside the name. */
export function readPanels(box, { drawing, readout }) {
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
  const readAt = ({ clientX, clientY }) => {
    for (const { area } of panels) {
      const { left, right, top, bottom, width } = area.getBoundingClientRect();
      const isInside = width > 0 && clientX >= left - AROUND &&
        clientX <= right + AROUND && clientY >= top - AROUND &&
        clientY <= bottom + AROUND;
      if (!isInside) continue;
      read(nearest((clientX - left) / width));
      return;
    }
  };
  const nearest = (share) => {
    const next = days.findIndex((_, place) => shareOf(place) >= share);
    if (next === -1) return last;
    return next > 0 && share - shareOf(next - 1) < shareOf(next) - share
      ? next - 1
      : next;
  };

  box.addEventListener("pointermove", readAt);
  box.addEventListener("pointerdown", readAt);
  box.addEventListener("pointerleave", ({ pointerType }) => {
    // A finger leaves when it is lifted: its values stay, as those of the large chart do.
    if (pointerType !== "touch") read(null);
  });
  box.addEventListener("blur", () => read(null));
  box.addEventListener("keydown", (event) => {
    const next = stepFrom(event.key, { at, last });
    if (next === null) return;
    event.preventDefault();
    read(next);
  });
  return { destroy() {} };
}

/** Least distance between the title and the value of a plot, in pixels. */
const GAP = 8;

/** Adds a line and a value to a plot. Returns `show`, which places them, or hides them for null. */
function prepareCursor(picture, area) {
  const { x, y, width, height } = area;
  const [left, top] = [x.baseVal.value, y.baseVal.value];
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("class", "panel-cursor");
  const value = document.createElementNS(SVG, "text");
  value.setAttribute("class", "panel-value");
  value.setAttribute("text-anchor", "end");
  value.setAttribute("x", String(left + width.baseVal.value));
  value.setAttribute("y", String(top - 8));
  value.setAttribute("aria-hidden", "true");
  picture.append(line, value);
  const title = area.previousElementSibling;
  return {
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
  };
}
