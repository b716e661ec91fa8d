import { assert, assertEquals } from "@std/assert";
import {
  admit,
  type CallCounts,
  type Limit,
  NO_CALLS,
  shareOf,
} from "../../../../services/platform/rate_limit/call_budget.ts";
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

Deno.test("admit() allows the whole limit at once, and shareOf() returns a part of it", () => {
  assertEquals(admitted(Array(9).fill(1_700_000_000_000)).length, 5);
  assertEquals(shareOf([{ calls: 60, perMs: 60_000 }], 5 / 6), [
    { calls: 50, perMs: 60_000 },
  ]);
});

Deno.test("admit() refuses every call until the cooldown ends", () => {
  const callCounts = { counts: [], closedUntil: 5_000 };
  assertEquals(admit(callCounts, LIMITS, 2_000), {
    allowed: false,
    retryAfterMs: 3_000,
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
