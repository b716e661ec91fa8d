/** Reading and selecting by pointer: a finger's drag reads the values, and its drag after a long press selects days. */

/** A finger that rests for this long starts a selection, in ms. */
const LONG_PRESS_MS = 350;
/** A finger that moves further than this does not rest, in pixels. */
const REST = 8;
/** Minimum width of a selection, in pixels. */
const MIN_DRAG = 12;

/**
 * A plot that can be read: `over` is the element of its values, `setCursor` reads a
 * position in it, and `setSelect` draws a selection. A plot of uPlot is one.
 * @typedef {{ over: Element, setCursor(at: object): void, setSelect(at: object, isFinal: boolean): void }} Readable
 */

/** Returns whether a selection is wide enough to be meant, in pixels. */
export function isMeant(left, right) {
  return right - left >= MIN_DRAG;
}

/**
 * Reads and selects by touch, which uPlot does not know, and with `dragsMouse` by
 * mouse, too. `plotOf` returns the current plot, or null where there is none;
 * `onSelect` gets the ends of a selection, in pixels of the plot.
 */
export function selectByPointer(box, { plotOf, onSelect, dragsMouse = false }) {
  /** The pointer: where it began, and whether it selects. */
  let held = null;

  const placeOf = ({ clientX }) => {
    const { left, width } = plotOf().over.getBoundingClientRect();
    return Math.min(Math.max(clientX - left, 0), width);
  };
  const end = () => {
    clearTimeout(held?.timer);
    held = null;
    plotOf().setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  };

  box.addEventListener("pointerdown", (event) => {
    const isFinger = event.pointerType === "touch";
    const isPressed = isFinger || (dragsMouse && event.button === 0);
    if (!isPressed || !event.isPrimary || plotOf() === null) return;
    const start = placeOf(event);
    held = { id: event.pointerId, start, at: start, isSelecting: !isFinger };
    plotOf().setCursor({ left: start, top: 0 });
    // Without the capture, a mouse that leaves at once is released unseen.
    if (!isFinger) box.setPointerCapture(event.pointerId);
    else held.timer = setTimeout(showSelection, LONG_PRESS_MS);
  });
  box.addEventListener("pointermove", (event) => {
    if (held?.id !== event.pointerId) return;
    held.at = placeOf(event);
    if (Math.abs(held.at - held.start) > REST) clearTimeout(held.timer);
    plotOf().setCursor({ left: held.at, top: 0 });
    if (held.isSelecting) showSelection();
  });
  box.addEventListener("pointerup", (event) => {
    if (held?.id !== event.pointerId) return;
    const { isSelecting, start, at } = held;
    end();
    if (isSelecting) onSelect(Math.min(start, at), Math.max(start, at));
  });
  box.addEventListener("pointercancel", (event) => {
    if (held?.id === event.pointerId) end();
  });
  // A long press would open the menu of the browser.
  box.addEventListener("contextmenu", (event) => {
    if (held !== null) event.preventDefault();
  });

  /** Starts or continues a selection, also outside of the box. */
  function showSelection() {
    const { id, start, at } = held;
    held.isSelecting = true;
    box.setPointerCapture(id);
    const plot = plotOf();
    plot.setSelect({
      left: Math.min(start, at),
      width: Math.max(1, Math.abs(at - start)),
      top: 0,
      height: plot.over.clientHeight,
    }, false);
  }
}
