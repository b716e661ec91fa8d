/** The table of all chains. */
import { assertEquals } from "@std/assert";
import { chainsTable } from "../../../routes/chain_data/chains_page.ts";
import { rowsOf as rowsOfChains } from "../../../services/chain_data/overview/overview.ts";
import type { ChainSummary } from "../../../services/chain_data/overview/overview_schema.ts";
import {
  chainOf,
  overviewOf,
  queryOf,
} from "../../support/chain_data/overviews.ts";
import { rowsOf } from "../../support/charts/explorer.ts";

const STOPPED = { state: "stopped", since: "2026-11-13" } as const;

const tableOf = (
  chains: readonly ChainSummary[],
  given: Record<string, string> = {},
) =>
  String(chainsTable(rowsOfChains(chains, null), {
    query: queryOf(given),
    overview: overviewOf(chains),
    column: null,
    checks: new Map(),
    unread: chains.filter(({ state }) => state === "unread").length,
    ranks: new Map(),
  }));

Deno.test("each row of the table shows the figures of its chain, and a word for a missing one", () => {
  const empty = {
    day: null,
    txCount: null,
    changePct: null,
    sharePct: null,
    liveSince: null,
    ageDays: null,
    recent: [null],
  };
  const rows = [[
    chainOf(),
    chainOf({ token: null, day: "2026-11-18", ageDays: 1 }),
    chainOf({ ...empty, noChange: "noCompleteDay", ...STOPPED }),
  ], [
    // A share of what was read so far is none of all.
    chainOf(),
    chainOf({ ...empty, noChange: "unread", state: "unread" }),
  ]].flatMap((chains) => rowsOf(tableOf(chains)))
    // The rank has a test of its own.
    .map(([, ...row]) => row.map((cell) => cell.trim().replace(/\s+/g, " ")));
  const chart = "";
  assertEquals(rows.map((row) => row.toSpliced(1, 1, chart)), [
    [
      "Beam BEAM",
      chart,
      "1,234",
      "−12.5 %",
      "1.26 %",
      "3 years2023-08-01",
      "One source only",
    ],
    [
      "Beam",
      chart,
      "1,234on 2026-11-18",
      "−12.5 %",
      "1.26 %",
      "1 day2023-08-01",
      "One source only",
    ],
    [
      "Beam BEAM",
      chart,
      "none",
      "no complete day",
      "none",
      "none",
      "One source onlysource stopped since 2026-11-13",
    ],
    [
      "Beam BEAM",
      chart,
      "1,234",
      "−12.5 %",
      "–",
      "3 years2023-08-01",
      "One source only",
    ],
    ["Beam BEAM", chart, "–", "not read yet", "–", "–", "not read yet"],
  ]);
  assertEquals([2, 4].map((at) => rows[at]![1]), ["no complete day", "–"]);
});

Deno.test("the headings keep the search and the state, and omit default values", () => {
  const rows: [given: Record<string, string>, path: string][] = [
    [{}, "/chains?sort=value"],
    [{ sort: "name" }, "/chains"],
    [{ sort: "name", q: "a b" }, "/chains?q=a+b"],
    [{ sort: "name", state: "late" }, "/chains?state=late"],
    [
      { q: "x", state: "stopped" },
      "/chains?sort=value&amp;q=x&amp;state=stopped",
    ],
  ];
  for (const [given, path] of rows) {
    const [, href] = /href="([^"]*)">Transactions/
      .exec(tableOf([chainOf()], given))!;
    assertEquals(href, path);
  }
});
