/** The page of all chains: its cards, its form and its words. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { chainsPage } from "../../../routes/chain_data/chains_page.ts";
import {
  COVERAGE,
  coverageOf,
} from "../../../services/chain_data/catalogue/chains_schema.ts";
import type { Overview } from "../../../services/chain_data/overview/overview_schema.ts";
import {
  chainOf,
  overviewOf,
  queryOf,
} from "../../support/chain_data/overviews.ts";
import { hrefsOf, wordsOf } from "../../support/charts/explorer.ts";

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

Deno.test("the cards list the leading chains with their figures, or none", () => {
  const page = pageOf(overviewOf([
    chainOf(),
    chainOf({
      chainId: 43114,
      chainName: "C-Chain",
      changePct: 4,
      ageDays: 20,
      recent: [9, 7],
    }),
  ], { mostActive: [43114, 4337], fastestGrowing: [43114], newlyLive: [] }));
  const cards = [...page.matchAll(/<section class="card[\s\S]*?<\/section>/g)]
    .map(([card]) => wordsOf(card).trim());
  assertEquals(cards, [
    "Most active transactions on that day C-Chain 7 Beam 1,234",
    "Fastest growing last seven days against the seven before, from 100 a day C-Chain +4 %",
    "Newly live first transaction in the last 90 days None",
  ]);
  const growing = pageOf(overviewOf([
    chainOf({ changePct: 12.5433 }),
    chainOf({ chainId: 43114, chainName: "C-Chain", changePct: 4 }),
  ], { mostActive: [], fastestGrowing: [4337, 43114], newlyLive: [] }));
  assertEquals(/Beam\D+12\.54 %[\s\S]*C-Chain\D+4\.00 %/.test(growing), true);
  const young = pageOf(
    overviewOf([chainOf({ ageDays: 20 })], { newlyLive: [4337] }),
  );
  assertEquals(/Newly live[\s\S]*?20 days/.test(young), true);
});

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

Deno.test("the form of the page sends its query, and keeps the order", () => {
  const chains = [chainOf()];
  const form = (given: Record<string, string>) =>
    pageOf(overviewOf(chains), given).match(/<form[\s\S]*?<\/form>/)![0];
  const usual = form({});
  assertEquals(/action="\/chains"/.test(usual), true);
  assertEquals(/name="sort"/.test(usual), false);
  const state = usual.slice(usual.indexOf('id="state"'));
  assertEquals(/selected/.test(state), false);
  assertEquals(
    [...state.matchAll(/<option[^>]*>([^<]*)/g)].map(([, words]) => words),
    ["all", ...Object.values(COVERAGE).map(({ term }) => term)],
  );
  const chosen = form({ sort: "name", q: "a", state: "stopped" });
  assertEquals(/type="hidden" name="sort" value="name"/.test(chosen), true);
  assertEquals(/name="q" type="search" value="a"/.test(chosen), true);
  assertEquals(
    [
      ...chosen.slice(chosen.indexOf('id="state"')).matchAll(
        /<option [^>]*selected[^>]*>([^<]*)/g,
      ),
    ].map((
      [, name],
    ) => name),
    ["source stopped"],
  );
  const fields = [...usual.matchAll(/<(?:input|select) id="(\w+)"/g)].map((
    [, id],
  ) => id);
  const labels = [...usual.matchAll(/<label for="(\w+)"/g)].map(([, id]) => id);
  assertEquals(labels, fields);
});

Deno.test("files of the overview are described and linked from their first release on", () => {
  const at = Date.UTC(2026, 10, 21, 7, 5);
  const release = {
    date: "2026-11-21",
    builtAt: at,
  } as Parameters<typeof chainsPage>[0]["release"];
  const of = (given: typeof release) =>
    chainsPage({
      overview: overviewOf([chainOf()]),
      checks: new Map(),
      release: given,
      query: queryOf(),
      publicUrl: "https://firn.example",
      retrievedOn: "2026-11-21",
    });
  const links = (given: typeof release) =>
    hrefsOf(String(of(given).body)).filter((href) =>
      href.startsWith("/downloads")
    );
  assertEquals(links(null), []);
  const paths = ["/downloads/chains-overview.json"];
  assertEquals(links(release).slice(0, 1), paths);
  assertEquals(
    wordsOf(String(of(release).body)).includes(
      "Built 2026-11-21 07:05 UTC , once",
    ),
    true,
  );
  const files = (given: typeof release) =>
    JSON.stringify(of(given).facts).match(/contentUrl/g)?.length ?? 0;
  assertEquals([files(null), files(release)], [0, 3]);
});
