/**
 * Budgets of calls: sliding windows, who a call is made for, the reserve, the caps, and
 * plans before the free.
 */
import { assert, assertEquals } from "@std/assert";
import {
  admitShared,
  type CallCounts,
  changeRequester,
  describeLimits,
  freeRequester,
  type Limit,
  NO_CALLS,
  partOf,
  PAYMENTS,
  planRequester,
  REFRESH,
  type Requester,
  requesterOfClient,
  SERVICE,
  type SharedBudget,
  type Shares,
  type Slots,
  UNSHARED,
  usedByOf,
  visitorRequester,
  waitOf,
  withCall,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import { CLOCK_SKEW_MS } from "../../../../services/platform/clock.ts";
import { fc } from "../../../support/properties.ts";
import { PLANS } from "../../../../services/payments/plans_schema.ts";
import { DAY_MS, MINUTE_MS } from "../../../../services/platform/days.ts";
import {
  EXPLORER_SHARES,
  limitsOf,
  NODE_CALLS,
  RPC_SHARES,
} from "../../../../services/platform/rate_limit/upstream_limits.ts";

const LIMITS: Limit[] = [{ calls: 5, perMs: 1_000 }, {
  calls: 12,
  perMs: 10_000,
}];

/** Requests a call. Returns the counts with it, or the wait. */
function admit(counts: CallCounts, limits: readonly Limit[], now: number) {
  const wait = waitOf(counts, limits, now);
  return wait === null
    ? { allowed: true as const, callCounts: withCall(counts, limits, now) }
    : { allowed: false as const, ...wait };
}

/** Requests a call at each instant. Returns the instants of admitted calls. */
function admitted(instants: readonly number[]): number[] {
  let callCounts: CallCounts = NO_CALLS;
  return instants.filter((now) => {
    const admission = admit(callCounts, LIMITS, now);
    if (admission.allowed) callCounts = admission.callCounts;
    return admission.allowed;
  });
}

Deno.test("waitOf() allows at most the limit in any window", () => {
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

Deno.test("waitOf() allows the call after retryAfterMs", () => {
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

Deno.test("waitOf() allows the whole limit at once, and partOf() returns a part of it", () => {
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

Deno.test("waitOf() refuses every call until the cooldown ends", () => {
  const callCounts = { counts: [], closedUntil: 5_000 };
  assertEquals(admit(callCounts, LIMITS, 2_000), {
    allowed: false,
    retryAfterMs: 3_000,
    limit: null,
  });
  assert(admit(callCounts, LIMITS, 5_000).allowed);
});

Deno.test("waitOf() ignores counts and cooldowns from before the clock was set back", () => {
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

Deno.test("waitOf() refuses calls up to the millisecond in which the oldest counted slot has left its window", () => {
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

Deno.test("waitOf() keeps to a cooldown of at most ten minutes by the clock of another process", () => {
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

Deno.test("whoever may be a stranger has a cap on what he uses, and so has each of his networks", () => {
  const host = "2001:db8::1";
  const strangers = [
    requesterOfClient(host),
    visitorRequester(host),
    freeRequester("0xa", PLANS.free.turns, host),
    planRequester("0xa", PLANS.scale.turns),
    changeRequester({ wallet: "0xa", hostname: host }),
  ];
  for (const { of, parties } of strangers) {
    assertEquals(parties.length > 0, true, of);
    assertEquals(parties.every(({ cap }) => cap < 1), true, of);
  }
  assertEquals(requesterOfClient(undefined), SERVICE);
  assertEquals(visitorRequester(undefined).parties, []);
  const { parties } = changeRequester({ wallet: "0xa", hostname: null });
  assertEquals(parties.map(({ name }) => name), ["0xa"]);
  const [wallet, network] =
    freeRequester("0xa", PLANS.free.turns, host).parties;
  assertEquals([undefined, wallet, network].map(usedByOf), [
    "everyone",
    "wallet",
    "network",
  ]);
});

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
