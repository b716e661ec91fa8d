/** The page of all chains: its cards, its form and its words. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { chainsPage } from "../../../routes/chain_data/chains_page.ts";
import { coverageOf } from "../../../services/chain_data/catalogue/chains_schema.ts";
import type { Overview } from "../../../services/chain_data/overview/overview_schema.ts";
import {
  chainOf,
  overviewOf,
  queryOf,
} from "../../support/chain_data/overviews.ts";
import { wordsOf } from "../../support/charts/explorer.ts";

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

Deno.test("the page says what it counts, what is filtered, and when nothing has been read or matches", () => {
  const chains = [
    chainOf(),
    chainOf({
      chainId: 43114,
      chainName: "C-Chain",
      token: "AVAX",
      state: "late",
    }),
  ];
  const words = (overview: Overview, given?: Record<string, string>) =>
    wordsOf(pageOf(overview, given));
  const rows: [
    words: string,
    shown: readonly string[],
    absent: readonly string[],
  ][] = [
    [
      words(overviewOf(chains)),
      [
        "5,678 transactions on 2026-11-20 ,",
        " on 1 of 2 chains.",
        " 2 chains ",
        "complete value of 2026-11-20.",
        "Most active",
        "Computed from the series that have been read so far",
      ],
      ["show all", "No chain matches"],
    ],
    [
      words(overviewOf([...chains, chainOf({ state: "unread" })])),
      [" 2 of 3 chains are read so far."],
      ["Most active", "5,678"],
    ],
    [words(overviewOf(chains), { q: "beam" }), [" 1 of 2 chains · show all"], [
      "43114",
    ]],
    [words(overviewOf(chains), { state: "late" }), [
      " 1 of 2 chains · show all",
    ], ["Beam"]],
    [words(overviewOf(chains), { q: "zz" }), [
      " 0 of 2 chains",
      "No chain matches.",
    ], []],
    [
      words(overviewOf(chains, { day: null })),
      ["Figures appear when", "complete value of the day."],
      ["Most active", "5,678"],
    ],
    [words(overviewOf(chains, { txCount: null })), [
      "Figures appear when",
      "Most active",
    ], []],
    [words(overviewOf([])), ["The list of chains has not been read"], [
      "How to read it",
    ]],
  ];
  for (const [given, shown, absent] of rows) {
    for (const text of shown) {
      assertEquals(given.includes(text), true, `${text}: ${given}`);
    }
    for (const text of absent) assertEquals(given.includes(text), false, text);
  }
});

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
