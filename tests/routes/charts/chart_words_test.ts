/** Titles, numbers, buckets, disputes and revisions of charts in words. */
import { assertEquals } from "@std/assert";
import {
  bucketsOf,
  columnFormat,
  comparedDays,
  definitionOf,
  disputeOf,
  formatBucket,
  formatPct,
  formatShare,
  formatTicks,
  formatValue,
  isComparison,
  isDisputed,
  pctColumnFormat,
  revisionOf,
  titleOf,
  unitOf,
} from "../../../routes/charts/chart_words.ts";
import { printable } from "../../../routes/pages/drawable_names.ts";
import { formatInstant } from "../../../routes/pages/dates.ts";
import type {
  ChartName,
  ChartPoint,
} from "../../../services/charts/charts_schema.ts";
import { chart, point } from "../../support/charts/charts.ts";

const DAY = "2026-11-02";

Deno.test("titleOf() names two chains, and counts the others of more", () => {
  const of = (chainNames: string[], name: ChartName = "txCount") =>
    titleOf({ name, chainNames, view: { values: "absolute" } });
  assertEquals(of(["A"]), "Transactions on A");
  assertEquals(of(["A", "B"]), "Transactions: A and B");
  assertEquals(of(["A", "B", "C"]), "Transactions: A and 2 other chains");
  assertEquals(of(["A", "B", "C", "D"]), "Transactions: A and 3 other chains");
  assertEquals(of(["A\u202e"]), "Transactions on A");
  assertEquals(
    of(["Primary Network"], "validators"),
    "Total stake of the Primary Network",
  );
  const total = { values: "total" } as const;
  assertEquals(
    titleOf({ name: "txCount", chainNames: ["A", "B"], view: total }),
    "Transactions: A and B, together",
  );
});

Deno.test("buckets, units and comparisons are described", () => {
  const of = (name: ChartName, interval: "day" | "week") =>
    bucketsOf({ ...chart([], []), name, interval });
  assertEquals(
    [of("txCount", "day"), of("txCount", "week"), of("avgTps", "week")],
    ["by day", "by week, sum of days", "by week, mean of days"],
  );
  assertEquals(of("validators", "week"), "by week, sum of days");
  assertEquals(unitOf("txCount", { token: "SVN" }), "transactions");
  assertEquals(unitOf("feesPaid", { token: "SVN" }), "SVN");
  assertEquals(unitOf("feesPaid", { token: null }), "native tokens");
  const [line] = chart([], []).lines;
  assertEquals(
    [1, 2].map((count) => isComparison({ lines: Array(count).fill(line) })),
    [false, true],
  );
  assertEquals(formatBucket(DAY, "day"), DAY);
  assertEquals(formatBucket(DAY, "week"), `week of ${DAY}`);
  assertEquals(formatBucket(DAY, "month"), "2026-11");
  assertEquals(formatInstant(`${DAY}T08:07:59.999Z`), `${DAY} 08:07 UTC`);
});

Deno.test("a definition names the unit of pages, and never that of answers as well", () => {
  const rows: [name: ChartName, meaning: string][] = [
    [
      "avgGasPrice",
      "Mean price of a unit of gas, in gwei, billionths of the native token (nAVAX)",
    ],
    [
      "gasUsed",
      "Total gas consumed by the day's transactions, in Ggas, billions of units of gas",
    ],
    ["txCount", "Transactions included in blocks that day"],
  ];
  for (const [name, meaning] of rows) {
    assertEquals(definitionOf({ name }), meaning);
  }
});

Deno.test("numbers have two decimals or five digits, and a column as many decimals as its most precise number", () => {
  assertEquals([1234567.891, 0.0123456, 12.345, 7].map(formatValue), [
    "1,234,567.89",
    "0.012346",
    "12.345",
    "7",
  ]);
  const column = (values: (number | null)[]) =>
    values.map((value) => value === null ? "" : columnFormat(values)(value));
  assertEquals(column([1, 2, null]), ["1", "2", ""]);
  assertEquals(column([1, 2.5, null]), ["1.0", "2.5", ""]);
  assertEquals(column([1, 0.1234]), ["1.0000", "0.1234"]);
  assertEquals(column([1, 0.01234]), ["1", "0.01234"]);
  const pct = (values: (number | null)[]) =>
    values.map((value) => value === null ? "" : pctColumnFormat(values)(value));
  assertEquals(pct([1, -2.5, 0, null]), ["+1.0 %", "−2.5 %", "0.0 %", ""]);
  assertEquals(pct([10, -20]), ["+10 %", "−20 %"]);
  assertEquals(pct([1, 0.000123]), ["+1.0000 %", "+0.00012 %"]);
  assertEquals([1.567, -1, 0, 0.00123].map(formatPct), [
    "+1.57 %",
    "−1 %",
    "0 %",
    "+0.0012 %",
  ]);
  assertEquals([99.999, 100, 0.009].map(formatShare), [
    "99.99 %",
    "100 %",
    "0 %",
  ]);
  assertEquals([0, 1, 2, 1234].map(comparedDays), [
    "0 compared days",
    "1 compared day",
    "2 compared days",
    "1,234 compared days",
  ]);
});

Deno.test("the ticks of an axis have as few digits as keep them distinct", () => {
  assertEquals(formatTicks([0, 500, 1000]), ["0", "500", "1K"]);
  assertEquals(formatTicks([1234567, 2345678]), ["1.23M", "2.35M"]);
  assertEquals(formatTicks([1231, 1232]), ["1.231K", "1.232K"]);
  assertEquals(formatTicks([7, 7]), ["7", "7"]);
});

Deno.test("a revised value shows what it was before, also where there was no value", () => {
  const revised = (
    earlierValues: (number | null)[],
    revisedAt: string | null,
  ) => revisionOf({ revisedAt, earlierValues });
  assertEquals(revised([5], null), null);
  assertEquals(revised([], DAY), "revised");
  assertEquals(revised([1200, 1000], DAY), "was 1,200, 1,000");
  assertEquals(revised([1200, null], DAY), "was 1,200, no value");
});

Deno.test("a disputed bucket has both values, of itself and of its days", () => {
  const disputed = (day: string, value: number) => ({
    day,
    value,
    crossCheckValue: value + 1,
    differencePct: -1,
  });
  const of = (
    more: object,
    { interval = "week", lineCount = 1 } = {},
  ) => {
    const { lines } = chart([DAY], []);
    const all = Array(lineCount).fill(lines[0]);
    return disputeOf(
      { interval: interval as "week", lines: all },
      { chainName: "Seven" },
      { ...point(DAY, 10), ...more } as ChartPoint,
    );
  };
  const own = {
    crossCheckValue: 11,
    differencePct: -9.09,
    comparedDayCount: 6,
  };
  const ownWords =
    "10 here, 11 by the second source (−9.09 % over 6 compared days)";
  const days = [disputed("2026-11-03", 1), disputed("2026-11-04", 2)];
  const dayWords = "2026-11-03: 1 here, 2 by the second source (−1 %); " +
    "2026-11-04: 2 here, 3 by the second source (−1 %)";
  assertEquals(of(own), `week of ${DAY}: ${ownWords}`);
  assertEquals(of({ disputedDays: days }), dayWords);
  assertEquals(
    of({ ...own, disputedDays: days }),
    `week of ${DAY}: ${ownWords}; ${dayWords}`,
  );
  assertEquals(
    of({ ...own, disputedDays: days }, { interval: "day" }),
    `${DAY}: ${ownWords}`,
  );
  assertEquals(of({ disputedDays: days }, { interval: "day" }), dayWords);
  assertEquals(
    of({ ...own, comparedDayCount: null, differencePct: null }),
    `week of ${DAY}: 10 here, 11 by the second source`,
  );
  assertEquals(
    of({ disputedDays: days }, { lineCount: 2 }),
    `Seven, ${dayWords}`,
  );
  assertEquals(isDisputed(point(DAY, 1)), false);
  assertEquals(isDisputed(point(DAY, 1, { agrees: true })), false);
  assertEquals(isDisputed(point(DAY, 1, { agrees: false })), true);
  assertEquals(printable("a\u0000b\u202ec\ufffed"), "abcd");
});

Deno.test("columnFormat() gives all numbers of a column the same decimals", () => {
  const rows: [values: (number | null)[], written: string[]][] = [
    [[1469.5, null, 2224.22, 3], ["1,469.50", "2,224.22", "3.00"]],
    [[50.135, 65.1], ["50.135", "65.100"]],
    [[1_289_768, 0], ["1,289,768", "0"]],
    // A tiny number would pad all others.
    [[1234.5, 0.000012345], ["1,234.5", "0.000012345"]],
    [[null], []],
  ];
  for (const [values, written] of rows) {
    const format = columnFormat(values);
    const numbers = values.filter((value) => value !== null);
    assertEquals(numbers.map(format), written);
  }
});

Deno.test("pctColumnFormat() gives all changes of a column the same decimals", () => {
  const rows: [values: (number | null)[], written: string[]][] = [
    [[1.6, null, -12.25, 0], ["+1.60 %", "−12.25 %", "0.00 %"]],
    [[0.0034, -1.5], ["+0.0034 %", "−1.5000 %"]],
    [[5, -3], ["+5 %", "−3 %"]],
    // A tiny difference keeps its digits, and does not pad all others with them.
    [[0.0000012, 1.5], ["+0.0000012 %", "+1.5000 %"]],
    [[null], []],
  ];
  for (const [values, written] of rows) {
    const format = pctColumnFormat(values);
    const numbers = values.filter((value) => value !== null);
    assertEquals(numbers.map(format), written);
  }
});
