/** The links, code and size of the explorer. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { createApp } from "../../../routes/app.ts";
import { takeAway } from "../../../routes/charts/explorer_links.ts";
import chains from "../../../simnet/chains.json" with { type: "json" };
import {
  askExplorer as ask,
  EXPLORER_STATE,
  HOME,
  hrefsOf,
  rowsOf,
} from "../../support/charts/explorer.ts";
import { compared } from "../../support/charts/compared_charts.ts";
import { unescape } from "../../support/outline.ts";
import { askMetrics } from "../../support/chain_data/metrics_answers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const TEN = chains.slice(0, 10).map(({ evmChainId }) => `chainId=${evmChainId}`)
  .join("&");
/** Maximum compressed sizes of the first page and of any chart with its files, in bytes. */
const MAX_FIRST_BYTES = 100_000;
const MAX_BYTES = 130_000;

Deno.test("every link of the page leads to the shown data", async () => {
  using deps = await testDeps();
  const states = [
    `/?metric=activeSenders&chainId=43114&chainId=4337&from=2026-10-01&interval=week`,
    "/?metric=validators&range=30d",
    "/?metric=block-production&range=30d&window=7",
    "/?metric=transaction-fees&range=1y&interval=day",
  ];
  for (const state of states) {
    const { text } = await ask(deps, state);
    const hrefs = hrefsOf(text).filter((href) =>
      /^\/(\?|api\/chain-data\/|chart\/)/.test(href)
    );
    assert(hrefs.length >= 3, state);
    for (const href of hrefs) {
      assertEquals((await ask(deps, href)).status, 200, href);
    }
    for (const { day, value } of await shownBy(deps, hrefs)) {
      const rounded = value.toLocaleString("en-US", {
        maximumFractionDigits: 2,
        maximumSignificantDigits: 5,
        roundingPriority: "morePrecision",
      });
      // The column may have more decimals than this value needs.
      const isShown = rowsOf(text).some(([first, ...cells]) =>
        first === day &&
        cells.some((cell) =>
          decimalsOf(cell) >= decimalsOf(rounded) &&
          cell.replaceAll(",", "") === value.toFixed(decimalsOf(cell))
        )
      );
      assert(isShown, `${state} ${day} ${rounded}`);
    }
  }
});

const decimalsOf = (text: string) => text.split(".")[1]?.length ?? 0;

/** Reads the JSON that a page links to. */
async function shownBy(deps: TestDeps, hrefs: readonly string[]) {
  const answers = await Promise.all(
    hrefs.filter((href) => href.includes("format=json")).map(async (href) =>
      JSON.parse((await ask(deps, href)).text)
    ),
  );
  return answers.flatMap(({ series }): { day: string; value: number }[] =>
    series.map((item: Record<string, number> & { day: string }) => ({
      day: item.day,
      value: item.value ?? item.totalStake ?? item.blocks ?? item.feesPaid!,
    }))
  );
}

Deno.test("the JavaScript code of the page runs and prints the complete buckets", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const state = { ...EXPLORER_STATE, chainIds: [43114, 4337] };
  const chart = compared([[1], [2]], { names: ["C-Chain", `Be"am`] });
  const html = String(takeAway({ state, chart }, "http://firn.test"));
  const code = new Map(
    html.matchAll(/<h3>(\w+)<\/h3>[^]*?<code>([^]*?)<\/code>/g)
      .map(([, language, text]) => [language, unescape(text!)]),
  );
  const printed: unknown[][] = [];
  const run = new Function(
    "fetch",
    "console",
    `return (async () => {${code.get("JavaScript")!}})()`,
  );
  await run((url: string) => app.request(url), {
    log: (...words: unknown[]) => printed.push(words),
  });
  const { body } = await askMetrics(deps, "range=30d");
  const complete = body.series.filter((point) => point.complete);
  assertEquals(
    printed.filter(([name]) => name === "C-Chain"),
    complete.map(({ day, value }) => ["C-Chain", day, value]),
  );
  assert(printed.some(([name]) => name === `Be"am`));
  assertEquals(code.get("Spreadsheet")!.split("\n").length, 2);
});

Deno.test("the first page and its files are below 100 kB compressed, and any chart below 130 kB", async (t) => {
  using deps = await testDeps();
  const app = createApp(deps);
  const headers = { "Accept": "text/html", "Accept-Encoding": "gzip" };
  const sizeOf = async (path: string) => {
    const response = await app.request(path, { headers });
    assertEquals([response.status, response.headers.get("Content-Encoding")], [
      200,
      "gzip",
    ], path);
    const bytes = await response.bytes();
    const text = new Blob([bytes]).stream().pipeThrough(
      new DecompressionStream("gzip"),
    );
    return { size: bytes.length, text: await new Response(text).text() };
  };
  for (
    const path of [
      "/",
      HOME.replace("1y", "all"),
      "/?metric=validators&range=all",
      `/?metric=txCount&${TEN}&range=all&interval=day`,
    ]
  ) {
    await t.step(path, async () => {
      const { size, text } = await sizeOf(path);
      let total = size;
      const wanted = [...text.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)]
        .map(([, url]) => url!);
      const seen = new Set<string>();
      for (let url = wanted.pop(); url !== undefined; url = wanted.pop()) {
        if (seen.has(url)) continue;
        seen.add(url);
        const file = await sizeOf(url);
        total += file.size;
        const at = new URL(url, "http://firn.test");
        for (
          const [, imported] of file.text.matchAll(
            /^import [^;]*?"(\.[^"]+)";/gm,
          )
        ) {
          wanted.push(new URL(imported!, at).pathname);
        }
      }
      assert([...seen].some((url) => url.endsWith("explorer/chart.js")));
      const most = path === "/" ? MAX_FIRST_BYTES : MAX_BYTES;
      assert(total < most, `${total} bytes`);
    });
  }
});

Deno.test("links change the average or the scale or go back from chosen days, and keep every other choice", async () => {
  using deps = await testDeps();
  const shortcutsOf = async (path: string) => {
    const { text, status } = await ask(deps, path);
    assertEquals(status, 200);
    const [nav = ""] =
      text.match(/<nav class="cluster small shortcuts"[\s\S]*?<\/nav>/) ?? [];
    return [...nav.matchAll(/href="([^"]*)"([^>]*)>([^<]*)</g)].map((
      [, href, current, words],
    ) => ({
      href: unescape(href!),
      isCurrent: current!.includes("aria-current"),
      words,
    }));
  };
  const chosen =
    "/?metric=txCount&chainId=43114&chainId=4337&from=2026-10-01&to=2026-10-20&interval=day&unfinished=hide&values=absolute&scale=log&layout=panels";
  const [daily, average, linear, log, back, ...others] = await shortcutsOf(
    chosen,
  );
  assertEquals([daily!.words, daily!.isCurrent], ["Daily values", true]);
  assertEquals([average!.words, average!.isCurrent], ["7-day average", false]);
  assertEquals([linear!.words, linear!.isCurrent], ["Linear", false]);
  assertEquals([log!.words, log!.isCurrent], ["Log", true]);
  assertEquals([back!.words, others], ["Back to 1y", []]);
  const parametersOf = (
    path: string,
  ) => [...new URLSearchParams(path.slice(2))];
  const without = (path: string, ...names: string[]) =>
    parametersOf(path).filter(([name]) => !names.includes(name));
  assertEquals(parametersOf(daily!.href), parametersOf(chosen));
  assertEquals(without(average!.href, "average"), parametersOf(chosen));
  assertEquals(parametersOf(log!.href), parametersOf(chosen));
  assertEquals(parametersOf(linear!.href), without(chosen, "scale"));
  assertEquals(
    without(back!.href, "range"),
    without(chosen, "from", "to"),
  );
  const averaged = await shortcutsOf(average!.href);
  assertEquals(averaged.map(({ isCurrent }) => isCurrent), [
    false,
    true,
    false,
    true,
    false,
  ]);
  // What a chart can't have comes back with the next one, so a link keeps it.
  const kept = await shortcutsOf(
    "/?metric=txCount&chainId=43114&range=30d&interval=day&values=share",
  );
  for (const { href } of kept) assertStringIncludes(href, "values=share");
  for (
    const path of [
      "/?metric=validators&range=all",
      "/?metric=cumulativeTxCount&chainId=43114&range=30d&interval=day",
    ]
  ) {
    assertEquals((await shortcutsOf(path)).map(({ words }) => words), [
      "Linear",
      "Log",
    ]);
  }
});

Deno.test("the data of a chart with an average stay the daily values", async () => {
  using deps = await testDeps();
  const chain = ANOMALY_CHAIN_IDS.missingWeek;
  const path = `/?metric=txCount&chainId=${chain}&range=90d&interval=day`;
  const plain = await ask(deps, path);
  const averaged = await ask(deps, `${path}&average=7`);
  const csvOf = (text: string) =>
    hrefsOf(text.slice(text.indexOf('id="share"')))
      .find((href) => href.includes(".csv?"))!;
  assertEquals(csvOf(averaged.text), csvOf(plain.text));
  const valuesOf = (text: string) =>
    rowsOf(text).map(([day, value]) => [day, value]);
  assertEquals(valuesOf(averaged.text), valuesOf(plain.text));
});
