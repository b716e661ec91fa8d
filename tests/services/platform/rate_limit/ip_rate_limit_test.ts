/** Rate limits by network when the clock is set back, and waits. */
import { assert, assertEquals } from "@std/assert";
import {
  ipRateLimiter,
  levelAt,
  waitForToken,
} from "../../../../services/platform/rate_limit/ip_rate_limit.ts";
import { fc } from "../../../support/properties.ts";

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

// Token buckets: any period gets at most a full bucket and its refill.

const sizes = fc.integer({ min: 1, max: 60_000 });

/** Takes a token at each instant that has one. Returns these instants. */
function taken(size: number, instants: readonly number[]): number[] {
  let level = { left: size, at: instants[0]! };
  return instants.filter((now) => {
    const left = levelAt(size, level, now);
    const isThere = waitForToken(size, left) === 0;
    level = { left: isThere ? left - 1 : left, at: now };
    return isThere;
  });
}

Deno.test("levelAt() allows at most a full bucket and its refill in any period", () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 150 });
  const some = fc.integer({ min: 1, max: 1_000 });
  fc.assert(fc.property(some, gaps, (size, gaps) => {
    let now = NOW;
    const times = taken(size, gaps.map((gap) => now += gap).concat(now));
    times.forEach((from, first) => {
      const last = times.length - 1;
      const most = size + (times[last]! - from) * size / 60_000;
      assert(last - first + 1 <= most + 1e-6);
    });
  }));
});

Deno.test("waitForToken() returns the exact wait for the next token, in whole milliseconds", () => {
  const level = fc.double({ min: 0, max: 0.999, noNaN: true });
  fc.assert(fc.property(sizes, level, (size, left) => {
    const waitMs = waitForToken(size, left);
    assert(waitMs > 0);
    const then = (ms: number) =>
      levelAt(size, { left, at: NOW }, NOW + ms) + 1e-9;
    assertEquals(waitForToken(size, then(waitMs)), 0);
    if (waitMs > 1) assert(waitForToken(size, then(waitMs - 1) - 2e-9) > 0);
  }));
});

Deno.test("levelAt() refills an empty bucket in a minute, and never beyond its size", () => {
  assertEquals(taken(6_000, Array(6_100).fill(NOW)).length, 6_000);
  const empty = { left: 0, at: NOW };
  assertEquals(levelAt(6_000, empty, NOW + 10), 1);
  assertEquals(levelAt(6_000, empty, NOW + 60_000), 6_000);
  assertEquals(levelAt(6_000, empty, NOW + 3_600_000), 6_000);
});

Deno.test("levelAt() keeps the level when the clock is set back", () => {
  const level = { left: 7, at: NOW };
  assertEquals(levelAt(60, level, NOW - 3_600_000), 7);
});
