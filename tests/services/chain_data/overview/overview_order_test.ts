/** The table of chains: what a query selects, and in which order. */
import { assertEquals } from "@std/assert";
import {
  rowsOf,
  selectChains,
} from "../../../../services/chain_data/overview/overview.ts";
import type {
  ChainSummary,
  OverviewQuery,
} from "../../../../services/chain_data/overview/overview_schema.ts";

const chain = (
  chainId: number,
  chainName: string,
  more: Partial<ChainSummary> = {},
): ChainSummary => ({
  chainId,
  chainName,
  token: null,
  state: "served",
  since: null,
  proof: "oneSource",
  agreementPct: null,
  day: null,
  txCount: null,
  changePct: null,
  noChange: null,
  sharePct: null,
  liveSince: null,
  ageDays: null,
  recent: [],
  ...more,
});

const CHAINS = [
  chain(5, "L1 10", { recent: [9, 3], changePct: -2, token: "GUN" }),
  chain(4, "l1 9", { recent: [1, 7], changePct: 5, ageDays: 4 }),
  chain(3, "Beta", { recent: [5, null], sharePct: 1, state: "late" }),
  chain(2, "Alpha", { recent: [2, 7], changePct: 0, sharePct: 40 }),
  chain(1, "Alpha", { state: "unread", ageDays: 90 }),
];

const ids = (query: Partial<OverviewQuery>) =>
  selectChains(rowsOf(CHAINS, null), {
    sort: "name",
    q: "",
    state: undefined,
    ...query,
  })
    .map(({ chainId }) => chainId);

Deno.test("selectChains() sorts by each key in both directions, absent values last and equal ones by name and id", () => {
  const cases: [sort: OverviewQuery["sort"], ids: number[]][] = [
    ["name", [1, 2, 3, 4, 5]],
    ["-name", [5, 4, 3, 1, 2]],
    ["value", [5, 2, 4, 1, 3]],
    ["-value", [2, 4, 5, 1, 3]],
    ["change", [5, 2, 4, 1, 3]],
    ["-change", [4, 2, 5, 1, 3]],
    ["share", [3, 2, 1, 4, 5]],
    ["-share", [2, 3, 1, 4, 5]],
    ["age", [4, 1, 2, 3, 5]],
    ["-age", [1, 4, 2, 3, 5]],
    ["state", [3, 2, 4, 5, 1]],
    ["-state", [1, 2, 4, 5, 3]],
  ];
  for (const [sort, expected] of cases) {
    assertEquals(ids({ sort }), expected, sort);
  }
});

Deno.test("selectChains() finds a part of a name, a whole token or a whole id, in any case", () => {
  const cases: [q: string, ids: number[]][] = [
    ["", [1, 2, 3, 4, 5]],
    ["L1", [4, 5]],
    ["alp", [1, 2]],
    ["gun", [5]],
    ["gu", []],
    ["3", [3]],
    ["5", [5]],
    ["9", [4]],
    ["none", []],
  ];
  for (const [q, expected] of cases) assertEquals(ids({ q }), expected, q);
  assertEquals(ids({ state: "late" }), [3]);
  assertEquals(ids({ state: "served", q: "alpha" }), [2]);
});
