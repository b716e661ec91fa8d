/** The page that says how the service does. */
import { html } from "hono/html";
import type { StatusAnswer } from "../../../services/about/status_schema.ts";
import type { Html, Page } from "../layout.ts";
import {
  databaseTable,
  logTable,
  trafficTable,
  upstreamsTable,
} from "./status_process.ts";
import { checksTable, jobsTable, sourcesTable } from "./status_tables.ts";
import { instant } from "../tables.ts";

/** Writes the page. */
export function statusPage(status: StatusAnswer, url: string): Page {
  return {
    title: "Status",
    description:
      "How current every source is, what the jobs came to, and how many requests fail.",
    nav: "status",
    url,
    styles: ["status.css"],
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small">
          <h1>Status</h1>
          <p class="notice ${status.status === "ok"
            ? "notice-good"
            : "notice-bad"}">
            <strong>${headline(
              status,
            )}</strong> <span class="nowrap">As of ${instant(
              status.time,
            )}.</span></p>
        </header>
        ${figures(status)}
        ${section(
          "Sources",
          "How long ago each source was last read with success.",
          sourcesTable(status),
        )}
        ${section(
          "Checks",
          html`How far two sources agree on what both publish.
          <a href="/api/chain-data/disputes">Every disputed day</a>`,
          checksTable(status),
        )}
        ${section(
          "Jobs",
          "What keeps data current; times are UTC.",
          jobsTable(status),
        )}
        ${section(
          "Requests",
          "Of this one process, over the last hour or since it started. Timed are those that took work; answers given again from memory are not.",
          trafficTable(status),
        )}
        ${section(
          "Upstreams",
          "Calls of this process to other people's services, over the same hour.",
          upstreamsTable(status),
        )}
        ${section(
          "Database",
          "What this process asked of it, over the same hour.",
          databaseTable(status),
        )}
        ${section(
          "Log",
          `What this process had to say, over the same hour. Traces, log and metrics ${
            status.process.telemetry.exported
              ? "go to a collector."
              : "are not exported."
          }`,
          logTable(status),
        )}
        <p class="small muted">The same <a href="/status.json">as JSON</a>.
          For probes there is <a href="/api/v1/health">a health check</a>.</p>
      </div>
    `,
  };
}

function headline({ status, database, jobs, sources, checks }: StatusAnswer) {
  if (status === "ok") return "All is well.";
  if (database.status === "readOnly") return "The database takes no writes.";
  if (database.status !== "ok") return "The database does not answer.";
  const failed = (jobs ?? [])
    .filter(({ lastRun }) =>
      lastRun?.result === "failed" || lastRun?.result === "lost"
    ).map(({ job }) => job);
  if (failed.length > 0) return `The last run failed of ${failed.join(", ")}.`;
  return sources === null || checks === null
    ? "Some of what is stored could not be read in time."
    : "The records of jobs could not be read in time.";
}

function figures({ database, openDisputeCount, traffic }: StatusAnswer): Html {
  return html`<dl class="grid figures">
    ${
    figure(
      "Database",
      database.pingMs === null ? "Out of reach" : `${database.pingMs} ms`,
      "one read",
    )
  }
    ${
    figure(
      "Disputed days",
      openDisputeCount?.toLocaleString("en") ?? "Unknown",
      "on which sources disagree",
    )
  }
    ${
    figure(
      "Requests",
      traffic.requestsPerMinute.toLocaleString("en"),
      "a minute",
    )
  }
    ${
    figure(
      "Failed",
      `${traffic.serverErrorPct.toLocaleString("en")} %`,
      "of requests (5xx), whether the cause is here or at a source",
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
