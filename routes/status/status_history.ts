/** The history of the status page: a bar for each day, and the incidents. */
import { html } from "hono/html";
import type { StatusAnswer } from "../../services/status/status_schema.ts";
import type { Html } from "../pages/layout.ts";
import { instant, table } from "../pages/tables.ts";

/** Renders the last days as bars, oldest first, each with its figures as text. */
export function historyStrip({ history }: StatusAnswer): Html {
  if (history === null) return html`<p>The history could not be read.</p>`;
  return html`<ol class="days">${
    history.map((day) => {
      const text = describe(day);
      return html`
        <li class="day day-${day.status ?? "none"}"
          title="${text}"><span class="visually-hidden">${text}</span></li>
      `;
    })
  }</ol>`;
}

/** Renders the incidents, newest first. */
export function incidentsTable({ incidents }: StatusAnswer): Html {
  if (incidents === null) return html`<p>The incidents could not be read.</p>`;
  if (incidents.length === 0) return html`<p>None.</p>`;
  return table("Incidents", {
    head: ["Job", "From", "Until", "Failed runs", "Reason"],
    rows: incidents.map(({ job, from, to, failedRuns, reason }) => [
      job,
      instant(from),
      to === null ? "ongoing" : instant(to),
      `${failedRuns}`,
      html`<span class="wide-cell">${reason}</span>`,
    ]),
  });
}

type Day = NonNullable<StatusAnswer["history"]>[number];

function describe({ date, status, requests, serverErrorPct }: Day): string {
  return status === null
    ? `${date}: no requests`
    : `${date}: ${serverErrorPct} % of ${
      requests.toLocaleString("en")
    } requests failed`;
}
