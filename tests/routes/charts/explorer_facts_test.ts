/** The facts beside a chart of the explorer, and its table of disputed days, from charts made up. */
import { assert, assertEquals } from "@std/assert";
import {
  chartBadge,
  disputedSection,
  trustFacts,
} from "../../../routes/charts/explorer_page.ts";
import type { Chart } from "../../../services/charts/charts_schema.ts";
import type { ExplorerState } from "../../../services/charts/explorer.ts";
import { chart, point } from "../../support/charts/charts.ts";
import {
  compared,
  COMPARED_DAYS,
} from "../../support/charts/compared_charts.ts";
import { EXPLORER_STATE, wordsOf } from "../../support/charts/explorer.ts";
import { outlineOf } from "../../support/outline.ts";

type Checks = NonNullable<Chart["checks"]>;

const DAYS = COMPARED_DAYS;
const STATE: ExplorerState = { ...EXPLORER_STATE, chainIds: [1] };

const factsOf = (given: Chart, state = STATE) =>
  outlineOf(
    String(trustFacts({ chart: given, state })),
    /^(is-long|is-differ)$/,
  );

const CHECKS: Checks = {
  source: "another source",
  fetchedAt: null,
  tolerancePct: { day: 0.5, month: 0.05 },
  checkedThrough: DAYS[3]!,
  comparedDayCount: 4,
  notComparedDayCount: 0,
  agreementPct: 99.96,
  disputedDays: [],
  withdrawnDays: [],
};

/** A chart of the values 1, 2 and so on, each with its marks. */
const marked = (...marks: Parameters<typeof point>[2][]) =>
  chart(DAYS, marks.map((more, at) => point(DAYS[at]!, at + 1, more)));

Deno.test("the badge of a chart counts its disputed days", () => {
  const of = (count: number) => {
    const day = { value: 1, crossCheckValue: 2, differencePct: 100 };
    const disputedDays = DAYS.slice(0, count).map((at) => ({
      day: at,
      ...day,
    }));
    const checks = { ...CHECKS, disputedDays };
    return wordsOf(String(chartBadge({ ...marked({}), checks })));
  };
  assertEquals(
    [0, 1, 2].map((count) => /\d days? disputed/.exec(of(count))?.[0]),
    [
      undefined,
      "1 day disputed",
      "2 days disputed",
    ],
  );
});

Deno.test("the badge beside the title says what the card below it says", () => {
  const charts: [name: string, given: Chart][] = [
    ["one source", marked({})],
    ...[100, 99.96, 49.9, 0, null].map((agreementPct): [string, Chart] => [
      `${agreementPct} %`,
      { ...marked({}), checks: { ...CHECKS, agreementPct } },
    ]),
  ];
  for (const [name, given] of charts) {
    const badge = wordsOf(String(chartBadge(given))).trim();
    const lines = factsOf(given);
    const at = lines.findIndex((line) => /^dt (Two|One) source/.test(line));
    assert(
      badge.startsWith(lines[at]!.slice("dt ".length)),
      `${name}: ${badge}`,
    );
    const share = /[\d.]+ %/.exec(badge)?.[0];
    if (share) assertEquals(lines[at + 1], `dd ${share}`, name);
    assertEquals(
      share === undefined,
      (given.checks?.agreementPct ?? null) === null,
    );
  }
});

Deno.test("the facts of a chart without a second source are its newest value, its days and its source", () => {
  assertEquals(factsOf(marked({}, {})), [
    "dt Newest complete day",
    "dd 2",
    "dd transactions, 2026-11-02",
    "dt Data through",
    "dd 2026-11-02",
    "dd every day complete, no gap",
    "dt One source only",
    "dd Only one source publishes this series.",
    "dt Source",
    "dd a source",
    "dd read [datetime=2026-11-21T08:00:00.000Z]2026-11-21 08:00 UTC",
  ]);
  const none = { ...marked(), lines: [{ ...marked().lines[0]!, gaps: [] }] };
  assertEquals(factsOf(none).slice(0, 5), [
    "dt Newest complete day",
    "dd none",
    "dt Data through",
    "dd none",
    "dd no values for these days, no gap",
  ]);
});

Deno.test("the facts say which buckets are incomplete or inferred, and whether they are drawn", () => {
  const open = { complete: false };
  const guessed = { inferred: true };
  const shownOf = (given: Chart, state = STATE) => {
    const lines = factsOf(given, state);
    return lines[lines.indexOf("dt Data through") + 2]!.slice("dd ".length);
  };
  assertEquals(shownOf(marked({}, {})), "every day complete, no gap");
  assertEquals(shownOf(marked({}, open)), "1 incomplete day, hollow, no gap");
  assertEquals(
    shownOf(marked(open, guessed, open)),
    "2 incomplete days, hollow, 1 inferred day, dashed, no gap",
  );
  const hidden = { ...STATE, unfinished: "hide" as const };
  assertEquals(
    shownOf(marked({}, open), hidden),
    "1 incomplete day, not drawn, no gap",
  );
  const gap = { from: DAYS[0]!, to: DAYS[1]!, days: 2 };
  const withGaps = (count: number) => {
    const given = marked({});
    const gaps = Array(count).fill(gap);
    return { ...given, lines: [{ ...given.lines[0]!, gaps }] };
  };
  assertEquals(shownOf(withGaps(1)), "every day complete, 1 gap");
  assertEquals(shownOf(withGaps(3)), "every day complete, 3 gaps");
});

Deno.test("the newest value is marked as long from twelve characters on", () => {
  const valueOf = (value: number) =>
    factsOf(chart(DAYS, [point(DAYS[0]!, value)]))[1];
  assertEquals(valueOf(123_456_789), "dd 123,456,789");
  assertEquals(valueOf(1_123_456_789), "dd.is-long 1,123,456,789");
  assertEquals(
    valueOf(12_345_678.9),
    "dd.is-long 12,345,678.9",
  );
});

Deno.test("a comparison has data through the earliest day, and the checks of the C-Chain only", () => {
  const two = compared([[1, 2], [3, 4]]);
  const lines = two.lines.map((line, nth) => ({
    ...line,
    chainId: nth === 1 ? 43114 : 7,
    dataThrough: DAYS[1 + nth]!,
    fetchedAt: `2026-11-2${nth}T08:00:00.000Z`,
  }));
  assertEquals(factsOf({ ...two, lines, checks: CHECKS }), [
    "dt Data through",
    "dd 2026-11-02",
    "dd every day complete, no gap",
    "dt Two sources agree",
    "dd 99.96 %",
    "dd Chain 2 only: of 4 compared days, 0 disputed",
    "dd another source",
    "dd [href=/?metric=monthly-transactions&range=30d&interval=day]Show both values",
    "dt Source",
    "dd a source",
    "dd read [datetime=2026-11-20T08:00:00.000Z]2026-11-20 08:00 UTC",
  ]);
  const never = lines.map((line, nth) =>
    nth === 1 ? { ...line, dataThrough: null } : line
  );
  assertEquals(factsOf({ ...two, lines: never })[1], "dd none");
  const other = lines.map((line) => ({ ...line, chainId: 7 }));
  assertEquals(
    factsOf({ ...two, lines: other, checks: CHECKS })
      .some((line) => line.startsWith("dd C-Chain only: ")),
    true,
  );
});

Deno.test("the facts of a checked chart have the agreement, the disputed days and a link to both values", () => {
  const disputed = { day: DAYS[1]!, value: 10, crossCheckValue: 1234.5 };
  const disputedDays = [
    { ...disputed, differencePct: -1.5 },
    { ...disputed, day: DAYS[2]!, differencePct: null },
  ] as Checks["disputedDays"];
  const checked = (
    more: Partial<Checks>,
    recentAgreementPct: number | null,
  ) => ({
    ...marked({}),
    checks: { ...CHECKS, ...more },
    recentAgreementPct,
  });
  const from = (lines: string[]) =>
    lines.slice(
      lines.findIndex((line) => /^dt (Two|One) source/.test(line)),
      -3,
    );
  assertEquals(from(factsOf(checked({ disputedDays }, 98.7))), [
    "dt Two sources agree",
    "dd 99.96 %",
    "dd of 4 compared days, .is-differ[href=/disputes]2 disputed",
    "dd 98.7 % of the last 90 compared days of the series",
    "dd another source",
    "dd [href=/?metric=monthly-transactions&range=30d&interval=day]Show both values",
  ]);
  assertEquals(from(factsOf(checked({ agreementPct: null }, null))), [
    "dt One source only",
    "dd None of these days was compared.",
    "dd another source",
    "dd [href=/?metric=monthly-transactions&range=30d&interval=day]Show both values",
  ]);
  const linkOf = (state: ExplorerState) =>
    factsOf(checked({}, null), state).find((line) => line.includes("href"));
  assertEquals(
    linkOf({ ...STATE, interval: "week" }),
    "dd [href=/?metric=monthly-transactions&range=30d&interval=month]Show both values",
  );
  assertEquals(linkOf({ ...STATE, metric: "validators" }), undefined);
  const sectionOf = (given: Chart, state = STATE) =>
    outlineOf(String(disputedSection({ chart: given, state })), /^num$/);
  assertEquals(sectionOf(checked({ disputedDays }, null)), [
    "h2 Disputed days",
    "p The sources differ by more than 0.5 % on these days. Second source: another source. [href=/?metric=monthly-transactions&range=30d&interval=day]The checked series shows both values of every day.",
    "tr Day | .num Shown here | .num Second source | .num Difference",
    "tr [href=/days/txCount/43114/2026-11-03]2026-11-03 | .num 10 | .num 1,234.5 | .num –",
    "tr [href=/days/txCount/43114/2026-11-02]2026-11-02 | .num 10 | .num 1,234.5 | .num −1.5 %",
  ]);
  assertEquals(sectionOf(checked({}, null)), []);
  assertEquals(sectionOf(marked({})), []);
  const own = sectionOf(
    { ...checked({ disputedDays }, null), chainNames: ["A", "B"] },
    { ...STATE, metric: "validators" },
  );
  assertEquals(own.slice(0, 2), [
    "h2 Disputed days of C-Chain",
    "p The sources differ by more than 0.5 % on these days. Second source: another source. Both values are in the JSON too.",
  ]);
});
