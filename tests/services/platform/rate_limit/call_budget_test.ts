import { assert, assertEquals } from "@std/assert";
import {
  admit,
  type CallCounts,
  describeLimits,
  type Limit,
  NO_CALLS,
  partOf,
  type Slots,
  withCall,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import { CLOCK_SKEW_MS } from "../../../../services/platform/clock.ts";
import { fc } from "../../../support/properties.ts";

const LIMITS: Limit[] = [{ calls: 5, perMs: 1_000 }, {
  calls: 12,
  perMs: 10_000,
}];

/** Requests a call at each instant. Returns the instants of admitted calls. */
function admitted(instants: readonly number[]): number[] {
  let callCounts: CallCounts = NO_CALLS;
  return instants.filter((now) => {
    const admission = admit(callCounts, LIMITS, now);
    if (admission.allowed) callCounts = admission.callCounts;
    return admission.allowed;
  });
}

Deno.test("admit() allows at most the limit in any window", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 });
  fc.assert(fc.property(steps, (gaps) => {
    let now = 1_700_000_000_000;
    const calls = admitted(gaps.map((gap) => now += gap));
    for (const { calls: most, perMs } of LIMITS) {
      calls.forEach((from) => {
        const inside = calls.filter((at) => at >= from && at < from + perMs);
        assert(inside.length <= most, `${inside.length} calls in ${perMs} ms`);
      });
    }
  }));
});

Deno.test("admit() allows the call after retryAfterMs", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 100 });
  fc.assert(fc.property(steps, (gaps) => {
    let callCounts: CallCounts = NO_CALLS;
    let now = 1_700_000_000_000;
    for (const gap of gaps) {
      now += gap;
      let admission = admit(callCounts, LIMITS, now);
      if (!admission.allowed) {
        now += admission.retryAfterMs;
        admission = admit(callCounts, LIMITS, now);
      }
      assert(admission.allowed);
      callCounts = admission.callCounts;
    }
  }));
});

Deno.test("admit() allows the whole limit at once, and partOf() returns a part of it", () => {
  assertEquals(admitted(Array(9).fill(1_700_000_000_000)).length, 5);
  const limits = [{ calls: 60, perMs: 60_000 }, { calls: 5, perMs: 1_000 }];
  assertEquals(limits.map((limit) => partOf(limit, 5 / 6)), [
    { calls: 50, perMs: 60_000 },
    { calls: 4, perMs: 1_000 },
  ]);
  const callsOf = (calls: number, part: number) =>
    partOf({ calls, perMs: 60_000 }, part).calls;
  // 100 * 0.29 is less than 29.
  assertEquals([callsOf(100, 0.29), callsOf(3, 1 / 4)], [29, 1]);
});

Deno.test("admit() refuses every call until the cooldown ends", () => {
  const callCounts = { counts: [], closedUntil: 5_000 };
  assertEquals(admit(callCounts, LIMITS, 2_000), {
    allowed: false,
    retryAfterMs: 3_000,
    limit: null,
  });
  assert(admit(callCounts, LIMITS, 5_000).allowed);
});

Deno.test("admit() ignores counts and cooldowns from before the clock was set back", () => {
  const now = 1_700_000_000_000;
  let callCounts: CallCounts = NO_CALLS;
  for (let call = 0; call < 5; call++) {
    const admission = admit(callCounts, LIMITS, now);
    assert(admission.allowed);
    callCounts = admission.callCounts;
  }
  assert(!admit(callCounts, LIMITS, now).allowed);
  assert(admit(callCounts, LIMITS, now - 3_600_000).allowed, "an hour back");
  const soon = admit(callCounts, LIMITS, now - 500);
  assert(!soon.allowed && soon.retryAfterMs < 2_000, "half a second back");
  const closed = { counts: [], closedUntil: now };
  assert(admit(closed, LIMITS, now - 3_600_000).allowed);
});

Deno.test("describeLimits() names the periods, and other periods by their seconds", () => {
  const limits = [1_000, 60_000, 3_600_000, 86_400_000, 90_000]
    .map((perMs, nth) => ({ calls: nth + 1, perMs }));
  assertEquals(
    describeLimits(limits, "calls"),
    "1 calls a second and 2 calls a minute and 3 calls an hour and 4 calls a day and 5 calls a period of 90 seconds",
  );
});

Deno.test("admit() refuses calls up to the millisecond in which the oldest counted slot has left its window", () => {
  const limit = { calls: 5, perMs: 60_000 };
  const at = 1_700_000_000_000;
  const second = at / 1_000;
  /** The calls of each second before now, and the wait. */
  const cases: [calls: [number, number][], waitMs: number][] = [
    [[[second, 5]], 61_000],
    [[[second - 60, 5]], 1_000],
    [[[second - 61, 5]], 0],
    [[[second - 30, 4], [second - 5, 1]], 31_000],
    [[[second - 30, 2], [second - 20, 2], [second - 5, 5]], 56_000],
    [[[second - 30, 2], [second - 20, 2], [second - 5, 3]], 41_000],
    [[[second - 30, 4]], 0],
  ];
  for (const [calls, waitMs] of cases) {
    const counts = { counts: [calls], closedUntil: 0 };
    const admission = admit(counts, [limit], at);
    assertEquals(admission.allowed ? 0 : admission.retryAfterMs, waitMs!);
  }
  const full = { counts: [[[second - 60, 5]]], closedUntil: 0 } as const;
  const late = admit(full, [limit], at + 999);
  assertEquals(late, { allowed: false, retryAfterMs: 1, limit });
  // A sixtieth of this limit is no whole number of milliseconds.
  const brief = { calls: 1, perMs: 1_000 };
  const odd = admit({ counts: [[[0, 1]]], closedUntil: 0 }, [brief], 20);
  assertEquals(odd, { allowed: false, retryAfterMs: 997, limit: brief });
});

Deno.test("admit() keeps to a cooldown of at most ten minutes by the clock of another process", () => {
  const longest = 600_000 + CLOCK_SKEW_MS;
  for (
    const [closedMs, waitMs] of [[1, 1], [longest, longest], [longest + 1, 0]]
  ) {
    const counts = { counts: [], closedUntil: 5_000 + closedMs! };
    const admission = admit(counts, LIMITS, 5_000);
    assertEquals(admission.allowed ? 0 : admission.retryAfterMs, waitMs);
  }
});

Deno.test("withCall() counts in the slot in which the call may be made, and lists the oldest first", () => {
  const limits = [{ calls: 5, perMs: 60_000 }];
  let counts = withCall(NO_CALLS, limits, 100_000, 110_000);
  counts = withCall(counts, limits, 100_000);
  counts = withCall(counts, limits, 100_000, 110_000);
  counts = withCall(counts, limits, 105_000);
  const slots: Slots = [[100, 1], [105, 1], [110, 2]];
  assertEquals(counts, { counts: [slots], closedUntil: 0 });
  assertEquals(withCall(counts, limits, 161_000), {
    counts: [[[105, 1], [110, 2], [161, 1]]],
    closedUntil: 0,
  });
});
