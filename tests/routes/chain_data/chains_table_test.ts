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
