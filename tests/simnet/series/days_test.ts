import { assertEquals } from "@std/assert";
import {
  dayAt,
  dayOf,
  isoDay,
  monthStart,
  weekStart,
} from "../../../simnet/series/days.ts";

Deno.test("dayOf() counts from 1970, and isoDay() is its inverse", () => {
  assertEquals(dayOf("1970-01-02"), 1);
  assertEquals(isoDay(dayOf("2024-02-29")), "2024-02-29");
  assertEquals(dayAt(Date.parse("2024-02-29T23:59:59.999Z")), 19782);
});

Deno.test("weeks start on Monday and months on the first", () => {
  const cases: [day: string, week: string, month: string][] = [
    ["2026-11-21", "2026-11-16", "2026-11-01"],
    ["2026-11-16", "2026-11-16", "2026-11-01"],
    ["2026-11-01", "2026-10-26", "2026-11-01"],
    ["2024-02-29", "2024-02-26", "2024-02-01"],
  ];
  for (const [day, week, month] of cases) {
    assertEquals(isoDay(weekStart(dayOf(day))), week);
    assertEquals(isoDay(monthStart(dayOf(day))), month);
  }
});
