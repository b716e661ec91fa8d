/**
 * The explorer without page loads. Every choice fetches the page of its URL and
 * replaces the content, so chart, links and code always match.
 */
import { activateCopyButtons } from "../copy.js";
import { activateTabs } from "../tabs.js";
import { dataOf, showChart } from "./chart.js";
import { prepareForm } from "./form.js";

const announcement = document.querySelector("#announcement");

let chart = null;
let request = null;
/** The URL of the shown content, or of the entry of the history that is being fetched. */
let shown = withoutFragment(location.href);

prepare();
addEventListener("popstate", () => {
  const url = withoutFragment(location.href);
  // A link within the page comes here, too.
  if (url === shown) return;
  shown = url;
  show(location.href, { isNew: false });
});

/** Activates the content that the server rendered. */
function prepare() {
  const region = document.querySelector("#explorer");
  chart?.destroy();
  chart = showChart(region, dataOf(region), {
    onDays: (from, to) => form.chooseDays(from, to),
    onReset: () => form.resetDays(),
  });
  const form = prepareForm(region.querySelector("form"), (url) => show(url));
  region.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='/?']");
    if (link === null || opensElsewhere(event)) return;
    event.preventDefault();
    show(link.href);
  });
}

function withoutFragment(url) {
  return url.split("#")[0];
}

/** Fetches the page of a URL and shows its content. */
async function show(url, { isNew = true } = {}) {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  const region = document.querySelector("#explorer");
  region.setAttribute("aria-busy", "true");
  try {
    const headers = { Accept: "text/html" };
    const response = await fetch(url, { headers, signal });
    const text = await response.text();
    const page = new DOMParser().parseFromString(text, "text/html");
    const next = page.querySelector("#explorer");
    if (next === null) throw new Error(`${url} is not the explorer`);
    // The server redirects to the canonical URL.
    if (isNew && response.url !== location.href) {
      history.pushState(null, "", response.url);
      shown = withoutFragment(response.url);
    }
    replace(region, next);
    document.title = page.title;
    announcement.textContent = `Shown: ${
      next.querySelector("#shown").textContent.trim()
    }`;
  } catch {
    // Let the browser load the page and show the error.
    if (!signal.aborted) location.assign(url);
  }
}

/** Replaces the content, and keeps the focus and the selected tabs. */
function replace(region, next) {
  const { id } = document.activeElement;
  const isOpen = region.querySelector("#options").open;
  const tabs = [...region.querySelectorAll("[role=tab][aria-selected=true]")]
    .map(({ textContent }) => textContent);
  region.replaceWith(document.adoptNode(next));
  next.querySelector("#options").open = isOpen;
  const held = id ? document.getElementById(id) : null;
  held?.focus({ preventScroll: true });
  if (held?.matches("input[list]")) held.select();
  prepare();
  activateCopyButtons(next);
  activateTabs(next);
  for (const [nth, list] of next.querySelectorAll("[role=tablist]").entries()) {
    [...list.querySelectorAll("[role=tab]")]
      .find(({ textContent }) => textContent === tabs[nth])?.click();
  }
}

/** Returns whether a click opens another tab or window. */
function opensElsewhere({ button, ctrlKey, metaKey, shiftKey, altKey }) {
  return button !== 0 || ctrlKey || metaKey || shiftKey || altKey;
}
