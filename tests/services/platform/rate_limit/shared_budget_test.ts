/** Shared budgets: what each class of calls, wallet and network gets. */
import { assert, assertEquals } from "@std/assert";
import {
  type CallCounts,
  NO_CALLS,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import {
  freeRequester,
  paidRequester,
  type Requester,
  SERVICE,
} from "../../../../services/platform/rate_limit/requesters.ts";
import { DAY_MS } from "../../../../services/platform/days.ts";
import {
  admitShared,
  maxOfShare,
  NO_SHARED_CALLS,
  type SharedBudget,
  type Shares,
  UNSHARED,
} from "../../../../services/platform/rate_limit/shared_budget.ts";
import { requesterOfClient } from "../../../../services/platform/rate_limit/take_call.ts";
import {
  EXPLORER_SHARES,
  explorerLimits,
} from "../../../../services/platform/rate_limit/upstream_limits.ts";
import { fc } from "../../../support/properties.ts";

const NOW = 1_700_000_000_000;
const LIMITS = [
  { calls: 12, perMs: 1_000 },
  { calls: 40, perMs: 10_000 },
];
const A = requesterOfClient("192.0.2.1");
const B = requesterOfClient("192.0.2.2");

/** A budget that counts the calls of each party. */
function newBudget(
  limits: SharedBudget["limits"] = LIMITS,
  shares: Shares = UNSHARED,
) {
  const budget = { name: "up.test", limits, shares };
  let all = NO_SHARED_CALLS;
  const own = new Map<string, CallCounts>();
  const countsOf = ({ parties }: Requester) => ({
    all,
    parties: parties.map(({ name }) => own.get(name) ?? NO_CALLS),
  });

  /** Returns the admission of a requester without counting a call. */
  const look = (who: Requester, now: number) =>
    admitShared(countsOf(who), budget, who, now);

  function ask(who: Requester, now: number) {
    const admission = look(who, now);
    if (!admission.allowed) return admission;
    all = admission.counts.all;
    who.parties.forEach(({ name }, nth) =>
      own.set(name, admission.counts.parties[nth]!)
    );
    return admission;
  }

  /** Asks until a call is refused. Returns the number of admitted calls. */
  function exhaust(who: Requester, now: number): number {
    for (let served = 0;; served++) if (!ask(who, now).allowed) return served;
  }

  return { look, ask, exhaust };
}

const gaps = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 200 });

Deno.test("admitShared() gives one network half of a budget, and the next one half of the rest", () => {
  const limit = { calls: 60, perMs: 60_000 };
  const { exhaust } = newBudget([limit]);
  const networks = [1, 2, 3, 4].map((nth) =>
    requesterOfClient(`192.0.2.${nth}`)
  );
  assertEquals(networks.map((who) => exhaust(who, NOW)), [30, 15, 8, 4]);
  assertEquals(maxOfShare(limit.calls, A.parties[0]!), 30);
});

Deno.test("admitShared() leaves half of the budget to others, whenever one network calls", () => {
  fc.assert(fc.property(gaps, (gaps) => {
    const { ask, look } = newBudget();
    let now = NOW;
    const calls = gaps.map((gap) => now += gap)
      .filter((now) => {
        const { allowed } = ask(A, now);
        assert(look(B, now).allowed);
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

const FREE = freeRequester({ wallet: "0xf1", hostname: "192.0.2.1" });
const OTHER_FREE = freeRequester({ wallet: "0xf2", hostname: "192.0.2.2" });
const SCALE = paidRequester("0xa1", 999);
const PAYMENTS: Requester = { of: "payments", parties: [] };
const EVERYBODY = [A, B, SERVICE, FREE, OTHER_FREE, SCALE, PAYMENTS];

const SHARES: Shares = {
  payments: { reserved: 0.25, asking: 0.25, max: 1 },
  service: { reserved: 0.1, asking: 0.1, max: 0.5 },
  paid: { reserved: 0.3, asking: 0.3, max: 0.6 },
  free: { reserved: 0, asking: 0, max: 0.3 },
};

Deno.test("admitShared() admits a refused requester after retryAfterMs, whoever called before", () => {
  const steps = fc.array(
    fc.record({
      who: fc.constantFrom(...EVERYBODY),
      gap: fc.integer({ min: 0, max: 200 }),
    }),
    { maxLength: 200 },
  );
  fc.assert(fc.property(steps, (steps) => {
    const { ask, look } = newBudget(LIMITS, SHARES);
    let now = NOW;
    for (const { who, gap } of steps) {
      now += gap;
      const admission = ask(who, now);
      if (admission.allowed) continue;
      assert(admission.retryAfterMs > 0);
      assert(look(who, now + admission.retryAfterMs).allowed);
    }
  }));
});

Deno.test("admitShared() keeps the part of each class from all others, whatever they ask", () => {
  const limit = { calls: 100, perMs: DAY_MS };
  const requesters = Array.from(
    { length: 300 },
    (_, nth) =>
      freeRequester({
        wallet: `0x${nth}`,
        hostname: `198.51.100.${nth % 250}`,
      }),
  );
  const { exhaust } = newBudget([limit], SHARES);
  const free = requesters.reduce((sum, who) => sum + exhaust(who, NOW), 0);
  assertEquals(free, 30);
  assertEquals(exhaust(SERVICE, NOW), 15, "what is neither used nor reserved");
  assertEquals(exhaust(SCALE, NOW), 24, "four fifths of the paid part");
  assertEquals(exhaust(PAYMENTS, NOW), 25);
});

Deno.test("admitShared() shares the paid part in proportion to the prices, if all call all the time", () => {
  const perDay = 10_000;
  const { ask } = newBudget(
    explorerLimits({ perSecond: 1e6, perDay }),
    EXPLORER_SHARES,
  );
  const prices = [49, 249, 999];
  const step = DAY_MS / 60;
  const days = 6;
  let served: Map<number, number> = new Map();
  for (let now = NOW; now < NOW + days * DAY_MS; now += step) {
    if (now === NOW + (days - 1) * DAY_MS) {
      served = new Map(prices.map((price) => [price, 0]));
    }
    for (let round = 0; round < perDay / 60; round++) {
      for (const price of prices) {
        if (!ask(paidRequester(`0x${price}`, price), now).allowed) continue;
        served.set(price, (served.get(price) ?? 0) + 1);
      }
    }
  }
  const total = [...served.values()].reduce((a, b) => a + b);
  for (const [price, calls] of served) {
    const fair = total * price / (49 + 249 + 999);
    assert(Math.abs(calls - fair) < 0.05 * total, `${price}: ${calls}`);
  }
});

Deno.test("admitShared() leaves both calls of a second to a paid plan that is asking", () => {
  const { ask } = newBudget(
    explorerLimits({ perSecond: 2, perDay: 10_000 }),
    EXPLORER_SHARES,
  );
  assert(ask(SCALE, NOW - 60_000).allowed);
  assert(ask(FREE, NOW).allowed);
  assert(!ask(OTHER_FREE, NOW).allowed, "one is kept for paid plans");
  assert(ask(SCALE, NOW).allowed);
  let [paid, free] = [0, 0];
  for (let ms = 10; ms < 10_000; ms += 10) {
    if (ask(OTHER_FREE, NOW + ms).allowed) free++;
    if (ask(SCALE, NOW + ms).allowed) paid++;
  }
  assertEquals(free, 0);
  assert(paid >= 18, `${paid}`);
  assert(ask(FREE, NOW + 12_100).allowed, "two seconds after the last request");
});

Deno.test("admitShared() keeps no call of a second for paid plans that did not call in the last hour", () => {
  const { ask } = newBudget(
    explorerLimits({ perSecond: 2, perDay: 10_000 }),
    EXPLORER_SHARES,
  );
  assert(ask(SCALE, NOW - 3_600_000).allowed);
  assert(ask(SERVICE, NOW).allowed);
  assert(ask(FREE, NOW).allowed, "beside a job of the service");
});

Deno.test("admitShared() forgets who asked for a call before the clock was set back", () => {
  const { ask } = newBudget(
    explorerLimits({ perSecond: 2, perDay: 10_000 }),
    EXPLORER_SHARES,
  );
  assert(ask(SCALE, NOW + 2 * 3_600_000).allowed);
  assert(ask(FREE, NOW).allowed);
});

Deno.test("admitShared() bounds the networks of one IPv6 site together", () => {
  const { exhaust } = newBudget([{ calls: 64, perMs: 60_000 }]);
  const served = Array.from(
    { length: 100 },
    (_, nth) =>
      exhaust(requesterOfClient(`2001:db8:1:${nth.toString(16)}::/64`), NOW),
  )
    .reduce((a, b) => a + b);
  assertEquals(served, 32);
});
