/** Places and turns of waiting wallets: nobody waits for a minute. */
import { assert, assertEquals } from "@std/assert";
import {
  fairQueue,
  type Waiting,
} from "../../../../services/platform/rate_limit/fair_queue.ts";

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
  assertEquals(queue.next(at, () => true), placed);
  assertEquals(queue.next(NOW + 45_000, () => true), placed);
  assertEquals(queue.next(NOW + 45_001, () => true), other);
});
