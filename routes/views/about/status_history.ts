/** The history of the status page: one bar a day. */
import { html } from "hono/html";
import type { StatusAnswer } from "../../../services/about/status_schema.ts";
import type { Html } from "../layout.ts";

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

type Day = NonNullable<StatusAnswer["history"]>[number];

function describe({ date, status, requests, serverErrorPct }: Day): string {
  return status === null
    ? `${date}: no requests`
    : `${date}: ${serverErrorPct} % of ${
      requests.toLocaleString("en")
    } requests failed`;
}
