/** Rate limits by network when the clock is set back, and waits. */
import { assertEquals } from "@std/assert";
import { ipRateLimiter } from "../../../../services/platform/rate_limit/ip_rate_limit.ts";

const A = "192.0.2.1";
const NOW = Date.parse("2026-11-21T08:17:03.120Z");
const HOUR_MS = 3_600_000;

Deno.test("take() keeps its waits short after the clock is set back", async (t) => {
  for (const counted of ["requests", "refusedKeys"] as const) {
    await t.step(counted, () => {
      const counter = ipRateLimiter(60);
      for (let nth = 0; nth < 60; nth++) counter.take(A, counted, NOW);
      const back = NOW - HOUR_MS;
      assertEquals(counter.waitOf(A, counted, back), 1_000);
      assertEquals(counter.waitOf(A, counted, back + 1_001), 0);
      assertEquals(counter.take(A, counted, back + 1_001), 0);
      assertEquals(counter.take(A, counted, back + 1_001), 1_000);
    });
  }
});

Deno.test("waitOf() takes no token", () => {
  const counter = ipRateLimiter(1);
  for (let nth = 0; nth < 9; nth++) {
    assertEquals(counter.waitOf(A, "requests", NOW), 0);
  }
  assertEquals(counter.take(A, "requests", NOW), 0);
  assertEquals(counter.waitOf(A, "requests", NOW), 60_000);
});
