/** The explorer over HTTP: canonical URLs, contents and errors. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { testDeps } from "../../support/deps.ts";
import {
  askExplorer as ask,
  HOME,
  rowsOf,
  wordsOf,
} from "../../support/charts/explorer.ts";
import { unescape } from "../../support/outline.ts";
import { askMetrics } from "../../support/chain_data/metrics_answers.ts";

Deno.test("GET / shows one year of C-Chain transactions, like its canonical URL", async () => {
  using deps = await testDeps();
  const [home, own] = [await ask(deps, "/"), await ask(deps, HOME)];
  assertEquals([home.status, own.status], [200, 200]);
  // The first page says what Firn is before the same chart.
  const about = /<section class="introduction[^]*?<\/section>/;
  assertMatch(home.text, about);
  assertEquals(
    home.text.replace(about, "").replaceAll(/\s+/g, " "),
    own.text.replaceAll(/\s+/g, " "),
  );
  assertMatch(home.text, /<title>Transactions on C-Chain · Firn<\/title>/);
  assertStringIncludes(
    unescape(home.text),
    `<link rel="canonical" href="http://localhost:8000${HOME}">`,
  );
  const { body } = await askMetrics(deps, "range=1y");
  const rows = rowsOf(home.text);
  assertEquals(
    rows,
    body.series.toReversed().map((
      { day, value, complete },
    ) => [day, value.toLocaleString("en-US"), complete ? "yes" : "no"]),
  );
  const words = wordsOf(home.text);
  for (
    const fact of [
      body.dataThrough!,
      body.source,
      "read 2026-11-21 08:00 UTC",
      "1 incomplete day",
    ]
  ) {
    assertStringIncludes(words, fact);
  }
});

Deno.test("every spelling of a query redirects to its canonical URL", async () => {
  using deps = await testDeps();
  const rows: [given: string, path: string][] = [
    ["/?utm_source=x", HOME],
    ["/?metric=gasUsed", HOME.replace("txCount", "gasUsed")],
    [
      "/?metric=txCount&chain=beam+l1&compare=&range=30d&interval=week&from=2026-01-01&to=",
      "/?metric=txCount&chainId=4337&range=30d&interval=week",
    ],
    [
      "/?chain=C-Chain+%C2%B7+43114&compare=4337&range=30d&interval=day",
      "/?metric=txCount&chainId=43114&chainId=4337&range=30d&interval=day",
    ],
    [
      "/?range=days&from=2026-10-01&to=2026-10-31",
      "/?metric=txCount&chainId=43114&from=2026-10-01&to=2026-10-31&interval=day",
    ],
    [
      "/?metric=transaction-fees&interval=week&chainId=4337",
      "/?metric=transaction-fees&range=all&chainId=4337&interval=week",
    ],
    [
      "/?metric=block-production&range=30d",
      "/?metric=block-production&range=30d&window=30",
    ],
    [
      "/?metric=validators&range=30d&interval=day",
      "/?metric=validators&range=30d",
    ],
  ];
  for (const [given, path] of rows) {
    const { response, status } = await ask(deps, given);
    assertEquals(
      [status, response.headers.get("Location")],
      [302, path],
      given,
    );
    assertEquals((await ask(deps, path)).status, 200, path);
  }
});

Deno.test("fees are in the chain's token, which is never guessed", async () => {
  using deps = await testDeps();
  const page = (id: number) =>
    ask(deps, `/?metric=feesPaid&chainId=${id}&range=30d&interval=day`);
  const known = wordsOf((await page(4337)).text);
  assertStringIncludes(known, "BEAM by day");
  assert(!known.includes("AVAX by day"));
  const { body } = await askMetrics(deps, `chainId=${ANOMALY_CHAIN_IDS.never}`);
  assertEquals(body.token, null);
  const unknown = wordsOf((await page(ANOMALY_CHAIN_IDS.never)).text);
  assertStringIncludes(unknown, "Native tokens by day");
});

Deno.test("the page shows the exact error message", async (t) => {
  using deps = await testDeps();
  const nullAddresses =
    `/?metric=cumulativeAddresses&chainId=${ANOMALY_CHAIN_IDS.nullAddresses}&range=all&interval=day`;
  const rows: [path: string, status: number, message: RegExp][] = [
    [
      "/?metric=gas",
      400,
      /Invalid metric "gas": expected one of txCount/,
    ],
    ["/?range=2y", 400, /range "2y": expected one of 30d/],
    ["/?values=change", 400, /"change": expected one of absolute, index/],
    ["/?average=5", 400, /average "5": expected one of 7, 30/],
    ["/?scale=cube", 400, /scale "cube": expected one of linear, log/],
    ["/?layout=grid", 400, /"grid": expected one of together, panels/],
    ["/?chainId=abc", 400, /chainId "abc": expected an EVM chain id/],
    ["/?chainId=1,2", 400, /"1,2": expected one chain in each parameter, such/],
    ["/?chain=%3Cscript%3E", 400, /chain "<script>": no chain matches/],
    ["/?from=2026-02-30", 400, /from "2026-02-30"/],
    [
      "/?metric=txCount&chainId=43114&from=2027-01-01&interval=day",
      400,
      /expected a day up to 2026-11-21/,
    ],
    [
      "/?metric=txCount&chainId=999&range=1y&interval=day",
      404,
      /Cannot find chain 999/,
    ],
    [nullAddresses, 503, /has no values, although the chain was active/],
  ];
  for (const [path, status, message] of rows) {
    await t.step(`${status} ${path}`, async () => {
      const { response, text, ...page } = await ask(deps, path);
      // That a chain lacks a metric is no error of the page: it shows another chart.
      assertEquals(page.status, path === nullAddresses ? 200 : status);
      assertEquals(response.headers.get("Cache-Control"), "no-store");
      assertMatch(wordsOf(text), message);
      assertStringIncludes(text, 'name="robots" content="noindex"');
      assertStringIncludes(text, 'id="explorer-form"');
      assert(!text.includes("<script>"));
      const asJson = await ask(deps, path, "application/json");
      assertEquals(asJson.status, status);
      assertMatch(JSON.parse(asJson.text).error, message);
    });
  }
});
