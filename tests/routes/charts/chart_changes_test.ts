/** The change of a line against earlier windows, in words. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  changeChips,
  describeChanges,
} from "../../../routes/charts/chart_words.ts";
import type {
  Change,
  LineChanges,
} from "../../../services/charts/charts_schema.ts";
import { chart, point } from "../../support/charts/charts.ts";
import { outlineOf } from "../../support/outline.ts";

const BEFORE: Change = {
  from: "2026-10-02",
  to: "2026-10-31",
  changePct: 1.6,
  missingDays: 0,
};

const YEAR_BEFORE: Change = {
  from: "2025-11-01",
  to: "2025-11-30",
  changePct: -50,
  missingDays: 0,
};

const CHANGES: LineChanges = {
  from: "2026-11-01",
  to: "2026-11-30",
  fold: "sum",
  value: 1234,
  missingDays: 0,
  before: BEFORE,
  yearBefore: YEAR_BEFORE,
};

function given(changes: Partial<LineChanges> | null) {
  const line = { changes: changes && { ...CHANGES, ...changes } };
  const of = chart([], [], { line });
  return { of, line: of.lines[0]! };
}

const wordsOf = (changes: Partial<LineChanges> | null) => {
  const { of, line } = given(changes);
  return describeChanges(of, line).split(", ");
};

Deno.test("the folded value and both changes are named with their days", () => {
  assertEquals(wordsOf({}), [
    "Total of 30 days: 1,234 transactions",
    "+1.6 % on the 30 days before",
    "−50 % on the year before",
  ]);
  const day = { from: "2026-11-30", to: "2026-11-30" };
  assertEquals(wordsOf(day)[1], "+1.6 % on the day before");
  const folds: [fold: LineChanges["fold"], words: string][] = [
    ["sum", "Total of 30 days: 7 transactions"],
    ["mean", "Mean of 30 days: 7 transactions"],
    ["max", "Highest of 30 days: 7 transactions"],
    ["last", "Newest on 2026-11-30: 7 transactions"],
  ];
  const none = { value: 7, before: null, yearBefore: null };
  for (const [fold, words] of folds) {
    assertEquals(wordsOf({ ...none, fold }), [words]);
  }
  assertEquals(wordsOf({ ...none, to: "2026-11-01" }), [
    "Total of 1 day: 7 transactions",
  ]);
  assertEquals(wordsOf({ ...none, from: "2023-01-01", to: "2025-12-31" }), [
    "Total of 1,096 days: 7 transactions",
  ]);
  assertEquals(wordsOf(null), [""]);
});

Deno.test("a change that cannot be computed says which days are missing, or that the earlier value was 0", () => {
  const rows: [changes: Partial<LineChanges>, words: string[]][] = [
    [{ value: null, missingDays: 2, yearBefore: null }, [
      "Total of 30 days: not computed",
      "2 days are missing",
      "+1.6 % on the 30 days before",
    ]],
    [{
      value: null,
      missingDays: 1,
      before: { ...BEFORE, changePct: null },
      yearBefore: { ...YEAR_BEFORE, changePct: null, missingDays: 3 },
    }, [
      "Total of 30 days: not computed",
      "1 day is missing",
      "Change on the 30 days before: not computed",
      "1 day is missing",
      "Change on the year before: not computed",
      "3 days are missing",
    ]],
    [{
      value: 5,
      before: { ...BEFORE, changePct: null },
      yearBefore: { ...YEAR_BEFORE, changePct: null, missingDays: 1 },
    }, [
      "Total of 30 days: 5 transactions",
      "Change on the 30 days before: not computed",
      "it was 0",
      "Change on the year before: not computed",
      "1 day is missing",
    ]],
  ];
  for (const [changes, words] of rows) assertEquals(wordsOf(changes), words);
});

Deno.test("the chips have the days of their windows as titles; there are none without a change", () => {
  const chips = (changes: Partial<LineChanges> | null) => {
    const { of, line } = given(changes);
    return String(changeChips(of, line));
  };
  assertEquals(
    [...chips({}).matchAll(/title="([^"]*)"/g)].map(([, days]) => days),
    [
      "2026-11-01 to 2026-11-30",
      "2026-10-02 to 2026-10-31",
      "2025-11-01 to 2025-11-30",
    ],
  );
  assertEquals(chips(null), "");
});

Deno.test("the chips name the highest and the lowest complete bucket with its date, and none of a running total", () => {
  const axis = ["2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04"];
  const points = [
    point(axis[0]!, 50),
    point(axis[1]!, 1234),
    point(axis[2]!, 40),
    point(axis[3]!, 3, { complete: false }),
  ];
  const chips = (more: Parameters<typeof chart>[2], given = points) => {
    const of = chart(axis, given, more);
    return outlineOf(String(changeChips(of, of.lines[0]!)))
      .map((line) => line.replace("li ", ""));
  };
  assertEquals(chips({}), [
    "Highest day: 1,234 transactions, 2026-10-02",
    "Lowest day: 40 transactions, 2026-10-03",
  ]);
  assertEquals(
    chips({ interval: "week" })[0],
    "Highest week: 1,234 transactions, from 2026-10-02",
  );
  assertEquals(
    chips({ interval: "month" })[0],
    "Highest month: 1,234 transactions, 2026-10",
  );
  const of = chart(axis, points, {});
  assertStringIncludes(
    String(changeChips(of, of.lines[0]!)),
    `<span class="nowrap">2026-10-02</span>`,
  );
  assertEquals(chips({ name: "cumulativeTxCount" }), []);
  const changes = { ...CHANGES, fold: "max" as const, yearBefore: null };
  assertEquals(
    chips({ name: "maxTps", line: { changes } }),
    [
      "Lowest day: 40 TPS, 2026-10-03",
      "Highest of 30 days: 1,234 TPS, 2026-10-02",
      "+1.6 % on the 30 days before",
    ],
    "the highest day is named once",
  );
  // The highest day lies in a week that is not complete.
  assertEquals(
    chips({
      name: "maxTps",
      interval: "week",
      line: { changes: { ...changes, value: 5000 } },
    }).slice(0, 3),
    [
      "Highest week: 1,234 TPS, from 2026-10-02",
      "Lowest week: 40 TPS, from 2026-10-03",
      "Highest of 30 days: 5,000 TPS",
    ],
  );
  assertEquals(chips({}, points.slice(2)), [], "one complete day");
});
