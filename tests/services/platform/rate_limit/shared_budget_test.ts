/** Shared budgets: the reserve, the caps, and plans before the free. */
import { assert, assertEquals } from "@std/assert";
import {
  admitShared,
  type CallCounts,
  changeRequester,
  freeRequester,
  NO_CALLS,
  PAYMENTS,
  planRequester,
  REFRESH,
  type Requester,
  requesterOfClient,
  SERVICE,
  type SharedBudget,
  type Shares,
  UNSHARED,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import { DAY_MS, MINUTE_MS } from "../../../../services/platform/days.ts";
import { PLANS } from "../../../../services/payments/plans_schema.ts";
import {
  EXPLORER_SHARES,
  limitsOf,
  NODE_CALLS,
  RPC_SHARES,
} from "../../../../services/platform/rate_limit/upstream_limits.ts";
import { fc } from "../../../support/properties.ts";

const NOW = 1_700_000_000_000;
const PER_DAY = [{ calls: 10_000, perMs: DAY_MS }];

/** A budget that counts the calls of each wallet and network. */
function newBudget(limits: SharedBudget["limits"], shares: Shares = UNSHARED) {
  const budget = { name: "up.test", limits, shares };
  let all = NO_CALLS;
  const own = new Map<string, CallCounts>();

  function ask(who: Requester, now: number, wanted = 1) {
    const counts = {
      all,
      parties: who.parties.map(({ name }) => own.get(name) ?? NO_CALLS),
    };
    const admission = admitShared(counts, budget, who, { now, wanted });
    if (!admission.allowed) return admission;
    all = admission.counts.all;
    who.parties.forEach(({ name }, nth) =>
      own.set(name, admission.counts.parties[nth]!)
    );
    return admission;
  }

  /** Asks until a call is refused. Returns the number of admitted calls. */
  function exhaust(who: Requester, now = NOW): number {
    for (let served = 0;; served++) if (!ask(who, now).allowed) return served;
  }

  /** Asks as many different wallets as it takes. */
  function exhaustAll(walletOf: (nth: number) => Requester): number {
    let calls = 0;
    for (let nth = 0, served = 1; served > 0; nth++) {
      served = exhaust(walletOf(nth));
      calls += served;
    }
    return calls;
  }

  return { ask, exhaust, exhaustAll };
}

const free = (nth: number) =>
  freeRequester(
    `0xf${nth}`,
    PLANS.free.turns,
    `198.51.${nth >> 8}.${nth & 255}`,
  );
const scale = (nth: number) => planRequester(`0x5${nth}`, PLANS.scale.turns);
const change = (nth: number) =>
  changeRequester({
    wallet: `0xc${nth}`,
    hostname: `203.0.${nth >> 8}.${nth & 255}`,
  });

Deno.test("payments find a quarter of a node's calls whatever others do, and half of it is closed to strangers", () => {
  const { exhaust, exhaustAll, ask } = newBudget(
    limitsOf(NODE_CALLS),
    RPC_SHARES,
  );
  const scores = exhaustAll(scale);
  assertEquals(scores, 180, "of 240");
  assertEquals(exhaustAll(free), 0);
  assertEquals(exhaust(SERVICE), 0);
  assertEquals(exhaustAll(change), 30);
  assertEquals(exhaust(PAYMENTS), 30);
  const refused = ask(PAYMENTS, NOW);
  assert(!refused.allowed && refused.party === undefined);
  assertEquals(refused.limit, { calls: 240, perMs: MINUTE_MS });
});

Deno.test("free wallets, however many, leave half of a day to plans", () => {
  const { exhaust, exhaustAll } = newBudget(PER_DAY, EXPLORER_SHARES);
  assertEquals(exhaustAll(free), 4_900);
  assertEquals(exhaustAll(scale), 4_900);
  assertEquals(exhaust(SERVICE), 200, "the daily checks");
});

Deno.test("calls of plans count first: what they use is not there for the free", () => {
  const { exhaust, exhaustAll } = newBudget(PER_DAY, EXPLORER_SHARES);
  assertEquals(exhaust(scale(1)), 7_500, "three quarters for one wallet");
  assertEquals(exhaustAll(free), 0);
  assertEquals(exhaustAll(scale), 2_300);
});

Deno.test("a wallet and a network have caps, and the refusal names who reached which", () => {
  const { ask, exhaust } = newBudget(PER_DAY, EXPLORER_SHARES);
  assertEquals(exhaust(free(1)), 500);
  const refused = ask(free(1), NOW);
  assert(!refused.allowed);
  assertEquals(refused.party?.name, "0xf1");
  assertEquals(refused.limit, { calls: 500, perMs: DAY_MS });
  const neighbour = (nth: number) =>
    freeRequester(`0xe${nth}`, PLANS.free.turns, "198.51.0.1");
  let calls = 0;
  for (let nth = 0; nth < 20; nth++) calls += exhaust(neighbour(nth));
  assertEquals(calls, 1_500, "2,000 with those of the first");
});

Deno.test("a second is given to whoever asks first; one network takes half of a longer limit", () => {
  const perSecond = newBudget([{ calls: 2, perMs: 1_000 }], EXPLORER_SHARES);
  assertEquals(perSecond.exhaust(free(1)), 2);
  const perMinute = newBudget([{ calls: 60, perMs: MINUTE_MS }]);
  assertEquals(perMinute.exhaust(requesterOfClient("192.0.2.1")), 30);
  assertEquals(perMinute.exhaust(requesterOfClient("192.0.2.2")), 30);
});

Deno.test("a refresh gets what is left of a day above the part that is left of the day, and at most a quarter", () => {
  const midnight = NOW - NOW % DAY_MS;
  const hours = DAY_MS / 24;
  const cases: [hour: number, used: number, calls: number][] = [
    [0, 0, 0],
    // 4,900 are not for plans only.
    [6, 0, 1_225],
    [6, 1_224, 1],
    [6, 1_225, 0],
    [12, 1_000, 1_450],
    [23.99, 0, 2_500],
    [23.99, 4_897, 0],
  ];
  for (const [hour, used, calls] of cases) {
    const { ask, exhaust } = newBudget(PER_DAY, EXPLORER_SHARES);
    const at = midnight + hour * hours;
    for (let nth = 0; nth < used; nth++) ask(scale(1), at);
    assertEquals(exhaust(REFRESH, at), calls, `${used} used at ${hour}:00`);
    const refused = ask(REFRESH, at);
    assert(!refused.allowed);
    if (refused.party !== undefined || hour > 23) continue;
    assert(!ask(REFRESH, at + refused.retryAfterMs - 1).allowed);
    assert(ask(REFRESH, at + refused.retryAfterMs).allowed);
  }
});

Deno.test("several calls are admitted together as far as they are free, and count as late as they may be made", () => {
  const { ask } = newBudget([{ calls: 5, perMs: MINUTE_MS }]);
  const three = ask(SERVICE, NOW, 3);
  assert(three.allowed && three.calls === 3);
  const rest = ask(SERVICE, NOW, 3);
  assert(rest.allowed && rest.calls === 2);
  assert(!ask(SERVICE, NOW + MINUTE_MS).allowed);
  assert(ask(SERVICE, NOW + MINUTE_MS + 12_000, 5).allowed);
});

Deno.test("a refused requester is admitted after retryAfterMs, whoever called before", () => {
  const askers = [free(1), free(2), scale(1), change(1), SERVICE, PAYMENTS];
  fc.assert(fc.property(
    fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: askers.length - 1 }),
        fc.integer({ min: 0, max: 4_000 }),
      ),
      { maxLength: 200 },
    ),
    (calls) => {
      const { ask } = newBudget([
        { calls: 2, perMs: 1_000 },
        { calls: 20, perMs: MINUTE_MS },
      ], RPC_SHARES);
      let now = NOW;
      for (const [nth, gapMs] of calls) {
        now += gapMs;
        const admission = ask(askers[nth]!, now);
        if (admission.allowed) continue;
        assert(admission.retryAfterMs > 0);
        now += admission.retryAfterMs;
        assert(ask(askers[nth]!, now).allowed);
      }
    },
  ));
});
