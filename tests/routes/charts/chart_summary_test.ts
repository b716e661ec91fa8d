/** A chart in words. */
import { assertEquals } from "@std/assert";
import {
  agreementOf,
  noticesOf,
  summaryOf,
} from "../../../routes/charts/chart_svg.ts";
import type { ChartPoint } from "../../../services/charts/charts_schema.ts";
import { chart, point } from "../../support/charts/charts.ts";
import {
  compared,
  COMPARED_DAYS,
  upgrade,
} from "../../support/charts/compared_charts.ts";

const of = (points: readonly ChartPoint[], more = {}) =>
  chart(COMPARED_DAYS, points, more);

const valued = (values: readonly number[]) =>
  of(values.map((value, at) => point(COMPARED_DAYS[at]!, value)));

Deno.test("summaryOf() names the lowest, the highest and the latest complete value of each line", () => {
  assertEquals(
    summaryOf(valued([5, 1, 9, 1])),
    "Example, transactions: lowest 1 (2026-11-02), highest 9 (2026-11-03), latest 1 (2026-11-04).",
  );
  assertEquals(
    summaryOf(valued([3, 3])),
    "Example, transactions: lowest 3 (2026-11-01), highest 3 (2026-11-01), latest 3 (2026-11-02).",
  );
  const partly = of([
    point(COMPARED_DAYS[0]!, 5),
    point(COMPARED_DAYS[1]!, 1, { complete: false, inferred: true }),
  ]);
  assertEquals(
    summaryOf(partly).split(". ")[0],
    "Example, transactions: lowest 5 (2026-11-01), highest 5 (2026-11-01), latest 5 (2026-11-01)",
  );
  const none = of([point(COMPARED_DAYS[0]!, 5, { complete: false })]);
  assertEquals(
    summaryOf(none).split(". ")[0],
    "Example, transactions: lowest 5 (2026-11-01), highest 5 (2026-11-01), latest 5 (2026-11-01)",
  );
  assertEquals(summaryOf(of([])), "Example: no data.");
});

Deno.test("summaryOf() adds the changes, of each chain if there are several, and the network upgrades", () => {
  const changes = {
    from: COMPARED_DAYS[0]!,
    to: COMPARED_DAYS[3]!,
    fold: "sum",
    value: 7,
    missingDays: 0,
    before: null,
    yearBefore: null,
  } as const;
  const sentencesOf = (given: ReturnType<typeof chart>) =>
    summaryOf(given).split(/(?<=\.) /).slice(given.lines.length);
  assertEquals(sentencesOf(of([], { line: { changes } })), [
    "Total of 4 days: 7 transactions.",
  ]);
  const two = compared([[1], [2]]);
  const [first, second] = two.lines;
  assertEquals(
    sentencesOf({
      ...two,
      lines: [first!, { ...second!, changes }],
      upgrades: [upgrade("A", "2026-11-01"), upgrade("B", "2026-11-02")],
    }),
    [
      "Chain 2: Total of 4 days: 7 transactions.",
      "network upgrades: A on 2026-11-01, B on 2026-11-02.",
    ],
  );
});

Deno.test("noticesOf() counts what is marked, one in the singular", () => {
  const marks: [more: Partial<ChartPoint>, one: string, two: string][] = [
    [
      { complete: false },
      "1 incomplete day, hollow",
      "2 incomplete days, hollow",
    ],
    [
      { inferred: true },
      "1 inferred day, dashed",
      "2 inferred days, dashed",
    ],
    [
      { withdrawn: true },
      "1 day withdrawn by the source",
      "2 days withdrawn by the source",
    ],
    [
      { revisedAt: "2026-11-09" },
      "1 revised day, with a diamond",
      "2 revised days, with a diamond",
    ],
    [{ agrees: false }, "1 disputed day, ringed", "2 disputed days, ringed"],
  ];
  for (const [more, one, two] of marks) {
    const points = COMPARED_DAYS.slice(0, 3)
      .map((day, at) => point(day, at + 1, at > 0 ? more : {}));
    assertEquals(noticesOf(of(points)), [two]);
    assertEquals(noticesOf(of(points.slice(0, 2))), [one]);
    assertEquals(noticesOf(of(points.slice(0, 1))), []);
  }
  const gap = { from: "2026-11-01", to: "2026-11-02" };
  const gapped = (count: number) =>
    noticesOf(of([], { line: { gaps: Array(count).fill(gap) } }));
  assertEquals([0, 1, 2].map(gapped), [[], ["1 gap"], ["2 gaps"]]);
  const two = compared([[1], [2]]);
  const lines = two.lines.map((line) => ({ ...line, gaps: [gap] as never }));
  assertEquals(noticesOf({ ...two, lines }), ["2 gaps"]);
  const open = compared([[1], [2]]).lines.map((line) => ({
    ...line,
    points: line.points.map((point) => ({ ...point, complete: false })),
  }));
  assertEquals(
    noticesOf({ ...two, lines: open }),
    ["1 incomplete day, hollow"],
    "a day of two chains counts once",
  );
});

Deno.test("agreementOf() rounds down, and says when nothing was compared", () => {
  assertEquals(
    agreementOf({ agreementPct: 99.999, comparedDayCount: 2240 }),
    "99.99 % of 2,240 compared days agree",
  );
  assertEquals(
    agreementOf({ agreementPct: 100, comparedDayCount: 1 }),
    "100 % of 1 compared day agrees",
  );
  assertEquals(
    agreementOf({ agreementPct: null, comparedDayCount: 0 }),
    "none of these days has been compared",
  );
});
