/** The overview of chains: filters while the reader types, and sorts without loading a new page. */

const form = document.querySelector("#chains-form");
let latest = 0;
/** The path of the shown results. */
let shown = location.pathname + location.search;
/** The ids of the ticked chains. */
const ticked = new Set();

/** Shows the results of a path in place of the shown ones. Other pages load as usual. */
async function show(path, { isNewEntry = false } = {}) {
  const nth = ++latest;
  const results = document.querySelector("#chains-results");
  results.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`Status is ${response.status}`);
    const text = await response.text();
    if (nth !== latest) return;
    const next = new DOMParser().parseFromString(text, "text/html")
      .querySelector("#chains-results");
    const focused = document.activeElement?.closest("th")?.cellIndex;
    const left = results.querySelector(".table-scroll")?.scrollLeft ?? 0;
    const isExplained = results.querySelector("#chains-rules")?.open ?? false;
    results.replaceWith(next);
    const table = next.querySelector(".table-scroll");
    if (table) table.scrollLeft = left;
    next.querySelector("#chains-rules")?.toggleAttribute("open", isExplained);
    if (focused !== undefined) {
      next.querySelectorAll("thead th")[focused]?.querySelector("a")?.focus();
    }
    if (isNewEntry) history.pushState(null, "", path);
    else history.replaceState(null, "", path);
    shown = location.pathname + location.search;
    showTicks();
  } catch {
    // The server's page explains the error.
    if (nth === latest) location.assign(path);
  }
}

/** Shows which chains are ticked, also after a search that hides them, and lets no more be ticked than one chart compares. */
function showTicks() {
  const compare = document.querySelector("#compare-chains");
  if (compare === null) return;
  for (const hidden of compare.querySelectorAll("[name=chainId]")) {
    hidden.remove();
  }
  const boxes = document.querySelectorAll("#chains-results [name=chainId]");
  const isFull = ticked.size >= Number(compare.dataset.most);
  for (const box of boxes) {
    box.checked = ticked.has(box.value);
    box.disabled = isFull && !box.checked;
  }
  const listed = new Set([...boxes].map(({ value }) => value));
  for (const value of ticked.difference(listed)) {
    const hidden = { type: "hidden", name: "chainId", value };
    compare.append(Object.assign(document.createElement("input"), hidden));
  }
  compare.querySelector("button").textContent = ticked.size === 0
    ? "Compare the ticked chains"
    : `Compare ${ticked.size} ticked ${ticked.size === 1 ? "chain" : "chains"}`;
}

/** Returns the path of the choices in the form. */
function pathOf() {
  const query = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...query]) {
    if (value.trim() === "") query.delete(name);
  }
  return query.size === 0 ? location.pathname : `${location.pathname}?${query}`;
}

/** Keeps the order of the table when the form is sent. */
function keepSort(path) {
  const sort = new URL(path, location.href).searchParams.get("sort");
  let field = form.querySelector("[name=sort]");
  if (sort === null) return field?.remove();
  if (field === null) {
    field = Object.assign(document.createElement("input"), {
      type: "hidden",
      name: "sort",
    });
    form.prepend(field);
  }
  field.value = sort;
}

if (form) {
  let timer;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => show(pathOf()), 200);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    show(pathOf());
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#chains-results thead a");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey &&
      event.button === 0;
    if (!link || !isPlain) return;
    event.preventDefault();
    const path = link.getAttribute("href");
    keepSort(path);
    show(path, { isNewEntry: true });
  });
  document.addEventListener("change", ({ target }) => {
    if (target.name !== "chainId") return;
    if (target.checked) ticked.add(target.value);
    else ticked.delete(target.value);
    showTicks();
  });
  // A browser that returns to the page restores the ticks.
  for (const { value } of document.querySelectorAll("[name=chainId]:checked")) {
    ticked.add(value);
  }
  showTicks();
  addEventListener("popstate", () => {
    // A link within the page comes here, too.
    if (location.pathname + location.search !== shown) location.reload();
  });
}
