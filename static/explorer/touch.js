/** Fingers on the chart: a drag reads the values, a drag after a long press selects days. */

/** A finger that rests for this long starts a selection, in ms. */
const LONG_PRESS_MS = 350;
/** A finger that moves further than this does not rest, in pixels. */
const REST = 8;

/**
 * Reads and selects by touch. uPlot knows the mouse only. `plotOf` returns the
 * current plot; `onSelect` gets the ends of a selection, in pixels of the plot.
 */
export function readByTouch(box, { plotOf, onSelect }) {
  /** The finger: where it began, and whether it selects. */
  let finger = null;

  const placeOf = ({ clientX }) => {
    const { left, width } = plotOf().over.getBoundingClientRect();
    return Math.min(Math.max(clientX - left, 0), width);
  };
  const end = () => {
    clearTimeout(finger?.timer);
    finger = null;
    plotOf().setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  };

  box.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    const start = placeOf(event);
    const held = { id: event.pointerId, start, at: start, isSelecting: false };
    held.timer = setTimeout(() => {
      held.isSelecting = true;
      box.setPointerCapture(held.id);
      showSelection();
    }, LONG_PRESS_MS);
    finger = held;
    plotOf().setCursor({ left: start, top: 0 });
  });
  box.addEventListener("pointermove", (event) => {
    if (finger?.id !== event.pointerId) return;
    finger.at = placeOf(event);
    if (Math.abs(finger.at - finger.start) > REST) clearTimeout(finger.timer);
    plotOf().setCursor({ left: finger.at, top: 0 });
    if (finger.isSelecting) showSelection();
  });
  box.addEventListener("pointerup", (event) => {
    if (finger?.id !== event.pointerId) return;
    const { isSelecting, start, at } = finger;
    end();
    if (isSelecting) onSelect(Math.min(start, at), Math.max(start, at));
  });
  box.addEventListener("pointercancel", (event) => {
    if (finger?.id === event.pointerId) end();
  });
  // A long press would open the menu of the browser.
  box.addEventListener("contextmenu", (event) => {
    if (finger !== null) event.preventDefault();
  });

  function showSelection() {
    const { start, at } = finger;
    const plot = plotOf();
    plot.setSelect({
      left: Math.min(start, at),
      width: Math.max(1, Math.abs(at - start)),
      top: 0,
      height: plot.over.clientHeight,
    }, false);
  }
}
