/** The overview of chains: filters while the reader types, and sorts without loading a new page. */

const form = document.querySelector("#chains-form");
let latest = 0;
/** The path of the shown results. */
let shown = location.pathname + location.search;

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
    results.replaceWith(next);
    const table = next.querySelector(".table-scroll");
    if (table) table.scrollLeft = left;
    if (focused !== undefined) {
      next.querySelectorAll("thead th")[focused]?.querySelector("a")?.focus();
    }
    if (isNewEntry) history.pushState(null, "", path);
    else history.replaceState(null, "", path);
    shown = location.pathname + location.search;
  } catch {
    // The server's page explains the error.
    if (nth === latest) location.assign(path);
  }
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
  addEventListener("popstate", () => {
    // A link within the page comes here, too.
    if (location.pathname + location.search !== shown) location.reload();
  });
}
