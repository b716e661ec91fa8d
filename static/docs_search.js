/**
 * The search of the documentation: shows results while the reader types.
 * Without this script, the form opens a page of results.
 */
import MiniSearch from "./vendor/minisearch.js";

/** Maximum number of results below the field; the page of results has more. */
const MAX_SHOWN = 8;

const form =
  /** @type {HTMLFormElement} */ (document.querySelector("#docs-search"));
const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
const list = /** @type {HTMLElement} */ (form.querySelector("ul"));
const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));

/** @type {Promise<(query: string) => any[]> | undefined} */
let opening;

field.addEventListener("focus", openIndex);
field.addEventListener("input", show);
form.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [field, ...list.querySelectorAll("a")];
  const at = stops.indexOf(/** @type {any} */ (document.activeElement));
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
});
document.addEventListener("click", ({ target }) => {
  if (!form.contains(/** @type {Node} */ (target))) close();
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLElement &&
    event.target.matches("input, textarea, select");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  field.focus();
});

/** Loads the index once. After a failure the next call tries again. */
function openIndex() {
  opening ??= loadIndex().catch((error) => {
    opening = undefined;
    throw error;
  });
  // The form still opens the page of results.
  opening.catch(() => {});
  return opening;
}

async function loadIndex() {
  const response = await fetch("/docs/search.json");
  if (!response.ok) throw new Error(`Status ${response.status}`);
  const { rules, places } = await response.json();
  const index = new MiniSearch(rules.index);
  index.addAll(places);
  return (/** @type {string} */ query) => index.search(query, rules.search);
}

async function show() {
  const query = field.value.trim();
  if (query === "") return close();
  const search = await openIndex().catch(() => null);
  // The answer belongs to an earlier text.
  if (search === null || query !== field.value.trim()) return;
  const hits = search(query).slice(0, MAX_SHOWN);
  list.replaceChildren(...hits.map(itemOf));
  list.hidden = hits.length === 0;
  status.textContent = hits.length === 0
    ? `Nothing found for “${query}”`
    : `${hits.length} results`;
}

function close() {
  list.hidden = true;
  list.replaceChildren();
  status.textContent = "";
}

/** @param {{ id: string, title: string, page: string }} hit */
function itemOf({ id, title, page }) {
  const link = document.createElement("a");
  link.href = id;
  const place = document.createElement("span");
  place.textContent = page;
  link.append(title, place);
  const item = document.createElement("li");
  item.append(link);
  return item;
}
