/** The tables of the status page on what one process did in the last hour. */
import { html } from "hono/html";
import { SURFACES } from "../../../services/platform/surfaces_schema.ts";
import {
  EVENTS,
  type Level,
} from "../../../services/platform/observability/log_events_schema.ts";
import {
  KV_COUNT_NAMES,
  KV_COUNTS,
  UPSTREAMS,
} from "../../../services/platform/observability/process_metrics_schema.ts";
import type { StatusAnswer } from "../../../services/about/status_schema.ts";
import type { Html } from "../layout.ts";
import { table } from "../tables.ts";

/** How an event looks, by how much it matters. */
const BADGES: Readonly<Record<Level, readonly [badge: string, text: string]>> =
  {
    error: ["badge-bad", "Error"],
    warn: ["badge-warn", "Warning"],
    info: ["", "Info"],
  };

/** Writes how many requests there were of each family, how they went, and how long they took. */
export function trafficTable({ traffic, process }: StatusAnswer): Html {
  return table("Requests", {
    head: [
      "Family",
      "Requests",
      "Refused (4xx)",
      "Failed (5xx)",
      "Median",
      "99 % within",
    ],
    numbersFrom: 1,
    rows: traffic.families.map((row) => {
      const taken = process.latency.find(({ family }) => family === row.family);
      return [
        SURFACES[row.family],
        showCount(row.requests),
        showCount(row.clientErrors),
        showCount(row.serverErrors),
        showMs(taken?.p50Ms),
        showMs(taken?.p99Ms),
      ];
    }),
  });
}

/** Writes how calls to upstreams went. */
export function upstreamsTable({ process }: StatusAnswer): Html {
  return table("Upstreams", {
    head: ["Upstream", "Calls", "Failed", "Median", "99 % within"],
    numbersFrom: 1,
    rows: process.upstreams.map(({ upstream, calls, errors, p50Ms, p99Ms }) => [
      UPSTREAMS[upstream],
      showCount(calls),
      showCount(errors),
      showMs(p50Ms),
      showMs(p99Ms),
    ]),
  });
}

/** Writes what the database was asked. */
export function databaseTable({ process }: StatusAnswer): Html {
  return table("Database", {
    head: ["What", "Count"],
    numbersFrom: 1,
    rows: KV_COUNT_NAMES.map((name) => [
      html`<span class="wide-cell">${KV_COUNTS[name]}</span>`,
      showCount(process.database[name]),
    ]),
  });
}

/** Writes what was logged; what did not happen is left out. */
export function logTable({ process }: StatusAnswer): Html {
  const happened = process.log.filter(({ count }) => count > 0);
  if (happened.length === 0) {
    return html`<p class="notice">Nothing was logged.</p>`;
  }
  return table("Log", {
    head: ["Event", "Level", "What it says", "Count"],
    numbersFrom: 3,
    rows: happened.map(({ event, level, count }) => {
      const [badge, text] = BADGES[level];
      return [
        html`<code>${event}</code>`,
        html`<span class="badge ${badge}">${text}</span>`,
        html`<span class="wide-cell">${EVENTS[event].says}</span>`,
        showCount(count),
      ];
    }),
  });
}

const showCount = (count: number) => count.toLocaleString("en");

const showMs = (ms: number | null | undefined) =>
  ms === null || ms === undefined ? "–" : `${ms.toLocaleString("en")} ms`;
