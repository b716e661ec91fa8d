/** Fits pictures into their boxes: the plot takes the space, and the words keep their size. */

/** Least distance of two names at the ends of lines, and of two labels of a row, in pixels. */
const NAME_DISTANCE = 14;
const LABEL_GAP = 6;

/** An absolute command of a path with its numbers. */
const COMMAND = /([MLHV])(-?[\d.]+)(?:[ ,](-?[\d.]+))?/g;

/** Fits the pictures of one plot, and of the differences below it, now and when their boxes change, and calls `onFit` after a change. Returns the function that stops. */
export function fitPictures(region, onFit) {
  const boxes = new Map();
  for (const picture of region.querySelectorAll("svg.chart")) {
    boxes.set(picture.parentElement, prepareFit(picture));
  }
  const resized = new ResizeObserver((changed) => {
    for (const { target } of changed) fit(target);
    onFit();
  });
  const fit = (box) => {
    const { clientWidth: width, clientHeight: height } = box;
    if (width > 0) boxes.get(box)({ width, height });
  };
  for (const box of boxes.keys()) {
    fit(box);
    resized.observe(box);
  }
  return () => resized.disconnect();
}

/** Returns the function that draws a picture for a width, and for a height unless it shows differences. */
function prepareFit(picture) {
  const { width, height } = picture.viewBox.baseVal;
  const area = picture.querySelector(".panel-area, .accepted");
  const isFlat = picture.classList.contains("differences");
  const rectangle = attributesOf(area, ["x", "y", "width", "height"]);
  const [left, top, wide, high] = Object.values(rectangle).map(Number);
  const parts = [...picture.querySelectorAll("path, text, circle")]
    .map((part) => [part, attributesOf(part, ["x", "y", "cx", "cy", "d"])]);
  const names = picture.querySelectorAll(".line-label");
  const rows = [
    picture.querySelectorAll("text[text-anchor=middle]"),
    picture.querySelectorAll(".upgrade-name"),
  ];
  return (box) => {
    const to = { width: box.width, height: isFlat ? height : box.height };
    const across = stretch(left, wide, to.width - width);
    const up = stretch(top, high, to.height - height);
    const drawn = (_, command, one, two) =>
      command === "V"
        ? `V${up(one)}`
        : `${command}${across(one)}${two === undefined ? "" : ` ${up(two)}`}`;
    const fitted = {
      x: across,
      cx: across,
      y: up,
      cy: up,
      d: (path) => path.replaceAll(COMMAND, drawn),
    };
    picture.setAttribute("viewBox", `0 0 ${to.width} ${to.height}`);
    for (const [part, attributes] of parts) {
      for (const [name, value] of Object.entries(attributes)) {
        part.setAttribute(name, fitted[name](value));
      }
    }
    area.setAttribute("width", wide + to.width - width);
    area.setAttribute("height", high + to.height - height);
    const ys = [...names].map((name) => Number(name.getAttribute("y")));
    const places = spread(ys, up(top + high) + 4);
    for (const [nth, name] of names.entries()) {
      name.setAttribute("y", places[nth]);
    }
    for (const row of rows) thinOut(row);
  };
}

function attributesOf(part, names) {
  return Object.fromEntries(
    names.map((name) => [name, part.getAttribute(name)])
      .filter(([, value]) => value !== null),
  );
}

/** Returns the place that a place gets if a stretch becomes longer. Distances before and behind it stay. The band of no accepted difference has no length. */
function stretch(start, length, more) {
  return (place) => {
    const part = Math.min(Math.max((place - start) / (length || 1), 0), 1);
    return Math.round((Number(place) + part * more) * 10) / 10;
  };
}

/**
 * Moves sorted positions apart, downwards and then up from the bottom. The server places
 * the names of lines by it, too.
 * @param {readonly number[]} ys
 * @param {number} bottom
 * @returns {number[]}
 */
export function spread(ys, bottom) {
  let least = -Infinity;
  const moved = ys.map((y) => {
    least = Math.max(y, least + NAME_DISTANCE);
    return least;
  });
  let most = bottom + NAME_DISTANCE;
  return moved.reverse().map((y) => {
    most = Math.min(y, most - NAME_DISTANCE);
    return most;
  }).reverse();
}

/** Shows as many labels of a row as do not touch: all, or every second one, and so on. */
function thinOut(labels) {
  const boxes = [...labels].map((label) => label.getBBox());
  const touch = (step) =>
    boxes.some(({ x }, at) => {
      const before = at % step === 0 ? boxes[at - step] : undefined;
      return before !== undefined && x < before.x + before.width + LABEL_GAP;
    });
  let step = 1;
  while (touch(step)) step++;
  for (const [at, label] of labels.entries()) {
    label.setAttribute("visibility", at % step === 0 ? "visible" : "hidden");
  }
}
