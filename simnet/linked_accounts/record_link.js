/** Adds a link to the record of a domain in a page: it opens the simulated DNS settings with the record filled in. */

const PAGE = "/demo/dns";

const panel = document.getElementById("domain-record");

/** @param {Element} shown */
function offer(shown) {
  const [name, value] = ["Name", "Text"].map((label) =>
    shown.querySelector(`pre[aria-label="${label}"]`)?.textContent
  );
  if (!name || !value || shown.querySelector(`a[href^="${PAGE}"]`)) return;
  const link = document.createElement("a");
  link.href = `${PAGE}?${new URLSearchParams({ name, value })}`;
  link.target = "_blank";
  link.textContent = "Demo: publish this record in the simulated DNS";
  const line = document.createElement("p");
  line.append(link);
  shown.append(line);
}

if (panel) {
  new MutationObserver(() => offer(panel)).observe(panel, { childList: true });
}
