/** Copy buttons: each copies the `<pre>` next to it. */
import { copyText } from "./clipboard.js";

/** The timer that restores the label of a button. @type {WeakMap<Element, ReturnType<typeof setTimeout>>} */
const timers = new WeakMap();

activateCopyButtons(document);

/** Activates the copy buttons in a part of the page. @param {ParentNode} part */
export function activateCopyButtons(part) {
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (
    part.querySelectorAll("button.copy")
  );
  for (const button of buttons) {
    button.hidden = false;
    const label = button.textContent;
    button.addEventListener("click", () => copyFor(button, label));
  }
}

/** @param {HTMLElement} button @param {string} label */
async function copyFor(button, label) {
  const code = button.parentElement?.querySelector("pre");
  const isDone = await copyText(code?.textContent ?? "");
  button.textContent = isDone ? "Copied" : "Select and copy";
  button.classList.toggle("is-done", isDone);
  button.setAttribute("aria-live", "polite");
  clearTimeout(timers.get(button));
  const timer = setTimeout(() => {
    button.textContent = label;
    button.classList.remove("is-done");
  }, 2000);
  timers.set(button, timer);
}
