/** The figure of the explorer: what is drawn, its readout, its keys and its legend. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import {
  chartFigure,
  drawingOf,
} from "../../../routes/charts/explorer_figure.ts";
import {
  chart,
  elementsOf,
  point,
  withClass,
} from "../../support/charts/charts.ts";
import {
  compared,
  COMPARED_DAYS,
  upgrade,
} from "../../support/charts/compared_charts.ts";
import {
  type Chart,
  type ChartLine,
  type ChartPoint,
  type ChartView,
  PLAIN_VIEW,
} from "../../../services/charts/charts_schema.ts";
import { askMetrics } from "../../support/chain_data/metrics_answers.ts";
import { testDeps } from "../../support/deps.ts";
import { askExplorer, rowsOf, wordsOf } from "../../support/charts/explorer.ts";
import { unescape } from "../../support/outline.ts";
import { checkedDeps } from "../../support/jobs.ts";
import { formatDrawn } from "../../../routes/charts/chart_words.ts";

Deno.test("unfinished=hide leaves out what is still filling: in the image, in the page, and in its code for embedding", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  for (const name of ["txCount.svg?range=30d", "validators.svg?range=30d"]) {
    const marks = async (query: string) => {
      const response = await app.request(`/chart/${name}${query}`);
      assertEquals(response.status, 200, name);
      const elements = elementsOf(await response.text());
      return withClass(elements, "provisional").length;
    };
    assertEquals([await marks(""), await marks("&unfinished=hide")], [1, 0]);
  }
  const path =
    "/?metric=txCount&chainId=43114&range=30d&interval=day&unfinished=hide";
  const { text } = await askExplorer(deps, path);
  assert(!text.includes('class="provisional"'));
  assertStringIncludes(
    unescape(text),
    "/chart/txCount.svg?chainId=43114&range=30d&interval=day&unfinished=hide",
  );
  assertEquals(rowsOf(text)[0]!.at(-1), "no", "the table keeps the day");
});

Deno.test("the page of a chart says the total of its complete days, and the changes", async () => {
  using deps = await testDeps();
  const days = "from=2026-11-01&to=2026-11-10";
  const path = `/?metric=txCount&chainId=43114&${days}&interval=day`;
  const words = wordsOf((await askExplorer(deps, path)).text);
  const { body: { series } } = await askMetrics(deps, days);
  const total = series.reduce((sum, { value }) => sum + value, 0);
  assertStringIncludes(
    words,
    `Total of 10 days: ${total.toLocaleString("en-US")} transactions`,
  );
  assertMatch(words, /[\d.]+ % on the 10 days before/);
  assertMatch(words, /[\d.]+ % on the year before/);
});

/** The words of the readout: the day, then the value of each line. */
function readoutOf(given: Chart): string[] {
  const figure = String(chartFigure(given));
  return [...figure.matchAll(/class="readout-(?:day|value)">([^<]*)/g)]
    .map(([, words]) => words!);
}

const DAYS = COMPARED_DAYS;
const WEEKS = ["2026-11-02", "2026-11-09"];

Deno.test("the readout shows the newest complete bucket, else the newest", () => {
  const valued = (given: Partial<ChartPoint>[]) =>
    readoutOf(
      chart(DAYS, given.map((more, at) => point(DAYS[at]!, at + 1, more))),
    );
  const open = { complete: false };
  assertEquals(valued([{}, {}]), ["2026-11-02", "2 transactions"]);
  assertEquals(valued([{}, open]), ["2026-11-01", "1 transactions"]);
  assertEquals(valued([open, open]), ["2026-11-04", "no value"]);
  assertEquals(valued([open, open, open, open]), [
    "2026-11-04",
    "4 transactions, incomplete",
  ]);
  assertEquals(valued(Array(4).fill({ ...open, inferred: true })), [
    "2026-11-04",
    "4 transactions, inferred",
  ]);
  const month = chart(DAYS, [point(DAYS[0]!, 1)], { interval: "month" });
  assertEquals(readoutOf(month)[0], "2026-11");
  const week = chart(DAYS, [point(DAYS[0]!, 1)], { interval: "week" });
  assertEquals(readoutOf(week)[0], "Week of 2026-11-01");
});

Deno.test("the readout of a view says what is drawn: an index with its value, a share in percent, an average in the unit", () => {
  const of = (view: Partial<ChartView>, drawn: readonly (number | null)[]) =>
    readoutOf(chart([DAYS[0]!], [point(DAYS[0]!, 7)], {
      view: { ...PLAIN_VIEW, ...view },
      line: { drawn },
    }))[1];
  const rows: [
    view: Partial<ChartView>,
    words: string,
    missing: string,
  ][] = [
    [{}, "12.3 transactions", "no value"],
    [{ values: "index" }, "12.3 (7 transactions)", "no index"],
    [{ values: "index", average: "7" }, "12.3", "no index"],
    [{ values: "share" }, "12.3 %", "no share"],
    [{ average: "7" }, "12.3 transactions", "no average"],
  ];
  for (const [view, words, missing] of rows) {
    assertEquals(of(view, [12.3]), words);
    assertEquals(of(view, [null]), missing);
  }
});

Deno.test("the keys name only what is drawn, and why days are inferred", () => {
  const keysOf = (
    points: readonly Partial<ChartPoint>[],
    line: Partial<ChartLine> = {},
    { axis, ...more }: Pick<Partial<Chart>, "axis" | "interval"> = {},
  ) => {
    const days = axis ?? DAYS;
    const figure = String(chartFigure(
      chart(days, points.map((more, at) => point(days[at]!, 1, more)), {
        line,
        ...more,
      }),
    ));
    return [
      ...figure.matchAll(/class="key">([\s\S]*?)<\/span>\s*(?:<span|<\/fig)/g),
    ]
      .map(([, key]) => wordsOf(key!).trim());
  };
  const inferred = { inferred: true };
  assertEquals(keysOf([{}]), []);
  assertEquals(keysOf([{ complete: false }]), ["incomplete: will change"]);
  assertEquals(keysOf([inferred]), [
    "inferred: the source publishes no more days",
  ]);
  assertEquals(keysOf([inferred], { dataThrough: null }), [
    "inferred as 0: the source has published no day of this chain",
  ]);
  assertEquals(keysOf([{ agrees: false }]), ["disputed: two sources differ"]);
  assertEquals(keysOf([{ revisedAt: "2026-11-09" }]), [
    "revised: the source changed the value",
  ]);
  const weekly = (dataThrough: string, points: Partial<ChartPoint>[]) =>
    keysOf(points, { dataThrough }, { interval: "week", axis: WEEKS });
  const open = { complete: false };
  assertEquals(weekly("2026-11-07", [open]), ["incomplete: will change"]);
  assertEquals(weekly("2026-11-08", [open]), ["incomplete: lacks days"]);
  assertEquals(weekly("2026-11-14", [open, open]), [
    "incomplete: will change, or lacks days",
  ]);
  const gap = { from: DAYS[0]!, to: DAYS[1]! };
  assertEquals(keysOf([{}], { gaps: [gap] as never }), [
    "broken line: no value",
  ]);
});

Deno.test("a chart without days and one without a drawn value say so, and upgrades are listed with their sources", () => {
  const figure = (given: Chart) => String(chartFigure(given));
  assertStringIncludes(
    figure(chart([], [])),
    "There are no values for these days.",
  );
  const nothing = chart([DAYS[0]!], [point(DAYS[0]!, 1)], {
    line: { drawn: [null] },
  });
  const notice = "There is nothing to draw: no value of these days is shown.";
  assertStringIncludes(figure(nothing), notice);
  const some = chart([DAYS[0]!], [point(DAYS[0]!, 1)]);
  assertEquals(figure(some).includes("nothing to draw"), false);
  assertEquals(/class="upgrades"/.test(figure(some)), false);
  const listed = (count: number) => {
    const upgrades = [
      upgrade("Granite", DAYS[0]!),
      { ...upgrade("Helicon", DAYS[1]!), change: "faster" },
    ].slice(0, count);
    return wordsOf(figure({ ...some, upgrades }));
  };
  assertStringIncludes(
    listed(1),
    "1 network upgrade in these days 2026-11-01: Granite",
  );
  assertStringIncludes(listed(2), "2 network upgrades in these days");
  assertStringIncludes(listed(2), "2026-11-02: Helicon , faster");
});

Deno.test("each line of a comparison has its swatch, its value, its base and whether that is small", () => {
  const given = compared([[1, 2], [4]], {
    view: { values: "index", base: "first" },
  });
  const [first, second] = given.lines;
  const base = { day: DAYS[0]!, value: 1, bucketCount: 1, isSmall: true };
  const figure = String(chartFigure({
    ...given,
    lines: [{ ...first!, base }, second!],
  }));
  const items = [...figure.matchAll(/<li aria-atomic[\s\S]*?<\/li>/g)]
    .map(([item]) => [
      item.match(/series-(\d+)/)![1],
      wordsOf(item).trim().replace(/ +/g, " "),
    ]);
  assertEquals(items, [
    [
      "1",
      "Chain 1 2.0 (2 transactions) 100 = 1 transactions, 2026-11-01 Small base: swings look larger than they are",
    ],
    [
      "2",
      "Chain 2 no index no index: expected 1 complete days from the first active one",
    ],
  ]);
  assertEquals(
    String(chartFigure(compared([[1], [2]]))).includes("small base"),
    false,
  );
});

Deno.test("both sources of a single series are drawn over each other, with their difference below", async () => {
  using deps = await checkedDeps();
  const path = "/?metric=txCount&chainId=43114&range=30d&interval=day";
  const { text } = await askExplorer(deps, path);
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
  assertMatch(wordsOf(text), /transactions, second source [\d,]+/);
  for (
    const without of [
      "/?metric=gasUsed&chainId=43114&range=30d&interval=day",
      "/?metric=txCount&chainId=4337&chainId=43114&range=30d&interval=day",
      `${path}&average=7`,
    ]
  ) {
    const { text } = await askExplorer(deps, without);
    assert(!/line-second|differences/.test(text), without);
  }
});

const VALUES = [1_234_567.714, 999.996, 12.345678, 0.000123456];

Deno.test("the browser gets an average with the digits that the table writes, and no more", () => {
  const chart = compared([VALUES], { view: { average: "7" } });
  const [line] = drawingOf(chart).lines;
  assertEquals(
    line!.values.map((value) => formatDrawn(chart, value!)),
    VALUES.map((value) => formatDrawn(chart, value)),
  );
  assertEquals(line!.values, [1_234_567.71, 1_000, 12.346, 0.00012346]);
});

Deno.test("the browser gets a share with more digits than the readout shows, so that it is rounded once", () => {
  const chart = compared([[123.449, 12_345.64]], {
    view: { values: "share" },
  });
  const [line] = drawingOf(chart).lines;
  assertEquals(
    line!.values.slice(0, 2).map((value) => formatDrawn(chart, value!)),
    [
      "123.4",
      "12,345.6",
    ],
  );
});
