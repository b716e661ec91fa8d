/**
 * The explorer without a page load: every choice asks the server for the page
 * of its URL, so what is shown, its links and its code are always one.
 */
import { addCopying } from "../copy.js";
import { joinTabs } from "../tabs.js";
import { showChart } from "./chart.js";
import { prepareForm } from "./form.js";

const announcement = document.querySelector("#announcement");

let chart = null;
let asking = null;

performance.mark("explorer-data");
prepare();
addEventListener("popstate", () => show(location.href, { isNew: false }));

/** Makes what the server has written work. */
function prepare() {
  const region = document.querySelector("#explorer");
  chart?.destroy();
  chart = showChart(region, {
    onDays: (from, to) => form.chooseDays(from, to),
  });
  const form = prepareForm(region.querySelector("form"), (url) => show(url));
  region.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='/?']");
    if (link === null || isForElsewhere(event)) return;
    event.preventDefault();
    show(link.href);
  });
}

/** Asks for the page of a URL and puts its region in the place of this one's. */
async function show(url, { isNew = true } = {}) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const region = document.querySelector("#explorer");
  region.setAttribute("aria-busy", "true");
  try {
    const headers = { Accept: "text/html" };
    const response = await fetch(url, { headers, signal });
    const text = await response.text();
    performance.mark("explorer-data");
    const page = new DOMParser().parseFromString(text, "text/html");
    const next = page.querySelector("#explorer");
    if (next === null) throw new Error(`${url} is not the explorer`);
    // A redirect has led to the one URL of what was asked for.
    if (isNew && response.url !== location.href) {
      history.pushState(null, "", response.url);
    }
    replace(region, next);
    document.title = page.title;
    announcement.textContent = `Shown: ${
      next.querySelector("#shown").textContent.trim()
    }`;
  } catch {
    // The browser shows by itself what went wrong.
    if (!signal.aborted) location.assign(url);
  }
}

/** Exchanges the region; whoever was at a field stays there, and what was open stays open. */
function replace(region, next) {
  const { id } = document.activeElement;
  const tab = region.querySelector("[role=tab][aria-selected=true]")
    ?.textContent;
  region.replaceWith(document.adoptNode(next));
  const held = id ? document.getElementById(id) : null;
  held?.focus({ preventScroll: true });
  if (held?.matches("input[list]")) held.select();
  prepare();
  addCopying(next);
  joinTabs(next);
  [...next.querySelectorAll("[role=tab]")]
    .find(({ textContent }) => textContent === tab)?.click();
}

/** Returns whether a click asks for another tab or window. */
function isForElsewhere({ button, ctrlKey, metaKey, shiftKey, altKey }) {
  return button !== 0 || ctrlKey || metaKey || shiftKey || altKey;
}
