/** The status page. */
import { html } from "hono/html";
import type { StatusAnswer } from "../../services/status/status_schema.ts";
import type { Html, Page } from "../pages/layout.ts";
import {
  databaseTable,
  logTable,
  trafficTable,
  upstreamsTable,
} from "./status_process.ts";
import { isTrafficFailing } from "../../services/status/status_rules.ts";
import { historyStrip, incidentsTable } from "./status_history.ts";
import { checksTable, jobsTable, sourcesTable } from "./status_tables.ts";
import { instant } from "../pages/tables.ts";

/** Renders the page. */
export function statusPage(status: StatusAnswer, url: string): Page {
  return {
    title: "Status",
    description: "Health of the data sources, jobs, requests and the database.",
    nav: "status",
    url,
    styles: ["status.css"],
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small">
          <h1>Status</h1>
          <p class="notice ${status.status !== "ok"
            ? "notice-bad"
            : isNew(status.sources)
            ? "notice-warn"
            : "notice-good"}">
            <strong>${headline(
              status,
            )}</strong> <span class="nowrap">As of ${instant(
              status.time,
            )}.</span></p>
        </header>
        ${status.warnings.map((warning) =>
          html`<p class="notice notice-warn">For the operator: ${warning}.</p>`
        )}
        ${figures(status)}
        ${section(
          "The last 90 days",
          "Failed requests by UTC day, over all processes.",
          historyStrip(status),
        )}
        ${section(
          "Incidents",
          "Times of the last 90 days in which a job failed.",
          incidentsTable(status),
        )}
        ${section(
          "Sources",
          "When each source was last read successfully.",
          sourcesTable(status),
        )}
        ${section(
          "Checks",
          html`How well two sources agree on the same days.
          <a href="/api/chain-data/disputes">Every disputed day</a>`,
          checksTable(status),
        )}
        ${section(
          "Jobs",
          "Scheduled jobs that update the data. Times are UTC.",
          jobsTable(status),
        )}
        ${section(
          "Requests",
          "Requests to this process in the last hour or since it started. Responses from the memory cache are not timed.",
          trafficTable(status),
        )}
        ${section(
          "Upstreams",
          "Calls of this process to upstream services in the same hour.",
          upstreamsTable(status),
        )}
        ${section(
          "Database",
          "Database operations of this process in the same hour.",
          databaseTable(status),
        )}
        ${section(
          "Log",
          `Log events of this process in the same hour. Traces, logs and metrics ${
            status.process.telemetry.exported
              ? "are sent to a collector."
              : "are not exported."
          }`,
          logTable(status),
        )}
        <p class="small muted">This page <a href="/status.json">as JSON</a>.
          For probes, use <a href="/api/v1/health">the health check</a>.</p>
      </div>
    `,
  };
}

/** Returns whether nothing was read since the database was made. */
const isNew = (sources: StatusAnswer["sources"]): boolean =>
  sources?.every(({ lastSuccessAt }) => lastSuccessAt === null) ?? false;

const WORDS = new Intl.ListFormat("en");

function headline(
  { status, database, jobs, sources, checks, traffic }: StatusAnswer,
) {
  if (status === "ok") {
    return isNew(sources)
      ? "No source has been read yet."
      : "All systems are working.";
  }
  if (database.status === "readOnly") {
    return "The database does not accept writes.";
  }
  if (database.status !== "ok") return "The database does not answer.";
  const failed = (jobs ?? [])
    .filter(({ lastRun }) =>
      lastRun?.result === "failed" || lastRun?.result === "lost"
    ).map(({ job }) => job);
  if (failed.length > 0) {
    return `Not everything is up to date: the last run of ${
      WORDS.format(failed)
    } failed.`;
  }
  if (isTrafficFailing(traffic.families)) {
    return `${traffic.serverErrorPct} % of requests failed in the last hour.`;
  }
  return sources === null || checks === null
    ? "Some stored data could not be read in time."
    : "The job records could not be read in time.";
}

function figures({ database, openDisputeCount, traffic }: StatusAnswer): Html {
  return html`<dl class="grid figures">
    ${
    figure(
      "Database",
      database.pingMs === null ? "Unreachable" : `${database.pingMs} ms`,
      "one read",
    )
  }
    ${
    figure(
      "Disputes",
      openDisputeCount?.toLocaleString("en") ?? "Unknown",
      "days of a series on which two sources disagree",
    )
  }
    ${
    figure(
      "Requests",
      traffic.requestsPerMinute.toLocaleString("en"),
      "per minute",
    )
  }
    ${
    figure(
      "Failed",
      `${traffic.serverErrorPct.toLocaleString("en")} %`,
      "of requests (5xx), including failures of a source",
    )
  }
  </dl>`;
}

function figure(label: string, value: string, what: string): Html {
  return html`
    <div class="card stat">
      <dt class="stat-label">${label}</dt>
      <dd class="stat-value">${value}</dd>
      <dd class="small muted">${what}</dd>
    </div>
  `;
}

function section(title: string, lede: string | Html, content: Html): Html {
  return html`<section class="stack stack-small">
    <h2>${title}</h2>
    <p class="muted small">${lede}</p>
    ${content}
  </section>`;
}
