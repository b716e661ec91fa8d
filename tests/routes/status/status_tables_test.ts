/** The tables of the status page. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  checksTable,
  jobsTable,
  sourcesTable,
} from "../../../routes/status/status.ts";
import type { StatusAnswer } from "../../../services/status/status_schema.ts";
import { rowsOf, wordsOf } from "../../support/charts/explorer.ts";

const UNREAD = "This could not be read in time.";

/** A status of which only these parts are read. */
const statusOf = (parts: Record<string, unknown>) =>
  parts as unknown as StatusAnswer;

const cellsOf = (page: string) =>
  rowsOf(page).map((row) => row.map((cell) => cell.replace(/\s+/g, " ")));

Deno.test("the table of sources says when each was read, in hours below two days", () => {
  const source = (lagHours: number | null) => ({
    source: "A source",
    serves: "days",
    lastSuccessAt: lagHours === null ? null : "2026-11-21T07:05:09.000Z",
    lagHours,
  });
  const of = (sources: unknown) => String(sourcesTable(statusOf({ sources })));
  const lags: [hours: number | null, words: string][] = [
    [null, "–"],
    [0, "0 h"],
    [1.4, "1.4 h"],
    [47.9, "47.9 h"],
    [48, "2 days"],
    [59.9, "2 days"],
    [60, "3 days"],
    [240, "10 days"],
  ];
  const page = of(lags.map(([hours]) => source(hours)));
  assertEquals(
    cellsOf(page),
    lags.map(([hours, words]) => [
      "A source",
      "days",
      hours === null ? "never" : "2026-11-21 07:05 UTC",
      words,
    ]),
  );
  assertEquals(page.includes('class="num"'), false);
  assertStringIncludes(wordsOf(of(null)), UNREAD);
});

Deno.test("the table of checks rounds agreement down, and has a dash where nothing was compared", () => {
  const of = (checks: unknown) => String(checksTable(statusOf({ checks })));
  const page = of([
    {
      series: "transactions",
      agreementPct: 99.999,
      recentAgreementPct: 100,
      comparedDayCount: 2246,
      openDisputeCount: 1004,
      checkedThrough: "2026-11-20",
    },
    {
      series: "stake",
      agreementPct: null,
      recentAgreementPct: null,
      comparedDayCount: 0,
      openDisputeCount: 0,
      checkedThrough: null,
    },
  ]);
  assertEquals(cellsOf(page), [
    ["Transactions", "99.99 %", "100 %", "2,246", "1,004", "2026-11-20"],
    ["Stake", "–", "–", "0", "0", "–"],
  ]);
  const kinds = [...page.matchAll(/<t[hd][^>]*class="(\w*)"/g)]
    .map(([, kind]) => kind);
  assertEquals(kinds, [
    ...["", "num", "num", "num", "num", "num"],
    ...Array(10).fill("num"),
  ]);
  assertStringIncludes(wordsOf(of([])), "No days have been compared yet.");
  assertStringIncludes(wordsOf(of(null)), UNREAD);
});

Deno.test("the table of jobs shows the last run, its result and the next one", () => {
  const of = (jobs: unknown) => String(jobsTable(statusOf({ jobs })));
  const job = (result: string | null, outcome: string | null = null) => ({
    job: "refresh-chains",
    does: "reads the C-Chain",
    nextDueAt: "2026-11-21T09:00:00.000Z",
    lastRun: result === null
      ? null
      : { result, outcome, startedAt: "2026-11-21T08:00:00.000Z" },
  });
  const page = of([
    job("ok", "30 chains"),
    job("failed", "no answer"),
    job("running"),
    job("lost"),
    job(null),
  ]);
  assertEquals(
    cellsOf(page).map(([name, ...cells]) => [
      name!.replace("refresh-chains", ""),
      ...cells,
    ]),
    [
      ["OK", "30 chains"],
      ["Failed", "no answer"],
      ["Running", "–"],
      ["Lost", "–"],
      [null, "–"],
    ].map(([result, outcome]) => [
      "reads the C-Chain",
      result === null ? "–" : "2026-11-21 08:00 UTC",
      result ?? "Not yet",
      outcome!,
      "2026-11-21 09:00 UTC",
    ]),
  );
  assertEquals(
    [...page.matchAll(/class="(badge[^"]*)"/g)].map(([, badge]) => badge),
    [
      "badge badge-good",
      "badge badge-bad",
      "badge badge-accent",
      "badge badge-bad",
      "badge",
    ],
  );
  assertStringIncludes(wordsOf(of(null)), UNREAD);
});
