/** Fair shares of a budget: no client gets more calls than are left for the others. */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  admit,
  type CallCounts,
  type Limit,
  NO_CALLS,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import {
  admitClient,
  maxOfShare,
} from "../../../../services/platform/rate_limit/fair_share.ts";

const NOW = 1_700_000_000_000;
const LIMITS: Limit[] = [
  { calls: 12, perMs: 1_000 },
  { calls: 40, perMs: 10_000 },
];

/** Makes a budget that counts the calls of each client. */
function newBudget(limits: readonly Limit[] = LIMITS) {
  let all: CallCounts = NO_CALLS;
  const own: Record<string, CallCounts> = {};

  /** Returns the admission of a client without counting a call. */
  const look = (client: string, now: number) =>
    admitClient({ all, own: own[client] ?? NO_CALLS }, limits, now);

  function ask(client: string, now: number) {
    const admission = look(client, now);
    if (!admission.allowed) return admission;
    all = admission.callCounts.all;
    own[client] = admission.callCounts.own;
    return admission;
  }

  /** Takes a call for the service itself, if one is left. */
  function takeAny(now: number): void {
    const admission = admit(all, limits, now);
    if (admission.allowed) all = admission.callCounts;
  }

  /** Requests calls until one is refused. Returns the number of admitted calls. */
  function exhaust(client: string, now: number): number {
    for (let served = 0;; served++) {
      if (!ask(client, now).allowed) return served;
    }
  }

  return { look, ask, takeAny, exhaust };
}

const gaps = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 200 });

Deno.test("admitClient() gives one client half of a budget, and the next one half of the rest", () => {
  const limit = { calls: 60, perMs: 60_000 };
  const { exhaust } = newBudget([limit]);
  assertEquals(["a", "b", "c", "d"].map((who) => exhaust(who, NOW)), [
    30,
    15,
    8,
    4,
  ]);
  assertEquals(maxOfShare(limit), 30);
});

Deno.test("admitClient() leaves half of the budget to others, whenever one client calls", () => {
  fc.assert(fc.property(gaps, (gaps) => {
    const { ask, look } = newBudget();
    let now = NOW;
    const calls = gaps.map((gap) => now += gap)
      .filter((now) => {
        const { allowed } = ask("greedy", now);
        assert(look("another client", now).allowed);
        return allowed;
      });
    for (const { calls: most, perMs } of LIMITS) {
      for (const from of calls) {
        const inside = calls.filter((at) => at >= from && at < from + perMs);
        assert(inside.length <= most / 2);
      }
    }
  }));
});

Deno.test("admitClient() refuses a client beyond its share, and admits it after retryAfterMs", () => {
  const steps = fc.array(
    fc.record({
      who: fc.constantFrom("a", "b", null),
      gap: fc.integer({ min: 0, max: 200 }),
    }),
    { maxLength: 150 },
  );
  fc.assert(fc.property(steps, (steps) => {
    const { ask, look, takeAny } = newBudget();
    let now = NOW;
    for (const { who, gap } of steps) {
      now += gap;
      if (who === null) {
        takeAny(now);
        continue;
      }
      const admission = ask(who, now);
      if (admission.allowed) continue;
      assert(look(who, now + admission.retryAfterMs).allowed);
      const isOwn = admission.shareOf !== null;
      assertEquals(look("a newcomer", now).allowed, isOwn);
    }
  }));
});

Deno.test("admitClient() gives the last call of a budget to a client without calls", () => {
  const { ask, takeAny } = newBudget([{ calls: 3, perMs: 1_000 }]);
  takeAny(NOW);
  takeAny(NOW);
  assert(ask("a", NOW).allowed);
  const refused = ask("b", NOW);
  assert(!refused.allowed && refused.shareOf === null);
});
