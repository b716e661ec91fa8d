/** The table of all chains. */
import { assertEquals, assertStringIncludes } from "@std/assert";
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

Deno.test("a change has the colour of its sign, and each chain can be ticked to be compared", () => {
  const table = tableOf([
    chainOf({ changePct: -3 }),
    chainOf({ chainId: 7, chainName: `a"b`, changePct: 3 }),
    chainOf({ changePct: 0 }),
  ]);
  assertEquals(
    [...table.matchAll(/<td class="num ?([^"]*)"[^>]*>[^<]* %/g)].map((
      [, look],
    ) => look),
    ["is-down", "", "is-up", "", "", ""],
  );
  const [, ticked] = table.matchAll(/<input type="checkbox"[^>]*>/g);
  for (
    const part of [
      'name="chainId"',
      'value="7"',
      'form="compare-chains"',
      'aria-label="Compare a&quot;b"',
    ]
  ) assertStringIncludes(ticked![0], part);
});

Deno.test("all changes of the table have the same decimals", () => {
  const rows = rowsOf(tableOf([
    chainOf({ changePct: -3.4 }),
    chainOf({ changePct: 12.5433 }),
    chainOf({ changePct: 0 }),
    chainOf({ changePct: null, noChange: "idle" }),
  ]));
  assertEquals(rows.map((row) => row[4]!.trim()).slice(0, 3), [
    "−3.40 %",
    "+12.54 %",
    "0.00 %",
  ]);
});

Deno.test("each heading sorts by its column, and a second time the other way round", () => {
  const heads = (sort?: string) => {
    const [head] = tableOf([chainOf()], sort === undefined ? {} : { sort })
      .match(/<thead>[\s\S]*<\/thead>/)!;
    return [...head.matchAll(/<th\b([^>]*)>([\s\S]*?)<\/th>/g)]
      .map(([, attributes, cell]) => ({
        isNumber: /class="num"/.test(attributes!),
        order: attributes!.match(/aria-sort="(\w+)"/)?.[1] ?? "",
        href: cell!.match(/href="([^"]*)"/)?.[1] ?? "",
        words: cell!.replace(/<[^>]*>/g, "").trim(),
      }));
  };
  assertEquals(
    heads().map(({ words, isNumber, order, href }) => [
      words,
      isNumber,
      order,
      href,
    ]),
    [
      ["Rank", false, "", ""],
      ["Chain", false, "", "/chains?sort=name"],
      ["30 days", false, "", ""],
      ["Transactions ▼", true, "descending", "/chains?sort=value"],
      ["7-day change", true, "", "/chains?sort=-change"],
      ["Share", true, "", "/chains?sort=-share"],
      ["Age", true, "", "/chains?sort=-age"],
      ["Proof", false, "", "/chains?sort=state"],
    ],
  );
  const rows: [
    sort: string,
    at: number,
    order: string,
    arrow: string,
    href: string,
  ][] = [
    ["name", 1, "ascending", "▲", "/chains?sort=-name"],
    ["-name", 1, "descending", "▼", "/chains?sort=name"],
    ["value", 3, "ascending", "▲", "/chains"],
    ["-age", 6, "descending", "▼", "/chains?sort=age"],
    ["age", 6, "ascending", "▲", "/chains?sort=-age"],
  ];
  for (const [sort, at, order, arrow, href] of rows) {
    const found = heads(sort);
    assertEquals(
      found.map(({ order }) => order !== ""),
      found.map((_, nth) => nth === at),
    );
    assertEquals([found[at]!.order, found[at]!.href], [order, href], sort);
    assertEquals(found[at]!.words.at(-1), arrow);
  }
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
