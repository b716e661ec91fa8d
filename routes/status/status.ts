/** The status as a page and as JSON. */
import { html } from "hono/html";
import {
  type JobStatus,
  LivenessAnswer,
  StatusAnswer,
} from "../../services/status/status_schema.ts";
import type { Html, Page } from "../pages/layout.ts";
import {
  isTrafficFailing,
  type RequestCounters,
  runbookPath,
  statusReader,
} from "../../services/status/status.ts";
import { instant, table } from "../pages/tables.ts";
import { PLANS } from "../../services/payments/plans_schema.ts";
import {
  KV_COUNT_NAMES,
  KV_COUNTS,
  SURFACES,
  UPSTREAMS,
} from "../../services/platform/observability/process_metrics_schema.ts";
import {
  EVENTS,
  type Level,
} from "../../services/platform/observability/log_events_schema.ts";
import type { CheckName } from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import { formatShare } from "../charts/chart_words.ts";
import { unbroken } from "../pages/unbroken.ts";
import { createRoute } from "@hono/zod-openapi";
import { routePath } from "hono/route";
import { NoQuery } from "../../services/platform/wire_schema.ts";
import type { AppDeps } from "../http/deps.ts";
import { pageContent } from "../pages/page_content.ts";
import { networkOfClient } from "../http/client_address.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { anyOrigin, BAD_QUERY, json, newRouter } from "../http/router.ts";

const STATUS = "/status";

/** The page shows problems soon. */
const KEEP = { forMs: 5_000 };

const getStatus = createRoute({
  operationId: "getStatus",
  description:
    "For dashboards: how current each source is, the last run of each job, and what this process did in the last hour. The status code is 200 even if a part is degraded.",
  tags: ["Service"],
  method: "get",
  path: `${STATUS}.json`,
  summary: "Show sources, checks, jobs, database and requests",
  request: { query: NoQuery },
  responses: {
    200: json(StatusAnswer, "The status, degraded or not"),
    ...BAD_QUERY,
  },
});

const getLiveness = createRoute({
  operationId: "getLiveness",
  tags: ["Service"],
  method: "get",
  path: "/live",
  summary: "Probe the process alone",
  description:
    "Answers as long as the process can answer, whether or not the database does. A process that does not answer should be restarted. To learn whether it can serve requests, probe `/api/v1/health`.",
  request: { query: NoQuery },
  responses: {
    200: json(LivenessAnswer, "The process answers"),
    ...BAD_QUERY,
  },
});

/** Serves the status, even if a source or the database is unreachable. */
export function status(
  deps: AppDeps,
  { pages, renders }: {
    readonly pages: ResponseCache;
    readonly renders: Pick<RenderQueue, "run">;
  },
  counters: RequestCounters,
) {
  const readStatus = statusReader(deps, counters);
  const router = newRouter();
  router.use(`${STATUS}.json`, anyOrigin());
  router.get(STATUS, async (c) => {
    const url = `${deps.publicUrl}${STATUS}`;
    return await pages.send(
      c,
      {},
      async () =>
        pageContent(statusPage(await readStatus(), url), deps.now(), KEEP),
    );
  });
  router.openapi(getLiveness, (c) => {
    c.header("Cache-Control", "no-store");
    return c.json({ status: "ok" as const }, 200);
  });
  return router.openapi(getStatus, async (c) => {
    c.header("Cache-Control", "no-store");
    const client = networkOfClient(deps, c);
    const read = await renders.run(client, readStatus, { route: routePath(c) });
    return c.json(read, 200);
  });
}

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
        ${status.reasons.length === 0
          ? ""
          : html`<ul>${
            status.reasons.map((reason) =>
              html`<li><a href="${runbookPath(reason)}">${reason}</a></li>`
            )
          }</ul>`}
        ${figures(status)}
        ${status.warnings.length === 0 ? "" : section(
          "For the operator",
          "What the operator of this service should look at.",
          html`<ul>${
            status.warnings.map((warning) => html`<li>${warning}.</li>`)
          }</ul>`,
        )}
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
          "Cold reads",
          "Scores of addresses that nobody has read for a day: what one wallet of each plan may read, and what is left now to one that has read none.",
          coldReadsTable(status),
        )}
        ${section(
          "Checks",
          html`How well two sources agree on the same days.
          <a href="/disputes">Every disputed day</a>`,
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
  if (sources === null || checks === null) {
    return "Some stored data could not be read in time.";
  }
  return jobs === null
    ? "The job records could not be read in time."
    : "Not everything is up to date.";
}

function figures(
  { capacity, database, openDisputeCount, traffic }: StatusAnswer,
): Html {
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
      "days of the C-Chain’s checked series on which two sources disagree",
    )
  }
    ${
    figure(
      "Cold reads left",
      capacity?.left.toLocaleString("en") ?? "Unknown",
      capacity === null
        ? "today"
        : `of ${capacity.perDay.toLocaleString("en")} in 24 hours, ${
          capacity.perMinute.toLocaleString("en")
        } a minute`,
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

/** Renders the last days as bars, oldest first, each with its figures as text. */
function historyStrip({ history }: StatusAnswer): Html {
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
function incidentsTable({ incidents }: StatusAnswer): Html {
  if (incidents === null) return html`<p>The incidents could not be read.</p>`;
  if (incidents.length === 0) return html`<p>None.</p>`;
  return table("Incidents", {
    isCards: true,
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

/** Badge and label of each log level. */
const BADGES: Readonly<Record<Level, readonly [badge: string, text: string]>> =
  {
    error: ["badge-bad", "Error"],
    warn: ["badge-warn", "Warning"],
    info: ["", "Info"],
  };

/** Renders the requests, errors and latency of each surface. */
function trafficTable({ traffic, process }: StatusAnswer): Html {
  return table("Requests", {
    isCards: true,
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
function upstreamsTable({ process }: StatusAnswer): Html {
  return table("Upstreams", {
    isCards: true,
    hasShortValues: true,
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
function databaseTable({ process }: StatusAnswer): Html {
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
function logTable({ process }: StatusAnswer): Html {
  const happened = process.log.filter(({ count }) => count > 0);
  if (happened.length === 0) {
    return html`<p class="notice">Nothing was logged.</p>`;
  }
  return table("Log", {
    isCards: true,
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

type Result = NonNullable<JobStatus["lastRun"]>["result"];

/** Badge and label of each result. */
const RESULTS: Readonly<
  Record<Result, readonly [badge: string, text: string]>
> = {
  ok: ["badge-good", "OK"],
  failed: ["badge-bad", "Failed"],
  running: ["badge-accent", "Running"],
  lost: ["badge-bad", "Lost"],
};

const SERIES: Readonly<Record<CheckName, string>> = {
  transactions: "Transactions",
  fees: "Fees",
  blocks: "Blocks",
  stake: "Stake",
};

const UNKNOWN = html`
  <p
    class="notice notice-warn">This could not be read in time. Reload the page in a moment.</p>
`;

/** Renders when each source was last read. */
function sourcesTable({ sources }: StatusAnswer): Html {
  if (sources === null) return UNKNOWN;
  return table("Sources", {
    isCards: true,
    head: ["Source", "Serves", "Last success", "Lag"],
    rows: sources.map(({ source, serves, lastSuccessAt, lagHours }) => [
      html`<span class="wide-cell">${unbroken(source)}</span>`,
      html`<span class="wide-cell">${serves}</span>`,
      lastSuccessAt === null ? "never" : instant(lastSuccessAt),
      html`<span class="nowrap">${
        lagHours === null ? "–" : showLag(lagHours)
      }</span>`,
    ]),
  });
}

/** Renders the cold reads of one wallet by plan. */
function coldReadsTable({ capacity }: StatusAnswer): Html {
  if (capacity === null) return UNKNOWN;
  return table("Cold reads", {
    head: ["Plan", "A minute", "In 24 hours", "Left"],
    numbersFrom: 1,
    rows: capacity.plans.map(({ plan, perMinute, perDay, left }) => [
      PLANS[plan].label,
      showCount(perMinute),
      showCount(perDay),
      left === null ? "–" : showCount(left),
    ]),
  });
}

/** Renders the agreement of sources. */
export function checksTable({ checks }: StatusAnswer): Html {
  if (checks === null) return UNKNOWN;
  if (checks.length === 0) {
    return html`<p class="notice">No days have been compared yet.</p>`;
  }
  return table("Checks", {
    isCards: true,
    head: [
      "Series",
      "Agreement",
      "Last 90 days",
      "Days compared",
      "Disputed days",
      "Checked through",
    ],
    numbersFrom: 1,
    rows: checks.map((check) => [
      SERIES[check.series],
      showShare(check.agreementPct),
      showShare(check.recentAgreementPct),
      check.comparedDayCount.toLocaleString("en"),
      check.openDisputeCount.toLocaleString("en"),
      check.checkedThrough ?? "–",
    ]),
  });
}

/** Renders the last run and the next due time of each job. */
function jobsTable({ jobs }: StatusAnswer): Html {
  if (jobs === null) return UNKNOWN;
  return table("Jobs", {
    isCards: true,
    head: ["Job", "Last run", "Result", "Outcome", "Next due"],
    rows: jobs.map(({ job, does, lastRun, nextDueAt }) => [
      html`
        <code>${job}</code><br><span
          class="small muted wide-cell">${unbroken(does)}</span>
      `,
      lastRun === null ? "–" : instant(lastRun.startedAt),
      lastRun === null
        ? html`<span class="badge">Not yet</span>`
        : showResult(lastRun.result),
      html`<span class="wide-cell">${lastRun?.outcome ?? "–"}</span>`,
      instant(nextDueAt),
    ]),
  });
}

function showResult(result: Result): Html {
  const [badge, text] = RESULTS[result];
  return html`<span class="badge ${badge}">${text}</span>`;
}

const showShare = (pct: number | null) => pct === null ? "–" : formatShare(pct);

const showLag = (hours: number) =>
  hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
