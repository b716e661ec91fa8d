/** Copy buttons: each copies the `<pre>` next to it. */

/** By button: the timer that restores its label. */
const timers = new WeakMap();

activateCopyButtons(document);

/** Activates the copy buttons in a part of the page. */
export function activateCopyButtons(part) {
  for (const button of part.querySelectorAll("button.copy")) {
    button.hidden = false;
    const label = button.textContent;
    button.addEventListener("click", () => copyFor(button, label));
  }
}

async function copyFor(button, label) {
  const text = button.parentElement.querySelector("pre").textContent;
  // Browsers hide the clipboard from pages over http.
  const isDone = await navigator.clipboard?.writeText(text)
    .then(() => true, () => false) ?? false;
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
