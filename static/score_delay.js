/**
 * Loads a score page again when its score may be there. Until then the page stays
 * as it is, so the focus and the scroll position are kept.
 */

const notice = document.querySelector("[data-retry-seconds]");
if (notice) lookAgainAfter(Number(notice.dataset.retrySeconds));

function lookAgainAfter(seconds) {
  setTimeout(lookAgain, seconds * 1_000, seconds);
}

/** Checks whether the page has changed. After a failure it checks again later, too. */
async function lookAgain(seconds) {
  try {
    const response = await fetch(location.href, {
      headers: { Accept: "text/html" },
      cache: "no-store",
    });
    if (response.ok) {
      const next = new DOMParser()
        .parseFromString(await response.text(), "text/html")
        .querySelector("[data-retry-seconds]");
      if (!next || next.querySelector("h2")?.textContent !== headingOf()) {
        location.reload();
        return;
      }
      seconds = Number(next.dataset.retrySeconds);
    }
  } catch {
    // Offline, or the server restarts.
  }
  lookAgainAfter(Math.max(2, seconds));
}

function headingOf() {
  return notice.querySelector("h2")?.textContent;
}
