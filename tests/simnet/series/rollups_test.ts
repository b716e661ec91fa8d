import { assertAlmostEquals, assertEquals } from "@std/assert";
import { C_CHAIN } from "../../../simnet/chains.ts";
import { dayOf, isoDay } from "../../../simnet/series/days.ts";
import { seriesPublisher } from "../../../simnet/metrics_api/published_series.ts";
import {
  hasRollup,
  MONTH_ERROR,
  rollUp,
} from "../../../simnet/series/rollups.ts";
import { TODAY } from "../support.ts";

const series = seriesPublisher()(C_CHAIN, "txCount", TODAY)!;

function sumOf(from: string, to: string): number {
  return series.values
    .slice(dayOf(from) - series.firstDay, dayOf(to) - series.firstDay + 1)
    .reduce((sum, value) => sum + value);
}

Deno.test("rollUp() sums complete weeks from Monday", () => {
  const newest = rollUp(series, "txCount", "week").at(-1)!;
  assertEquals(isoDay(newest.day), "2026-11-09");
  assertEquals(newest.value, sumOf("2026-11-09", "2026-11-15"));
});

Deno.test("rollUp() returns wrong monthly values", () => {
  const newest = rollUp(series, "txCount", "month").at(-1)!;
  assertEquals(isoDay(newest.day), "2026-10-01");
  const sum = sumOf("2026-10-01", "2026-10-31");
  assertAlmostEquals(newest.value / sum, MONTH_ERROR, 1e-6);
});

Deno.test("rollUp() counts each address once per bucket", () => {
  const [week] = rollUp(series, "activeAddresses", "week");
  assertEquals(week!.value < sumOf("2020-09-23", "2020-09-27"), true);
});

Deno.test("hasRollup() is false for metrics with daily values only", () => {
  assertEquals(hasRollup("gasUsed"), true);
  assertEquals(hasRollup("feesPaid"), false);
  assertEquals(hasRollup("cumulativeTxCount"), false);
});
