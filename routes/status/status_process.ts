/** The status page's tables about this process. */
import { html } from "hono/html";
import { SURFACES } from "../../services/platform/surfaces_schema.ts";
import {
  EVENTS,
  type Level,
} from "../../services/platform/observability/log_events_schema.ts";
import {
  KV_COUNT_NAMES,
  KV_COUNTS,
  UPSTREAMS,
} from "../../services/platform/observability/process_metrics_schema.ts";
import type { StatusAnswer } from "../../services/status/status_schema.ts";
import type { Html } from "../pages/layout.ts";
import { table } from "../pages/tables.ts";

/** Badge and label of each log level. */
const BADGES: Readonly<Record<Level, readonly [badge: string, text: string]>> =
  {
    error: ["badge-bad", "Error"],
    warn: ["badge-warn", "Warning"],
    info: ["", "Info"],
  };

/** Renders the requests, errors and latency of each surface. */
export function trafficTable({ traffic, process }: StatusAnswer): Html {
  return table("Requests", {
    head: [
      "Surface",
      "Requests",
      "Client errors (4xx)",
      "Server errors (5xx)",
      "Median",
      "99th percentile",
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

/** Renders the calls to upstreams. */
export function upstreamsTable({ process }: StatusAnswer): Html {
  return table("Upstreams", {
    head: ["Upstream", "Calls", "Failed", "Median", "99th percentile"],
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

/** Renders the database counters. */
export function databaseTable({ process }: StatusAnswer): Html {
  return table("Database", {
    head: ["Operation", "Count"],
    numbersFrom: 1,
    rows: KV_COUNT_NAMES.map((name) => [
      html`<span class="wide-cell">${KV_COUNTS[name]}</span>`,
      showCount(process.database[name]),
    ]),
  });
}

/** Renders the logged events that occurred. */
export function logTable({ process }: StatusAnswer): Html {
  const happened = process.log.filter(({ count }) => count > 0);
  if (happened.length === 0) {
    return html`<p class="notice">Nothing was logged.</p>`;
  }
  return table("Log", {
    head: ["Event", "Level", "Meaning", "Count"],
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
