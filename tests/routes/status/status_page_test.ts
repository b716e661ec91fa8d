/** The status page: its headline, its figures, its history, and the tables of the process. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
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
  capacity: {
    perMinute: 120,
    perDay: 9_800,
    used: 1_200,
    left: 8_600,
    plans: [{ plan: "free", perMinute: 120, perDay: 500, left: 0 }],
  },
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

Deno.test("figures that could not be read are unknown, and a day without requests has no rate", () => {
  const day = { requests: 0, serverErrors: 0, serverErrorPct: 0 };
  const history = [{ date: "2026-11-20", status: null, ...day }];
  const lines = linesOf({ openDisputeCount: null, capacity: null, history });
  assertEquals(lines.filter((line) => line === "dd Unknown").length, 2);
  assertStringIncludes(lines.join(), "2026-11-20: no requests");
});

Deno.test("warnings for the operator stand below the figures", () => {
  const lines = linesOf({ warnings: ["One node alone decides"] });
  const at = (wanted: string) =>
    lines.findIndex((line) => line.startsWith(wanted));
  assertEquals(
    lines[at("h2 For the operator") + 2],
    "li One node alone decides.",
  );
  assert(at("dt Failed") < at("h2 For the operator"));
  assert(at("h2 For the operator") < at("h2 The last 90 days"));
  assertEquals(linesOf({}).includes("h2 For the operator"), false);
});
