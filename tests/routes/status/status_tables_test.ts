/** The tables of the status page. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { checksTable } from "../../../routes/status/status.ts";
import type { StatusAnswer } from "../../../services/status/status_schema.ts";
import { rowsOf, wordsOf } from "../../support/charts/explorer.ts";

const UNREAD = "This could not be read in time.";

/** A status of which only these parts are read. */
const statusOf = (parts: Record<string, unknown>) =>
  parts as unknown as StatusAnswer;

const cellsOf = (page: string) =>
  rowsOf(page).map((row) => row.map((cell) => cell.replace(/\s+/g, " ")));

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
