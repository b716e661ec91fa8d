/** Copy buttons: each copies the `<pre>` next to it. */

activateCopyButtons(document);

/** Activates the copy buttons in a part of the page. */
export function activateCopyButtons(part) {
  for (const button of part.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", () => copyFor(button));
  }
}

async function copyFor(button) {
  const label = button.textContent;
  const text = button.parentElement.querySelector("pre").textContent;
  const isDone = await navigator.clipboard.writeText(text)
    .then(() => true, () => false);
  button.textContent = isDone ? "Copied" : "Select and copy";
  button.classList.toggle("is-done", isDone);
  button.setAttribute("aria-live", "polite");
  setTimeout(() => {
    button.textContent = label;
    button.classList.remove("is-done");
  }, 2000);
}
