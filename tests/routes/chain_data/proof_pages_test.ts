/** The pages of the check: disputed days, revised days, and one day with both values. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { proofWords } from "../../../routes/charts/chain_words.ts";
import {
  CHECKS,
  proofOf,
} from "../../../services/chain_data/catalogue/cross_checks_schema.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { hrefsOf, rowsOf, wordsOf } from "../../support/charts/explorer.ts";
import { readDisputes } from "../../support/chain_data/quality_answers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { checkDaily, checkedDeps } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";

/** Returns the service after days of checks, with the compared series read. */
async function checked(days: number, start?: string): Promise<TestDeps> {
  const deps = await testDeps(start === undefined ? {} : { start });
  await checkDaily(deps, days);
  const app = createApp(deps);
  for (const { endpoint, dailyQuery } of Object.values(CHECKS)) {
    const path = `/api/chain-data/${endpoint}?${dailyQuery}range=all`;
    await (await app.request(path)).body?.cancel();
  }
  return deps;
}

async function read(deps: TestDeps, path: string) {
  const response = await createApp(deps).request(path, {
    headers: { Accept: "text/html" },
  });
  const text = await response.text();
  return { status: response.status, text, words: wordsOf(text) };
}

/** The rows of the first table. */
const rowsIn = (page: string) =>
  rowsOf(page).map((row) => row.map((cell) => cell.replace(/\s+/g, " ")));

/** Every digit of a number of an answer. */
const exactly = (value: number) =>
  String(value).replace(/\B(?=(?:\d{3})+(?!\d))(?<!\..*)/g, ",");

Deno.test("/disputes links every disputed day to a page with both values, when it was found, and calls that answer", async () => {
  using deps = await checked(8, "2026-11-14T08:00:00Z");
  const { disputes } = await readDisputes(deps);
  assert(disputes.length > 3);
  const list = await read(deps, "/disputes");
  assertEquals(list.status, 200);
  assertMatch(list.text, /rel="alternate" type="application\/atom\+xml"/);
  const [row] = list.text.match(
    /<tr><th scope="row"><a class="nowrap"[^]*?<\/tr>/,
  )!;
  assertEquals(
    [...row.matchAll(/<td class="(\w*)" data-name="([^"]*)"/g)]
      .map(([, kind, name]) => [name, kind]),
    [
      ["Series", ""],
      ["Here", "num"],
      ["Second source", "num"],
      ["Difference", "num"],
      ["Found", ""],
    ],
  );
  const shown = rowsIn(list.text.slice(list.text.indexOf('id="days"')));
  for (
    const [nth, { series, value, crossCheckValue, token }] of disputes.entries()
  ) {
    const unit = series === "feesPaid" || series === "fees"
      ? token
      : series === "activeAddresses"
      ? "addresses"
      : series === "blocks"
      ? "blocks"
      : "transactions";
    assertEquals(
      shown[nth]!.slice(2, 4),
      [value, crossCheckValue].map((value) => `${exactly(value)} ${unit}`),
      series,
    );
  }
  const links = hrefsOf(list.text).filter((href) => href.startsWith("/days/"));
  assertEquals(links.length, disputes.length);
  for (const [nth, path] of links.entries()) {
    const { value, crossCheckValue, foundAt, source, crossCheckSource } =
      disputes[nth]!;
    const { status, words, text } = await read(deps, path);
    assertEquals(status, 200, path);
    assertStringIncludes(words, "Two sources differ");
    for (
      const shown of [
        `${source} ${exactly(value)}`,
        `${crossCheckSource} ${exactly(crossCheckValue)}`,
        `Found ${foundAt.slice(0, 16).replace("T", " ")} UTC`,
      ]
    ) assertStringIncludes(words, shown);
    const own = [...text.matchAll(/curl (?:'|&#39;)(.*?)(?:'|&#39;)/g)]
      .map(([, url]) => url!.replaceAll("&amp;", "&"))
      .filter((url) => url.startsWith(deps.publicUrl));
    assert(own.length > 0, path);
    for (const url of own) {
      const answer = await createApp(deps).request(url);
      const body = await answer.text();
      assertEquals(answer.status, 200, url);
      if (url.includes("/revisions")) continue;
      assertStringIncludes(body, String(value), url);
    }
  }
});

Deno.test("/disputes says how far the sources agree, and that nothing was compared", async () => {
  {
    using deps = await testDeps();
    const empty = await read(deps, "/disputes");
    assertStringIncludes(empty.words, "Nothing has been compared yet");
    assertStringIncludes(empty.words, "No disputed day");
  }
  using deps = await checked(1);
  const { words } = await read(deps, "/disputes");
  assertMatch(words, /Transactions [\d.]+ % 2,\d{3} \d+ 2026-11-18/);
});

Deno.test("/revisions and the page of the day show the value before and after", async () => {
  using deps = await checked(1);
  const id = { subject: 43114, metric: "txCount" } as const;
  const day = "2026-11-05";
  const none = await read(deps, "/revisions");
  assertStringIncludes(
    none.words,
    "No complete day of this metric has changed since Firn began to read it",
  );
  const before = await deps.store.series.find(id);
  const at = Date.parse(day) / 864e5 - before!.series.firstDay;
  const values = [...before!.series.values];
  const old = values[at]!;
  values[at] = old + 7.25;
  deps.advance(60_000);
  await putSeries(deps, id, {
    from: new Date(before!.series.firstDay * 864e5).toISOString().slice(0, 10),
    values,
  });
  deps.advance(60_000);
  const { words, text } = await read(deps, "/revisions");
  const path = `/days/txCount/43114/${day}`;
  assert(hrefsOf(text).includes(path), words.slice(0, 900));
  assertEquals(rowsIn(text)[0]!.slice(0, 4), [
    day,
    "C-Chain",
    `${exactly(old)} transactions`,
    `${exactly(old + 7.25)} transactions`,
  ]);
  const page = await read(deps, path);
  assertStringIncludes(page.words, "Revised");
  assertStringIncludes(
    page.words,
    `the source returns another value: ${exactly(old)} became ${
      exactly(old + 7.25)
    }`,
  );
  const other = await read(deps, "/revisions?metric=gasUsed");
  assert(!hrefsOf(other.text).includes(path));
});

Deno.test("/revisions shows every digit of the old and the new value, in the unit of the API", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  const rows = [
    ["avgGasPrice", 25_000_000_001.5, "25,000,000,001.5 wei"],
    ["feesPaid", 81.645_678_901_234, "81.645678901234 AVAX"],
    ["gasUsed", 1_531_300_123_457, "1,531,300,123,457 gas"],
  ] as const;
  for (const [metric, value, shown] of rows) {
    const id = { subject: 43114, metric } as const;
    const values = Array(20).fill(value);
    await putSeries(deps, id, { from: "2026-11-01", values });
    deps.advance(60_000);
    await putSeries(deps, id, {
      from: "2026-11-01",
      values: values.with(4, value * 2),
    });
    deps.advance(60_000);
    const { text } = await read(deps, `/revisions?metric=${metric}`);
    assertEquals(
      rowsIn(text).find(([day]) => day === "2026-11-05")?.[2],
      shown,
    );
  }
});

Deno.test("the page of any day says whether it is compared, and refuses what is no day of a series", async () => {
  using deps = await checkedDeps();
  const cases = [
    ["/days/txCount/43114/2026-11-04", 200, "Two sources agree"],
    ["/days/txCount/43114/2026-11-20", 200, "has not published this day yet"],
    ["/days/blocks/43114/2026-11-21", 200, "has not published this day yet"],
    [`/days/txCount/${ANOMALY_CHAIN_IDS.missingWeek}/2026-09-20`, 200, "Gap"],
    ["/days/txCount/43114/2026-11-22", 400, "from 2020-09-21 to 2026-11-21"],
    ["/days/blocks/43114/2020-09-20", 400, "from 2020-09-21 to 2026-11-21"],
    ["/days/gasUsed/43114/2026-11-04", 200, "One source only"],
    ["/days/gas/43114/2026-11-04", 400, "Invalid series"],
    ["/days/txCount/43114/2026-13-04", 400, "Invalid day"],
    ["/days/txCount/999/2026-11-04", 404, "999"],
  ] as const;
  for (const [path, status, shown] of cases) {
    const page = await read(deps, path);
    assertEquals(page.status, status, path);
    assertStringIncludes(page.words, shown);
    if (status !== 200) continue;
    assertStringIncludes(
      page.words,
      "Nothing has happened to this day since Firn began to read it",
    );
  }
});

Deno.test("a day before the first one of its chain or of its series is neither a gap nor awaited", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  const values = Array(20).fill(5);
  const put = (metric: "gasUsed" | "txCount", from: string) =>
    putSeries(deps, { subject: 4337, metric }, { from, values });
  await put("txCount", "2026-10-02");
  await put("gasUsed", "2026-10-10");
  const cases = [
    ["txCount/4337/2026-10-01", "this chain, 2026-10-02"],
    ["gasUsed/4337/2026-10-01", "this chain, 2026-10-02"],
    ["gasUsed/4337/2026-10-09", "this series, 2026-10-10"],
    ["blocks/43114/2020-09-22", "this chain, 2020-09-23"],
  ];
  for (const [path, first] of cases) {
    const { words, text } = await read(deps, `/days/${path}`);
    assertStringIncludes(words, `The day is before the first day of ${first}`);
    assert(!/Gap|gap|missing|not published|badge/.test(text), words);
  }
});

Deno.test("the names of checked series in answers lead to the pages of their days", async () => {
  using deps = await testDeps();
  const rows = [
    ["transactions", "txCount"],
    ["fees", "feesPaid"],
    ["monthly-transactions", "txCount"],
    ["block-production", "blocks"],
  ];
  for (const [named, series] of rows) {
    const response = await createApp(deps).request(
      `/days/${named}/43114/2026-11-04`,
    );
    assertEquals(response.status, 301);
    assertEquals(
      response.headers.get("Location"),
      `/days/${series}/43114/2026-11-04`,
    );
  }
});

Deno.test("the page of a day shows every digit of the value, in the unit of the API", async () => {
  using deps = await testDeps();
  const units = [
    ["txCount", "Transactions"],
    ["gasUsed", "Gas"],
    ["avgGps", "Gas/s"],
    ["avgGasPrice", "Wei"],
    ["feesPaid", "AVAX"],
    ["avgTps", "TPS"],
  ];
  for (const [metric, unit] of units) {
    const day = "2026-11-04";
    const days = `metric=${metric}&from=${day}&to=${day}`;
    const answer = await createApp(deps).request(
      `/api/chain-data/metrics?${days}`,
    );
    const { series: [{ value }], source } = await answer.json();
    const { words } = await read(deps, `/days/${metric}/43114/${day}`);
    assertStringIncludes(
      words.replace(/ +/g, " "),
      `Source ${unit} ${source} ${exactly(value)} `,
    );
  }
});

Deno.test("a day links the days around it, from the first day of the network to today", async () => {
  using deps = await checkedDeps();
  const around = async (day: string) => {
    const { text } = await read(deps, `/days/txCount/43114/${day}`);
    return [...text.matchAll(/rel="(?:prev|next)" href="[^"]*\/([\d-]+)"/g)]
      .map(([, other]) => other);
  };
  assertEquals(await around("2026-11-04"), ["2026-11-03", "2026-11-05"]);
  assertEquals(await around("2026-11-21"), ["2026-11-20"]);
  assertEquals(await around("2027-01-01"), []);
  assertEquals(await around("2020-09-21"), ["2020-09-22"]);
});

Deno.test("being compared never looks worse than not being compared", () => {
  const none = { agreementPct: null, comparedDayCount: 0 };
  assertEquals(proofOf(none), "oneSource");
  assertEquals(proofOf({ ...none, reason: "notIndexed" }), "notIndexed");
  const most = { agreementPct: 99.72, comparedDayCount: 362 };
  assertEquals(proofOf(most), "agree");
  assertEquals(
    proofWords(most),
    "two sources agree on 99.72 % of 362 days",
  );
  assertEquals(proofOf({ agreementPct: 49.9 }), "differ");
});
