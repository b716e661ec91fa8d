import { assertEquals } from "@std/assert";
import { parseRetryAfter } from "../../../services/platform/http/upstream_answer.ts";

Deno.test("parseRetryAfter() reads seconds and dates, returns at most ten minutes, and ignores other values", () => {
  const now = Date.parse("2026-11-21T08:00:00Z");
  const cases: [string | null, number | null][] = [
    ["7", 7_000],
    [" 0 ", 0],
    ["7200", 600_000],
    ["Sat, 21 Nov 2026 08:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 07:00:00 GMT", 0],
    ["soon", null],
    ["-5", null],
    ["1.5", null],
    ["", null],
    [null, null],
  ];
  for (const [value, ms] of cases) {
    assertEquals(parseRetryAfter(value, now), ms, String(value));
  }
});
