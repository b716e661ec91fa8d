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
      assertEquals(counter.take(A, counted, back), 1_000);
      assertEquals(counter.take(A, counted, back + 1_001), 0);
      assertEquals(counter.take(A, counted, back + 1_001), 1_000);
    });
  }
});

Deno.test("add() gives tokens back, never beyond a full bucket, and takes no more than comes back in two seconds", () => {
  const counter = ipRateLimiter(1);
  assertEquals(counter.take(A, "refusedKeys", NOW), 0);
  assertEquals(counter.take(A, "refusedKeys", NOW), 60_000);
  for (let nth = 0; nth < 3; nth++) counter.add(A, "refusedKeys", 1, NOW);
  assertEquals(counter.take(A, "refusedKeys", NOW), 0);
  assertEquals(counter.take(A, "refusedKeys", NOW), 60_000);
  const renders = ipRateLimiter(20_000);
  for (let nth = 0; nth < 1_000; nth++) renders.add(A, "renders", -90, NOW);
  assertEquals(renders.waitOf(A, "renders", NOW), 2_000);
  assertEquals(renders.waitOf(A, "renders", NOW + 2_000), 0);
});

Deno.test("take() gives a /56 twice and a /48 four times the requests of a /64", () => {
  const cases: [address: (nth: number) => string, requests: number][] = [
    [(nth) => `2001:db8:1:100::${nth}`, 10],
    [(nth) => `2001:db8:2:1${10 + nth % 90}::1`, 20],
    [(nth) => `2001:db8:3:${10 + nth % 90}00::1`, 40],
  ];
  for (const [address, requests] of cases) {
    const counter = ipRateLimiter(10);
    let served = 0;
    for (let nth = 0; nth < 90; nth++) {
      if (counter.take(address(nth), "requests", NOW) === 0) served++;
    }
    assertEquals(served, requests);
  }
});
