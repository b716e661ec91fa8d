/** Figures and words about the complete points of a series. */
import { assertEquals } from "@std/assert";
import {
  completenessOf,
  statsOf,
  wordsOf,
} from "../../../routes/mcp/series_stats.ts";
import type {
  Metric,
  Point,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";

const pointOf = (day: string, value: number, more: object = {}) =>
  ({ day, value, complete: true, ...more }) as Point;

const SERIES = [
  pointOf("2026-11-01", 3),
  pointOf("2026-11-02", 1),
  pointOf("2026-11-03", 9),
  pointOf("2026-11-04", 9),
  pointOf("2026-11-05", 1),
  pointOf("2026-11-06", 100, { complete: false }),
];

Deno.test("statsOf() finds the newest, the first lowest and the first highest complete point, mean and sum", () => {
  const of = (metric: Metric, series = SERIES) => statsOf({ metric, series });
  const stats = {
    completePoints: 5,
    newest: { day: "2026-11-05", value: 1 },
    lowest: { day: "2026-11-02", value: 1 },
    highest: { day: "2026-11-03", value: 9 },
    mean: 4.6,
  };
  assertEquals(of("txCount"), { ...stats, sum: 23 });
  assertEquals(of("activeAddresses"), stats, "addresses must not be added up");
  assertEquals(of("txCount", SERIES.slice(-1)), null);
  assertEquals(of("txCount", []), null);
  const third = [pointOf("2026-11-01", 1 / 3)];
  assertEquals(of("txCount", third)?.newest.value, 0.333333333);
  assertEquals(
    wordsOf(of("txCount")),
    "Newest complete point: 1 (2026-11-05). Over 5 complete points: sum 23, mean 4.6, lowest 1 (2026-11-02), highest 9 (2026-11-03).",
  );
  assertEquals(
    wordsOf(of("activeAddresses")),
    "Newest complete point: 1 (2026-11-05). Over 5 complete points: mean 4.6, lowest 1 (2026-11-02), highest 9 (2026-11-03).",
  );
  assertEquals(wordsOf(null), "No point is complete.");
});

Deno.test("completenessOf() lists the days that can change or are not the source's own", () => {
  const answer = {
    lastPeriodComplete: false,
    dataThrough: "2026-11-05",
    gaps: [],
    inferredDayCount: 2,
  };
  assertEquals(completenessOf(answer, SERIES), {
    dataThrough: "2026-11-05",
    lastPeriodComplete: false,
    incomplete: ["2026-11-06"],
    gaps: [],
  });
  const marked = [
    pointOf("2026-11-01", 1, { inferred: true }),
    pointOf("2026-11-02", 1, { inferred: true, complete: false }),
    pointOf("2026-11-03", 1, { disputed: {} }),
  ];
  assertEquals(completenessOf(answer, marked), {
    dataThrough: "2026-11-05",
    lastPeriodComplete: false,
    incomplete: [],
    inferred: ["2026-11-01", "2026-11-02"],
    withdrawn: ["2026-11-03"],
    gaps: [],
  });
});
