import { assertEquals } from "@std/assert";
import {
  endOfBucket,
  formatDay,
  parseDay,
  startOfBucket,
  startOfYear,
  yearOf,
} from "../../../services/platform/days.ts";

Deno.test("parseDay() is the inverse of formatDay()", () => {
  for (const text of ["1970-01-01", "2020-02-29", "2026-11-21", "1969-12-31"]) {
    assertEquals(formatDay(parseDay(text)), text);
  }
});

Deno.test("startOfBucket() and endOfBucket() return the bounds of a day, week or month", () => {
  const cases = [
    ["2026-11-21", "week", "2026-11-16", "2026-11-22"],
    ["2026-11-16", "week", "2026-11-16", "2026-11-22"],
    ["2026-11-22", "week", "2026-11-16", "2026-11-22"],
    ["1969-12-31", "week", "1969-12-29", "1970-01-04"],
    ["2024-02-10", "month", "2024-02-01", "2024-02-29"],
    ["2025-12-31", "month", "2025-12-01", "2025-12-31"],
    ["2026-11-21", "day", "2026-11-21", "2026-11-21"],
  ] as const;
  for (const [day, interval, start, end] of cases) {
    assertEquals(formatDay(startOfBucket(parseDay(day), interval)), start);
    assertEquals(formatDay(endOfBucket(parseDay(day), interval)), end);
  }
});

Deno.test("startOfYear() returns 1 January, and yearOf() of the day before returns the last year", () => {
  assertEquals(formatDay(startOfYear(2024)), "2024-01-01");
  assertEquals(yearOf(startOfYear(2025) - 1), 2024);
});
