/** The history of the status page: its days and its incidents. */
import { assertEquals } from "@std/assert";
import { historyStrip, incidentsTable } from "../../../routes/status/status.ts";
import type { StatusAnswer } from "../../../services/status/status_schema.ts";
import { outlineOf } from "../../support/outline.ts";

const TIME = "2026-11-21T08:00:30.000Z";

/** A status of which only these parts are read. */
const statusOf = (parts: Record<string, unknown>) =>
  parts as unknown as StatusAnswer;

const linesOf = (page: unknown) => outlineOf(String(page), /^day-/);

Deno.test("each of the last days has its figures as text, and incidents have their times", () => {
  const history = [
    { date: "2026-11-19", status: null, requests: 0, serverErrorPct: 0 },
    { date: "2026-11-20", status: "ok", requests: 1234, serverErrorPct: 0.08 },
    {
      date: "2026-11-21",
      status: "degraded",
      requests: 8,
      serverErrorPct: 12.5,
    },
  ];
  assertEquals(
    linesOf(historyStrip(statusOf({ history }))),
    [
      "li.day-none 2026-11-19: no requests",
      "li.day-ok 2026-11-20: 0.08 % of 1,234 requests failed",
      "li.day-degraded 2026-11-21: 12.5 % of 8 requests failed",
    ],
  );
  const head = "tr Job | From | Until | Failed runs | Reason";
  const incident = { job: "refresh-chains", from: TIME, reason: "No answer" };
  assertEquals(
    linesOf(incidentsTable(statusOf({
      incidents: [
        { ...incident, to: null, failedRuns: 3 },
        { ...incident, to: TIME, failedRuns: 1 },
      ],
    }))),
    [
      head,
      `tr refresh-chains | [datetime=${TIME}]2026-11-21 08:00 UTC | ongoing | 3 | No answer`,
      `tr refresh-chains | [datetime=${TIME}]2026-11-21 08:00 UTC | [datetime=${TIME}]2026-11-21 08:00 UTC | 1 | No answer`,
    ],
  );
  assertEquals(linesOf(incidentsTable(statusOf({ incidents: [] }))), [
    "p None.",
  ]);
  assertEquals(linesOf(historyStrip(statusOf({ history: null }))), [
    "p The history could not be read.",
  ]);
  assertEquals(linesOf(incidentsTable(statusOf({ incidents: null }))), [
    "p The incidents could not be read.",
  ]);
});
