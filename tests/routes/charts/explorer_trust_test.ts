/** The reliability facts of the explorer: disputes, agreement and newest day. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { askChecked } from "../../support/checked_answers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import {
  askExplorer as ask,
  hrefsOf,
  rowsOf,
  wordsOf,
} from "../../support/charts/explorer.ts";
import { checkDaily } from "../../support/jobs.ts";

/** The checked series of a metric. */
const CHECKED = {
  txCount: "/monthly-transactions",
  feesPaid: "/transaction-fees",
} as const;

/** A day on which the simulated sources disagree on both series. */
const DISPUTED_DAY = "2026-11-11";

/** Returns the rows that are marked as disputed. */
const disputedRows = (page: string) =>
  rowsOf(page).filter((row) => row.at(-1)!.endsWith("disputed"));

/** Returns the number of rings in one picture. The page has one picture per size. */
const ringsOf = (page: string) =>
  page.split('<circle class="disputed"').length - 1;

async function wordsAt(deps: TestDeps, path: string) {
  const { status, text } = await ask(deps, path);
  assertEquals(status, 200, path);
  return { text, words: wordsOf(text) };
}

Deno.test("a disputed day of a checked series is also marked for its metric, in table and chart", async (t) => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  for (const metric of ["txCount", "feesPaid"] as const) {
    for (
      const [interval, bucket] of [
        ["day", DISPUTED_DAY],
        ["week", "2026-11-09"],
        ["month", "2026-11-01"],
      ]
    ) {
      await t.step(`${metric} by ${interval}`, async () => {
        const { text, words } = await wordsAt(
          deps,
          `/?metric=${metric}&chainId=43114&range=30d&interval=${interval}`,
        );
        assertEquals(disputedRows(text).map(([day]) => day), [bucket]);
        assertEquals(ringsOf(text), 2);
        assertStringIncludes(words, "disputed: two sources differ");
        const { checks: { disputedDays: [disputed] } } = await askChecked(
          deps,
          CHECKED[metric],
          `interval=day&from=${DISPUTED_DAY}&to=${DISPUTED_DAY}`,
        );
        for (const shown of [disputed!.value, disputed!.crossCheckValue]) {
          const whole = Math.floor(shown).toLocaleString("en-US");
          assertStringIncludes(words, whole);
        }
      });
    }
  }
  await t.step(
    "a week is marked by days before the range's first",
    async () => {
      const { text } = await wordsAt(
        deps,
        "/?metric=txCount&chainId=43114&from=2026-11-14&to=2026-11-14&interval=week",
      );
      assertEquals(disputedRows(text).map(([day]) => day), ["2026-11-09"]);
    },
  );
  await t.step("other chains and metrics are not marked", async () => {
    for (const state of ["txCount&chainId=4337", "gasUsed&chainId=43114"]) {
      const { text, words } = await wordsAt(
        deps,
        `/?metric=${state}&range=90d&interval=day`,
      );
      assertEquals([disputedRows(text), ringsOf(text)], [[], 0]);
      assertMatch(
        words,
        /One source only (The second source was not read yet|Only one source publishes this series)\./,
      );
    }
  });
});

Deno.test("a comparison states that only the C-Chain is checked", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  const { text, words } = await wordsAt(
    deps,
    "/?metric=txCount&chainId=4337&chainId=43114&range=90d&interval=day",
  );
  const { checks } = await askChecked(
    deps,
    "/monthly-transactions",
    "range=90d&interval=day",
  );
  assertStringIncludes(
    words,
    `C-Chain only: of ${checks.comparedDayCount} compared days, 1 disputed`,
  );
  assert(!words.includes("One source only"));
  assertEquals(disputedRows(text).map(([day]) => day), [DISPUTED_DAY]);
  assertEquals(ringsOf(text), 2);
  assertStringIncludes(text, `"words":"C-Chain, ${DISPUTED_DAY}: `);
  assertStringIncludes(words, "Disputed days of C-Chain");
  const both = "/?metric=monthly-transactions&range=90d&interval=day";
  assert(hrefsOf(text).includes(both));

  const others = await wordsAt(
    deps,
    `/?metric=txCount&chainId=4337&chainId=${ANOMALY_CHAIN_IDS.young}&range=90d&interval=day`,
  );
  assertStringIncludes(others.words, "One source only");
});

Deno.test("every page shows the same recent agreement", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  const newest = "98.88 % of the last 90 compared days of the series";
  for (
    const state of [
      "monthly-transactions&range=30d&interval=day",
      "monthly-transactions&from=2021-01-01&to=2021-02-01&interval=month",
      "txCount&chainId=43114&range=all&interval=week",
      "txCount&chainId=43114&from=2026-11-20&interval=day",
    ]
  ) {
    const { words } = await wordsAt(deps, `/?metric=${state}`);
    assertStringIncludes(words, newest, state);
  }
});

Deno.test("the difference of an incomplete month names its compared days", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  for (const name of ["monthly-transactions", "transaction-fees"] as const) {
    const { series } = await askChecked(deps, `/${name}`, "range=90d");
    const { comparedDayCount, day } = series.at(-1)!;
    assertEquals([day, comparedDayCount], ["2026-11-01", 18]);
    const { text } = await wordsAt(
      deps,
      `/?metric=${name}&range=90d&interval=month`,
    );
    const [running, ...whole] = rowsOf(text)
      .map((row) => row.map((cell) => cell.replace(/\s+/g, " ")));
    assertMatch(running![3]!, /^[+−][\d.]+ % over 18 compared days$/);
    assert(!whole.flat().some((cell) => cell.includes("compared")));
    assertStringIncludes(text, "over 18 compared days); 2026-11-11: ");
  }
});

Deno.test("unpublished days are not shown as complete", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  for (const chain of ["43114", "4337", "43114&chainId=4337"]) {
    const { words } = await wordsAt(
      deps,
      `/?metric=txCount&chainId=${chain}&from=2026-11-20&interval=day`,
    );
    assertStringIncludes(
      words,
      "Data through 2026-11-18 no values for these days, no gap",
    );
    assert(!words.includes("every day complete"));
    const isChecked = chain.startsWith("43114");
    assertEquals(/none of these days was compared/i.test(words), isChecked);
    assertStringIncludes(words, "One source only");
  }
});

Deno.test("an incomplete day of several chains counts once, and is called hollow only if it is drawn", async () => {
  using deps = await testDeps();
  const compared = "chainId=43114&chainId=4337&chainId=53935";
  const picture = await createApp(deps).request(
    `/chart/txCount.svg?${compared}&range=90d`,
  );
  assertMatch(
    await picture.text(),
    /class="notices"[^>]*>no index of DFK L1: [^<·]* · 1 incomplete day, hollow</,
  );
  for (
    const [chains, drawing, how] of [
      ["chainId=43114", "", "hollow"],
      [compared, "", "hollow"],
      ["chainId=43114", "&average=7", "not drawn"],
      ["chainId=43114", "&unfinished=hide", "not drawn"],
    ]
  ) {
    const { text, words } = await wordsAt(
      deps,
      `/?metric=txCount&${chains}&range=90d&interval=day${drawing}`,
    );
    assertStringIncludes(words, `1 incomplete day, ${how}, no gap`);
    const isHollow = how === "hollow";
    assertEquals(words.includes("incomplete: will change"), isHollow);
    assertEquals(text.includes("incomplete day, hollow"), isHollow);
  }
});

Deno.test("both sources of a single series are drawn over each other, with their difference below", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  const path = "/?metric=txCount&chainId=43114&range=30d&interval=day";
  const { text, words } = await wordsAt(deps, path);
  // One picture per size.
  assertEquals(text.split('class="line-second"').length - 1, 2);
  const differences = text.split('<svg class="chart differences"').slice(1);
  assertEquals(differences.length, 2);
  for (const picture of differences) {
    const bars = (kind: string) =>
      picture.match(new RegExp(`class="${kind}"[^>]* d="([^"]*)"`))![1]!
        .split("M").length - 1;
    assertEquals([bars("difference is-disputed"), bars("difference")], [1, 26]);
  }
  assertMatch(words, /transactions, second source [\d,]+/);
  for (
    const without of [
      "/?metric=gasUsed&chainId=43114&range=30d&interval=day",
      "/?metric=txCount&chainId=4337&chainId=43114&range=30d&interval=day",
      `${path}&average=7`,
    ]
  ) {
    const { text } = await wordsAt(deps, without);
    assert(!/line-second|differences/.test(text), without);
  }
});
