/** The page of all chains: its cards, its form and its words. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  chainsPage,
  chainsTable,
} from "../../../routes/chain_data/all_chains_page.ts";
import { coverageOf } from "../../../services/chain_data/catalogue/chains_schema.ts";
import type {
  ChainSummary,
  Overview,
} from "../../../services/chain_data/overview/overview_schema.ts";
import {
  chainOf,
  overviewOf,
  queryOf,
} from "../../support/chain_data/overviews.ts";
import { rowsOf as rowsOfChains } from "../../../services/chain_data/overview/overview.ts";

const pageOf = (
  overview: Overview,
  given: Record<string, string> = {},
) =>
  String(
    chainsPage({
      overview,
      checks: new Map(),
      release: null,
      query: queryOf(given),
      publicUrl: "https://firn.example",
      retrievedOn: "2026-11-21",
    }).body,
  );

Deno.test("the page names the active chains that the source does not list, as text", () => {
  const untracked = [{
    chainId: null,
    blockchainId: "b",
    chainName: "<b>Kite\u202e",
    coverage: coverageOf("notIndexed"),
  }];
  const page = pageOf(overviewOf([chainOf()], { untracked }));
  assertStringIncludes(
    page,
    "1 more mainnet chains, which a public list names as active, are not indexed by the source: &lt;b&gt;Kite.",
  );
  assertEquals(
    pageOf(overviewOf([chainOf()])).includes("more mainnet chains"),
    false,
  );
});

Deno.test("how to read the table stands between its heading and the table", () => {
  const page = pageOf(overviewOf([chainOf()]));
  const results = /<section[^>]*id="chains-results"[\s\S]*?<\/section>/
    .exec(page)![0];
  const places = [
    ">All chains<",
    "<summary>How to read it</summary>",
    "The change compares",
    ">late<",
    "<thead>",
  ].map((part) => results.indexOf(part));
  assertEquals(places, places.toSorted((a, b) => a - b));
  assertEquals(places.includes(-1), false);
  assertEquals(page.split("How to read it").length, 2);
});

Deno.test("each card lists its own chains, and the form keeps the order and the state", () => {
  const chains = [chainOf(), chainOf({ chainId: 7, chainName: "Seven" })];
  const page = pageOf(
    overviewOf(chains, {
      mostActive: [7],
      fastestGrowing: [4337],
      newlyLive: [7],
    }),
  );
  const cards = [...page.matchAll(/<section class="card[\s\S]*?<\/section>/g)]
    .map(([card]) => /Beam|Seven/.exec(card)?.[0]);
  assertEquals(cards, ["Seven", "Beam", "Seven"]);
  const chosen = pageOf(overviewOf(chains), { sort: "name", state: "stopped" });
  assertStringIncludes(chosen, 'type="hidden" name="sort" value="name"');
  assertStringIncludes(chosen, '<option value="stopped" selected>');
});

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

Deno.test("a change has the colour of its sign, and none where there is none", () => {
  const classOf = (changePct: number | null) =>
    tableOf([
      chainOf({ changePct, noChange: changePct === null ? "young" : null }),
    ]).match(/is-up|is-down/)?.[0];
  assertEquals([12.5, -12.5, 0, null].map(classOf), [
    "is-up",
    "is-down",
    undefined,
    undefined,
  ]);
});
