/** The status page: its headline, its figures, its history, and the tables of the process. */
import { assertEquals } from "@std/assert";
import { statusPage } from "../../../routes/status/status.ts";
import type { StatusAnswer } from "../../../services/status/status_schema.ts";
import { outlineOf } from "../../support/outline.ts";

const TIME = "2026-11-21T08:00:30.000Z";

/** A status of a service on which nothing has happened yet. */
const QUIET: StatusAnswer = {
  status: "ok",
  reasons: [],
  warnings: [],
  version: "1.0.0",
  time: TIME,
  database: { status: "ok", pingMs: 1.5 },
  sources: [{
    source: "A source",
    url: "https://source.example",
    serves: "days",
    lastSuccessAt: TIME,
    lagHours: 0,
  }],
  checks: [],
  openDisputeCount: 0,
  capacity: { perMinute: 120, perDay: 9_800, used: 1_200, left: 8_600 },
  jobs: [],
  incidents: [],
  history: [],
  traffic: {
    requests: 0,
    requestsPerMinute: 0,
    serverErrorPct: 0,
    families: [],
  } as unknown as StatusAnswer["traffic"],
  process: {
    latency: [],
    upstreams: [],
    database: {
      reads: 1234,
      keysRead: 2,
      commits: 3,
      mutations: 4,
      conflicts: 5,
    },
    log: [],
    telemetry: { exported: false },
  } as unknown as StatusAnswer["process"],
};

const linesOf = (more: Partial<StatusAnswer>) =>
  outlineOf(
    String(statusPage({ ...QUIET, ...more }, "https://firn.example").body),
    /^(notice-|badge-|day-|num$)/,
  );

/** The lines of one section, without its heading and lede. */
function sectionOf(title: string, more: Partial<StatusAnswer>): string[] {
  const lines = linesOf(more);
  const from = lines.indexOf(`h2 ${title}`);
  const rest = lines.slice(from + 2);
  const to = rest.findIndex((line) => line.startsWith("h2 "));
  return to === -1 ? rest.slice(0, -1) : rest.slice(0, to);
}

Deno.test("the status page of a quiet service has every section, and says which are empty", () => {
  assertEquals(linesOf({}), [
    "h1 Status",
    "p.notice-good All systems are working. As of [datetime=2026-11-21T08:00:30.000Z]2026-11-21 08:00 UTC.",
    "dt Database",
    "dd 1.5 ms",
    "dd one read",
    "dt Disputes",
    "dd 0",
    "dd days of a series on which two sources disagree",
    "dt Cold reads left",
    "dd 8,600",
    "dd of 9,800 a day, 120 a minute",
    "dt Requests",
    "dd 0",
    "dd per minute",
    "dt Failed",
    "dd 0 %",
    "dd of requests (5xx), including failures of a source",
    "h2 The last 90 days",
    "p Failed requests by UTC day, over all processes.",
    "h2 Incidents",
    "p Times of the last 90 days in which a job failed.",
    "p None.",
    "h2 Sources",
    "p When each source was last read successfully.",
    "tr Source | Serves | Last success | Lag",
    "tr A source | days | [datetime=2026-11-21T08:00:30.000Z]2026-11-21 08:00 UTC | 0 h",
    "h2 Checks",
    "p How well two sources agree on the same days. [href=/disputes]Every disputed day",
    "p No days have been compared yet.",
    "h2 Jobs",
    "p Scheduled jobs that update the data. Times are UTC.",
    "tr Job | Last run | Result | Outcome | Next due",
    "h2 Requests",
    "p Requests to this process in the last hour or since it started. Responses from the memory cache are not timed.",
    "tr Surface | .num Requests | .num Client errors (4xx) | .num Server errors (5xx) | .num Median | .num 99th percentile",
    "h2 Upstreams",
    "p Calls of this process to upstream services in the same hour.",
    "tr Upstream | .num Calls | .num Failed | .num Median | .num 99th percentile",
    "h2 Database",
    "p Database operations of this process in the same hour.",
    "tr Operation | .num Count",
    "tr Read calls | .num 1,234",
    "tr Keys and entries read | .num 2",
    "tr Commits, including single writes | .num 3",
    "tr Records set or deleted | .num 4",
    "tr Commits rejected by a version check and retried | .num 5",
    "h2 Log",
    "p Log events of this process in the same hour. Traces, logs and metrics are not exported.",
    "p Nothing was logged.",
    "p This page [href=/status.json]as JSON. For probes, use [href=/api/v1/health]the health check.",
  ]);
});

Deno.test("the headline of the status names the worst of what does not work", () => {
  const run = (job: string, result: string) =>
    ({
      job,
      does: "",
      nextDueAt: TIME,
      lastRun: { result, startedAt: TIME },
    }) as unknown as Jobs[number];
  type Jobs = NonNullable<StatusAnswer["jobs"]>;
  const failing = (serverErrors: number) =>
    ({
      requests: 0,
      requestsPerMinute: 0,
      serverErrorPct: 12.5,
      families: [
        { family: "pages", requests: 24, clientErrors: 0, serverErrors },
      ],
    }) as unknown as StatusAnswer["traffic"];
  const unread = [{ ...QUIET.sources![0]!, lastSuccessAt: null }];
  const degraded = "degraded" as const;
  const rows: [more: Partial<StatusAnswer>, notice: string, words: string][] = [
    [{}, "good", "All systems are working."],
    [{ sources: unread }, "warn", "No source has been read yet."],
    [
      { sources: [...unread, ...QUIET.sources!] },
      "good",
      "All systems are working.",
    ],
    [{ sources: null }, "good", "All systems are working."],
    [
      { status: degraded, database: { status: "readOnly", pingMs: 1 } },
      "bad",
      "The database does not accept writes.",
    ],
    [
      { status: degraded, database: { status: "unreachable", pingMs: null } },
      "bad",
      "The database does not answer.",
    ],
    [
      {
        status: degraded,
        jobs: [
          run("refresh-chains", "failed"),
          run("cross-check", "ok"),
          run("find-payments", "lost"),
          run("refresh-series", "running"),
        ],
        traffic: failing(3),
      },
      "bad",
      "Not everything is up to date: the last run of refresh-chains and find-payments failed.",
    ],
    [
      { status: degraded, traffic: failing(3), sources: null },
      "bad",
      "12.5 % of requests failed in the last hour.",
    ],
    [
      { status: degraded, traffic: failing(2), sources: null },
      "bad",
      "Some stored data could not be read in time.",
    ],
    [
      { status: degraded, checks: null },
      "bad",
      "Some stored data could not be read in time.",
    ],
    [
      { status: degraded, jobs: null },
      "bad",
      "The job records could not be read in time.",
    ],
  ];
  for (const [more, notice, words] of rows) {
    assertEquals(
      linesOf(more)[1],
      `p.notice-${notice} ${words} As of [datetime=${TIME}]2026-11-21 08:00 UTC.`,
    );
  }
});

Deno.test("the status tells the operator what to change, and which figures are unknown", () => {
  const lines = linesOf({
    warnings: ["One node decides", "Another"],
    database: { status: "unreachable", pingMs: null },
    openDisputeCount: null,
    capacity: null,
    traffic: {
      ...QUIET.traffic,
      requestsPerMinute: 1234.5,
      serverErrorPct: 1000.25,
    },
  });
  assertEquals(lines.slice(2, 19), [
    "p.notice-warn For the operator: One node decides.",
    "p.notice-warn For the operator: Another.",
    "dt Database",
    "dd Unreachable",
    "dd one read",
    "dt Disputes",
    "dd Unknown",
    "dd days of a series on which two sources disagree",
    "dt Cold reads left",
    "dd Unknown",
    "dd today",
    "dt Requests",
    "dd 1,234.5",
    "dd per minute",
    "dt Failed",
    "dd 1,000.25 %",
    "dd of requests (5xx), including failures of a source",
  ]);
  const { process } = QUIET;
  const exported = linesOf({
    process: { ...process, telemetry: { exported: true } },
  });
  assertEquals(
    exported.at(-3),
    "p Log events of this process in the same hour. Traces, logs and metrics are sent to a collector.",
  );
});

Deno.test("the tables of the process show requests with their latency, calls, and the events that happened", () => {
  const process = {
    ...QUIET.process,
    latency: [
      { family: "chainData", requests: 1, p50Ms: 7, p99Ms: 8 },
      { family: "pages", requests: 2, p50Ms: 1.25, p99Ms: 1500 },
    ],
    upstreams: [
      { upstream: "metrics", calls: 2000, errors: 3, p50Ms: null, p99Ms: 0 },
    ],
    log: [
      { event: "job.ended", level: "info", count: 1 },
      { event: "request.failed", level: "error", count: 1000 },
      { event: "job.failed", level: "warn", count: 0 },
    ],
  } as unknown as StatusAnswer["process"];
  const row = { requests: 5000, clientErrors: 6, serverErrors: 7 };
  const traffic = {
    ...QUIET.traffic,
    families: [{ family: "pages", ...row }, { family: "badges", ...row }],
  } as unknown as StatusAnswer["traffic"];
  const rowsOf = (title: string) =>
    sectionOf(title, { process, traffic }).slice(1);
  assertEquals(rowsOf("Requests"), [
    "tr Pages and everything else | .num 5,000 | .num 6 | .num 7 | .num 1.25 ms | .num 1,500 ms",
    "tr Badges | .num 5,000 | .num 6 | .num 7 | .num – | .num –",
  ]);
  assertEquals(rowsOf("Upstreams"), [
    "tr Metrics API | .num 2,000 | .num 3 | .num – | .num 0 ms",
  ]);
  assertEquals(sectionOf("Log", { process }), [
    "tr Event | Level | Meaning | .num Count",
    "tr job.ended | Info | A run of a job, with its outcome | .num 1",
    "tr request.failed | .badge-bad Error | An unexpected error, answered with 500: a defect | .num 1,000",
  ]);
});
