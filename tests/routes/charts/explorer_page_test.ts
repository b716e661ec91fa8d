/** The explorer page: its head, its sections, and its code. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { explorerPage } from "../../../routes/charts/explorer_page.ts";
import { takeAway } from "../../../routes/charts/explorer_links.ts";
import { definitionOf } from "../../../routes/charts/chart_words.ts";
import type { Chart } from "../../../services/charts/charts_schema.ts";
import type { ExplorerState } from "../../../services/charts/explorer.ts";
import { compared } from "../../support/charts/compared_charts.ts";
import { EXPLORER_STATE } from "../../support/charts/explorer.ts";
import { outlineOf } from "../../support/outline.ts";

const PUBLIC_URL = "https://firn.example";
const CHAINS = [{ chainId: 1, chainName: "Chain 1" }];
const STATE: ExplorerState = { ...EXPLORER_STATE, chainIds: [1] };

function shown(
  { chart = compared([[1, 2, 3, 4]]), state = STATE, cited }: {
    readonly chart?: Chart;
    readonly state?: ExplorerState;
    readonly cited?: NonNullable<Parameters<typeof explorerPage>[0]["cited"]>;
  } = {},
) {
  const { body, facts, ...head } = explorerPage({
    state,
    chains: CHAINS,
    shown: { state, chart },
    publicUrl: PUBLIC_URL,
    ...cited && { cited, at: new Date("2026-11-21T08:00:00Z") },
  });
  return { head, facts, lines: outlineOf(String(body)), text: String(body) };
}

/** The headings of a page. */
const headingsOf = (lines: readonly string[]) =>
  lines.filter((line) => /^(h\d|summary) /.test(line));

Deno.test("the explorer has a head of what it shows, and sections for values, trust and data", () => {
  const { head: { modules, ...head }, lines, facts } = shown({
    cited: { release: null, retrievedOn: "2026-11-21" },
  });
  assertEquals(modules, ["explorer/main.js"]);
  assertEquals(head, {
    description:
      "Daily on-chain metrics of the Avalanche C-Chain and its L1s. Incomplete, missing and disputed values are marked.",
    isIndexed: true,
    nav: "explorer",
    picture:
      "https://firn.example/chart/txCount.png?chainId=1&range=30d&interval=day",
    styles: [
      "explorer.css",
    ],
    title: "Transactions on Chain 1",
    url:
      "https://firn.example/?metric=txCount&chainId=1&range=30d&interval=day",
  });
  assert(lines.includes(`p ${definitionOf({ name: "txCount" })}`));
  assertEquals(headingsOf(lines), [
    "summary Options",
    "h1 Transactions on Chain 1",
    "h2 Values",
    "h2 Share and cite",
    "h3 Link",
    "h3 Embed",
    "h3 Frame",
    "h3 Markdown",
    "h3 Citation",
    "h3 BibTeX",
    "h2 Live data and code",
    "h3 curl",
    "h3 Python",
    "h3 JavaScript",
    "h3 Spreadsheet",
    "h3 Embed",
    "h3 Frame",
    "h3 Markdown",
  ]);
  assertEquals(JSON.parse(JSON.stringify(facts)), {
    "@type": "Dataset",
    creator: {
      "@type": "Organization",
      name: "Firn",
      url: "https://firn.example",
    },
    description:
      "Transactions on Chain 1. Daily on-chain metrics of the Avalanche C-Chain and its L1s. Incomplete, missing and disputed values are marked.",
    distribution: [
      {
        "@type": "DataDownload",
        contentUrl:
          "https://firn.example/api/chain-data/metrics?metric=txCount&chainId=1&range=30d&interval=day&format=csv",
        encodingFormat: "text/csv",
      },
      {
        "@type": "DataDownload",
        contentUrl:
          "https://firn.example/api/chain-data/metrics?metric=txCount&chainId=1&range=30d&interval=day&format=json",
        encodingFormat: "application/json",
      },
    ],
    isAccessibleForFree: true,
    license: "https://firn.example/docs/bulk-files#licence",
    name: "Transactions on Chain 1",
    temporalCoverage: "2026-11-01/2026-11-04",
    url:
      "https://firn.example/?metric=txCount&chainId=1&range=30d&interval=day",
    usageInfo: "Free to use, also commercially, without attribution",
    variableMeasured: [
      {
        "@type": "PropertyValue",
        name: "txCount",
        unitText: "count",
      },
    ],
  });
});

Deno.test("the explorer without days has no values, and without a release no citation", () => {
  const empty = { ...compared([[]]), axis: [] };
  const { lines, facts } = shown({ chart: empty });
  assertEquals(headingsOf(lines), [
    "summary Options",
    "h1 Transactions on Chain 1",
    "h2 Live data and code",
    "h3 curl",
    "h3 Python",
    "h3 JavaScript",
    "h3 Spreadsheet",
    "h3 Embed",
    "h3 Frame",
    "h3 Markdown",
  ]);
  assertEquals("temporalCoverage" in facts!, false);
});

Deno.test("the explorer notes where all values are, and names its series", () => {
  const chart = {
    ...compared([[1, 2]], { names: ["Primary Network"] }),
    name: "validators" as const,
  };
  const state = { ...STATE, metric: "validators" as const };
  const noteOf = (given: Parameters<typeof shown>[0]) =>
    shown(given).lines.find((line) => line.startsWith("p The newest buckets"));
  const note = `p The newest buckets. All values: ${PUBLIC_URL}`;
  assertEquals(
    noteOf({}),
    `${note}/chart/txCount.csv?chainId=1&range=30d&interval=day`,
  );
  assertEquals(
    noteOf({ chart, state }),
    `${note}/api/chain-data/validators?range=30d&format=csv`,
  );
  const headingOf = (given: Parameters<typeof shown>[0]) =>
    shown(given).lines.find((line) => line.startsWith("h1"));
  assertEquals(headingOf({}), "h1 Transactions on Chain 1");
  assertEquals(
    headingOf({ chart, state }),
    "h1 Total stake of the Primary Network",
  );
});

Deno.test("the explorer links its data, once for each chain, and writes the code that reads it", () => {
  const linesOf = (chart: Chart, state: ExplorerState) =>
    outlineOf(String(takeAway({ chart, state }, PUBLIC_URL)));
  assertEquals(linesOf(compared([[1]]), STATE), [
    "h2 Live data and code",
    "li [href=/api/chain-data/metrics?metric=txCount&chainId=1&range=30d&interval=day&format=json]JSON, [href=/api/chain-data/metrics?metric=txCount&chainId=1&range=30d&interval=day&format=csv]CSV",
    "li As drawn: [href=/chart/txCount.svg?chainId=1&range=30d&interval=day]SVG, [href=/chart/txCount.png?chainId=1&range=30d&interval=day]PNG, [href=/chart/txCount.csv?chainId=1&range=30d&interval=day]CSV",
    "h3 curl",
    "pre curl --fail 'https://firn.example/api/chain-data/metrics?metric=txCount&chainId=1&range=30d&interval=day&format=csv'",
    "button[hidden] Copy",
    "h3 Python",
    'pre import json from urllib.request import urlopen urls = { "Chain 1": "https://firn.example/api/chain-data/metrics?metric=txCount&chainId=1&range=30d&interval=day&format=json", } for name, url in urls.items(): with urlopen(url) as response: answer = json.load(response) for point in answer["series"]: if point["complete"]: print(name, point["day"], point["value"])',
    "button[hidden] Copy",
    "h3 JavaScript",
    'pre const urls = { "Chain 1": "https://firn.example/api/chain-data/metrics?metric=txCount&chainId=1&range=30d&interval=day&format=json", }; for (const [name, url] of Object.entries(urls)) { const response = await fetch(url); if (!response.ok) throw new Error(await response.text()); const { series } = await response.json(); for (const point of series) { if (point.complete) console.log(name, point.day, point.value); } }',
    "button[hidden] Copy",
    "h3 Spreadsheet",
    'pre =IMPORTDATA("https://firn.example/api/chain-data/metrics?metric=txCount&chainId=1&range=30d&interval=day&format=csv")',
    "button[hidden] Copy",
    "h3 Embed",
    'pre <a href="https://firn.example/?metric=txCount&amp;chainId=1&amp;range=30d&amp;interval=day"><img src="https://firn.example/chart/txCount.svg?chainId=1&amp;range=30d&amp;interval=day" alt="Transactions on Chain 1" width="800"></a>',
    "button[hidden] Copy",
    "h3 Frame",
    'pre <iframe src="https://firn.example/embed/chart/txCount?chainId=1&amp;range=30d&amp;interval=day" title="Transactions on Chain 1" width="100%" height="480" loading="lazy" style="border:0"></iframe>',
    "button[hidden] Copy",
    "h3 Markdown",
    "pre [![Transactions on Chain 1](https://firn.example/chart/txCount.svg?chainId=1&range=30d&interval=day)](https://firn.example/?metric=txCount&chainId=1&range=30d&interval=day)",
    "button[hidden] Copy",
  ]);
  const two = { ...STATE, chainIds: [1, 2] };
  const linksOf = (state: ExplorerState) =>
    linesOf(compared([[1], [2]], { names: ["A", 'B "]'] }), state)
      .filter((line) => line.startsWith("li"));
  assertEquals(linksOf(two), [
    "li All chains by day: [href=/chart/txCount.csv?chainId=1&chainId=2&range=30d&interval=day&values=absolute]CSV",
    "li A: [href=/api/chain-data/metrics?metric=txCount&chainId=1&range=30d&interval=day&format=json]JSON, [href=/api/chain-data/metrics?metric=txCount&chainId=1&range=30d&interval=day&format=csv]CSV",
    'li B "]: [href=/api/chain-data/metrics?metric=txCount&chainId=2&range=30d&interval=day&format=json]JSON, [href=/api/chain-data/metrics?metric=txCount&chainId=2&range=30d&interval=day&format=csv]CSV',
    "li As drawn: [href=/chart/txCount.svg?chainId=1&chainId=2&range=30d&interval=day&values=absolute]SVG, [href=/chart/txCount.png?chainId=1&chainId=2&range=30d&interval=day&values=absolute]PNG, [href=/chart/txCount.csv?chainId=1&chainId=2&range=30d&interval=day&values=absolute]CSV",
  ]);
  const code = linesOf(compared([[1], [2]], { names: ["A", 'B "]'] }), two);
  assertEquals(
    code.at(-2),
    'pre [![Transactions: A and B "\\]](https://firn.example/chart/txCount.svg?chainId=1&chainId=2&range=30d&interval=day&values=absolute)](https://firn.example/?metric=txCount&chainId=1&chainId=2&range=30d&interval=day&values=absolute)',
  );
  // A total is one line of two chains.
  const total = { ...two, view: { ...STATE.view, values: "total" } } as const;
  const lines = linesOf(compared([[3]], { chainNames: ["A", "B"] }), total);
  assertEquals(
    lines.filter((line) => /^li (All|.:)/.test(line))
      .map((line) => line.slice(0, line.indexOf(" ["))),
    ["li All chains by day:", "li A:", "li B:"],
  );
  assertMatch(
    lines.find((line) => line.startsWith("pre import"))!,
    /"A": .*"B": /,
  );
});

Deno.test("chains of one name have their ids in the links and the code", () => {
  const state = { ...STATE, chainIds: [1, 2] };
  const chart = compared([[1], [2]], { names: ["A", "A"] });
  const text = outlineOf(String(takeAway({ chart, state }, PUBLIC_URL)))
    .join("\n");
  for (const label of ["li A (1): ", "li A (2): ", '"A (1)": ', '"A (2)": ']) {
    assertStringIncludes(text, label);
  }
});
