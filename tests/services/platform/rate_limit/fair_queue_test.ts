/** Places and turns of waiting wallets: nobody waits for a minute. */
import { assert, assertEquals } from "@std/assert";
import {
  fairQueue,
  type Waiting,
} from "../../../../services/platform/rate_limit/fair_queue.ts";
import { REFRESH } from "../../../../services/platform/rate_limit/call_budget.ts";
import { fc } from "../../../support/properties.ts";

const NOW = 1_800_000_000_000;
const LIMITS = [{ calls: 2, perMs: 1_000 }];

/** Returns a score that a wallet waits for. */
function scoreOf(wallet: string, subject: string, weight = 1): Waiting {
  const parties = [{ name: wallet, cap: 1 }];
  const requester = { of: "free", parties, weight } as const;
  return { requester, priority: "reader", subject, until: NOW + 10_000 };
}

Deno.test("keepPlace() spreads the places of a wallet, less than a minute apart", () => {
  const queue = fairQueue<Waiting>(LIMITS);
  const weights = [16, 4, 4, 4, 4, 4, ...Array<number>(20).fill(1)];
  const wallets = weights.map((weight, nth) => ({ name: `${nth}`, weight }));
  const places = new Map<string, number[]>();
  // Who asks first in one round asks last in the next one.
  for (let nth = 0; nth < 8; nth++) {
    for (const { name, weight } of nth % 2 ? wallets.toReversed() : wallets) {
      const at = queue.keepPlace(scoreOf(name, `${nth}`, weight), NOW);
      places.set(name, [...places.get(name) ?? [NOW], at]);
    }
  }
  const gaps = [...places.values()].flatMap((own) =>
    own.slice(1).map((at, nth) => (at - own[nth]!) / 1_000)
  );
  assertEquals(gaps.length, 26 * 8);
  assert(Math.max(...gaps) < 55, `${Math.max(...gaps)} s apart`);
});

Deno.test("next() prefers a place that is due, and a wallet that has waited for 45 seconds to it", () => {
  const queue = fairQueue<Waiting>(LIMITS);
  const placed = scoreOf("a", "1");
  const at = queue.keepPlace(placed, NOW);
  const other = scoreOf("b", "2");
  queue.enter(other, NOW);
  queue.enter(placed, at);
  assertEquals(queue.next(at, () => true, 1), [placed]);
  assertEquals(queue.next(NOW + 45_000, () => true, 1), [placed]);
  assertEquals(queue.next(NOW + 45_001, () => true, 1), [other]);
});

Deno.test("next() names a refresh after every score, and what a refresh has begun before them", () => {
  const queue = fairQueue<Waiting>(LIMITS);
  const refresh = { ...scoreOf("r", "1"), requester: REFRESH };
  const score = scoreOf("b", "2");
  queue.enter(refresh, NOW);
  queue.enter(score, NOW);
  const later = NOW + 50_000;
  assertEquals(queue.next(later, () => true, 2), [score, refresh]);
  const begun = { ...refresh, isStarted: true };
  queue.enter(begun, NOW);
  assertEquals(queue.next(later, () => true, 1), [begun]);
});

Deno.test("next() names several calls in the order in which they would be served one by one", () => {
  const call = fc.record({
    wallet: fc.nat(3),
    weight: fc.constantFrom(1, 4, 16),
    waitedS: fc.nat(60),
    isStarted: fc.boolean(),
    hasPlace: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(call, { minLength: 1, maxLength: 12 }),
      fc.nat(3),
      (calls, before) => {
        const queues = [0, 1].map(() => {
          const queue = fairQueue<Waiting>(LIMITS);
          for (const [nth, { wallet, weight, ...rest }] of calls.entries()) {
            const score = scoreOf(`${wallet}`, `${nth}`, weight);
            if (rest.hasPlace) queue.keepPlace(score, NOW - 50_000);
            const { isStarted } = rest;
            queue.enter({ ...score, isStarted }, NOW - rest.waitedS * 1_000);
          }
          for (const served of queue.next(NOW, () => true, before)) {
            queue.serve(served, NOW);
          }
          return queue;
        });
        const [together, oneByOne] = queues as [
          typeof queues[0],
          typeof queues[0],
        ];
        const named = together.next(NOW, () => true, 12)
          .map(({ subject }) => subject);
        const served = [];
        for (;;) {
          const [next] = oneByOne.next(NOW, () => true, 1);
          if (next === undefined) break;
          oneByOne.serve(next, NOW);
          served.push(next.subject);
        }
        assertEquals(named, served);
      },
    ),
    { numRuns: 500 },
  );
});
