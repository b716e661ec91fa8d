/** Quota decisions at the edges of windows, bursts, refunds and clock skew. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  METERED,
  type Metered,
  METERED_NAMES,
} from "../../../../services/payments/plans_schema.ts";
import { DAY_MS, formatDay } from "../../../../services/platform/days.ts";
import {
  type Charge,
  chargeOf,
  decide,
  listDays,
  listKeyDays,
  type QuotaStatus,
  quotaStatusOf,
  refund,
  unitsOfKey,
  type Usage,
} from "../../../../services/accounts/quota/quota.ts";
import { NOTHING } from "../../../support/payers.ts";
import { decrement } from "../../../../services/accounts/quota/rolling_window.ts";
import { fc } from "../../../support/properties.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse("2026-11-21T08:17:03.120Z");

Deno.test("every window begins and ends at its published instant", () => {
  const burst = { requests: 1, perMs: MINUTE };
  const charge = {
    endpoint: "score",
    units: 1,
    limit: 1,
    cap: null,
    burst,
  } as const;
  const roomy = { ...charge, limit: 9 };
  const hour = Math.floor(START / HOUR) * HOUR;
  const cases: [string, Charge, number, number][] = [
    ["a burst", roomy, START, START + MINUTE],
    ["the first instant of an hour", charge, hour, hour + HOUR + 30 * DAY],
    ["its last", charge, hour + HOUR - 1, hour + HOUR + 30 * DAY],
    ["the next hour's first", charge, hour + HOUR, hour + 2 * HOUR + 30 * DAY],
  ];
  for (const [name, charge, spentAt, freeAt] of cases) {
    const { usage } = decide(NOTHING, charge, spentAt);
    for (const now of [spentAt, spentAt + 1, freeAt - 1]) {
      const refusal = decide(usage, charge, now);
      assert(!refusal.allowed, name);
      assertEquals(refusal.retryAfterMs, freeAt - now, name);
    }
    assert(decide(usage, charge, freeAt).allowed, name);
  }
});

Deno.test("a batch that does not fit whole is refused whole", () => {
  const { limit } = chargeOf("builder", "batch", { units: 50 });
  const burst = { requests: 1_000, perMs: MINUTE };
  const charge = {
    endpoint: "batch",
    units: 50,
    limit,
    cap: null,
    burst,
  } as const;
  let usage = NOTHING;
  for (let units = limit - 12; units > 0; units -= 50) {
    const part = { ...charge, units: Math.min(50, units) };
    usage = decide(usage, part, START).usage;
  }
  const refusal = decide(usage, charge, START);
  assert(!refusal.allowed);
  assertEquals(
    [refusal.which, refusal.needed, refusal.remaining],
    ["period", 50, 12],
  );
  assert(decide(usage, { ...charge, units: 12 }, START).allowed);
});

Deno.test("bursts of single and batch calls are counted apart, and both by the table", () => {
  let usage = NOTHING;
  const admitted = (endpoint: Metered, calls: number) =>
    Array.from({ length: calls }).filter(() => {
      const decision = decide(usage, chargeOf("scale", endpoint), START);
      usage = decision.usage;
      return decision.allowed;
    }).length;
  assertEquals(admitted("batch", 15), 10);
  assertEquals(admitted("score", 40), 40);
  assertEquals(admitted("history", 15), 15);
  assertEquals(admitted("signed", 15), 5);
});

Deno.test("more than a whole plan is refused until nothing is counted, and without end", () => {
  const charge = { ...chargeOf("free", "batch", { units: 50 }), limit: 49 };
  const fresh = decide(NOTHING, charge, START);
  assert(!fresh.allowed);
  assertEquals(fresh.retryAfterMs, 30 * DAY);
  const { usage } = decide(NOTHING, { ...charge, units: 1 }, START);
  const used = decide(usage, charge, START);
  assert(!used.allowed && used.retryAfterMs > 30 * DAY);
});

Deno.test("after a downgrade nothing remains until enough units have left the window", () => {
  let usage = NOTHING;
  const large = { ...chargeOf("builder", "batch", { units: 50 }), limit: 100 };
  usage = decide(usage, large, START).usage;
  usage = decide(usage, large, START + DAY).usage;
  const small = { ...large, units: 1, limit: 60 };
  const refusal = decide(usage, small, START + DAY);
  assert(!refusal.allowed);
  assertEquals(refusal.remaining, 0);
  assertEquals(refusal.quotaStatus.used, 100, "more than the limit of 60");
  assert(decide(usage, small, START + DAY + refusal.retryAfterMs).allowed);
});

Deno.test("a repeated or late refund counts once", () => {
  const charge = chargeOf("free", "score");
  const { usage } = decide(NOTHING, charge, START);
  const once = refund(usage.period, charge, START);
  const twice = refund(once, charge, START);
  const late = decide(usage, charge, START + 40 * DAY).usage;
  const gone = { ...late, period: refund(late.period, charge, START) };
  const left = (usage: Usage, now: number) =>
    quotaStatusOf(usage, charge, now).remaining;
  assertEquals(left({ ...usage, period: twice }, START), 2_500);
  assertEquals(left(gone, START + 40 * DAY), 2_499);
  const days = listDays(usage.period, START);
  assertEquals(days.length, 30);
  assertEquals([0, 29].map((index) => formatDay(days[index]!.day)), [
    "2026-10-23",
    "2026-11-21",
  ]);
});

Deno.test("another process's faster clock is neither corrected nor lost", () => {
  const charge = { ...chargeOf("free", "score"), limit: 3 };
  const midnight = Date.parse("2026-11-22T00:00:00Z");
  const ahead = decide(NOTHING, charge, midnight + 10_000).usage;
  const { usage } = decide(ahead, charge, midnight - 10_000);
  assertEquals([...usage.burst.single], [midnight + 10_000, midnight + 10_000]);
  const { units } = decide(usage, charge, midnight - 9_000).usage.period.hours;
  assertEquals([...units], [2, 1]);
  const full = { ...charge, limit: 2 };
  assertStrictEquals(decide(usage, full, midnight - 9_000).usage, usage);
  const refusal = decide(usage, full, midnight - 9_000);
  assertEquals(refusal.quotaStatus.resetAt, midnight + 30 * DAY);
});

Deno.test("after the clock was set back a day, all units still count and can be refunded", () => {
  const charge = chargeOf("free", "score");
  const before = decide(NOTHING, charge, START + DAY).usage;
  const { usage } = decide(before, charge, START);
  const today = (usage: Usage) => listDays(usage.period, START).at(-1)!.units;
  assertEquals(today(usage).score, 2);
  const period = refund(usage.period, charge, START + DAY);
  assertEquals(today({ ...usage, period }).score, 1);
  assertEquals(
    quotaStatusOf({ ...usage, period }, charge, START).remaining,
    2_499,
  );
});

Deno.test("under a lower burst a refusal says when enough requests have left", () => {
  const charge = chargeOf("free", "score");
  let usage = NOTHING;
  for (const after of [0, 1_000, 2_000]) {
    usage = decide(usage, charge, START + after).usage;
  }
  const lower = { ...charge, burst: { requests: 2, perMs: MINUTE } };
  const refusal = decide(usage, lower, START + 3_000);
  assert(!refusal.allowed);
  assertEquals(refusal.retryAfterMs, MINUTE - 2_000);
  assert(decide(usage, lower, START + 1_000 + MINUTE).allowed);
});

// Units of a key by day.

Deno.test("listKeyDays() and unitsOfKey() count the days that still count towards a cap", () => {
  const counter = { since: 100, units: [1, 0, 2, 4] };
  const days = (today: number, ms = 0) =>
    listKeyDays(counter, today * DAY_MS + ms).map(({ day }) => day);
  assertEquals(days(103), [100, 102, 103]);
  assertEquals(days(130, DAY_MS - 1), [100, 102, 103], "30 days after its end");
  assertEquals(days(131), [102, 103]);
  assertEquals(days(133), [103]);
  assertEquals(days(134), []);
  const units = [130, 131, 133, 134].map((today) =>
    unitsOfKey(counter, today * DAY_MS)
  );
  assertEquals(units, [7, 6, 4, 0]);
  assertEquals(listKeyDays(counter, 133 * DAY_MS), [{ day: 103, units: 4 }]);
});

// Quota decisions against a plain list of timestamps, over random histories.

/** An admitted request in a plain list. */
interface Noted {
  readonly at: number;
  readonly endpoint: Metered;
  units: number;
}

/** The published rule: a unit counts until 30 days after the end of its UTC hour. */
const leavesAt = ({ at }: Noted) =>
  Math.floor(at / HOUR) * HOUR + HOUR + 30 * DAY;

/** The same for a cap: until 30 days after the end of its UTC day. */
const leavesCapAt = ({ at }: Noted) => Math.floor(at / DAY) * DAY + 31 * DAY;

const inCap = (list: Noted[], now: number) =>
  list.filter((noted) => noted.units > 0 && now < leavesCapAt(noted));

const inPeriod = (list: Noted[], now: number) =>
  list.filter((noted) => noted.units > 0 && now < leavesAt(noted));

const unitsIn = (list: Noted[]) =>
  list.reduce((sum, { units }) => sum + units, 0);

const inBurst = (list: Noted[], { endpoint, burst }: Charge, now: number) =>
  list.filter((noted) =>
    METERED[noted.endpoint].burst === METERED[endpoint].burst &&
    now < noted.at + burst.perMs
  );

/** When the list has room for a charge, by trying every instant something leaves. */
function fits(list: Noted[], charge: Charge, now: number) {
  const instants = [
    now,
    ...list.map(leavesAt),
    ...list.map(leavesCapAt),
    ...list.map(({ at }) => at + charge.burst.perMs),
  ].filter((at) => at >= now).sort((a, b) => a - b);
  return {
    periodAt: instants.find((at) =>
      unitsIn(inPeriod(list, at)) + charge.units <= charge.limit
    )!,
    capAt: charge.cap === null
      ? now
      : instants.find((at) =>
        unitsIn(inCap(list, at)) + charge.units <= charge.cap!
      )!,
    burstAt: instants.find((at) =>
      inBurst(list, charge, at).length < charge.burst.requests
    )!,
  };
}

/** Works the caller's quota status out from the list of charges. */
function quotaStatus(list: Noted[], charge: Charge, now: number): QuotaStatus {
  const { limit, cap, burst: { requests, perMs } } = charge;
  const log = inBurst(list, charge, now);
  const statusOf = (
    limit: number,
    counted: Noted[],
    leavesAt: (noted: Noted) => number,
  ) => ({
    limit,
    used: unitsIn(counted),
    remaining: Math.max(0, limit - unitsIn(counted)),
    resetAt: counted.length === 0
      ? now + 30 * DAY
      : Math.min(...counted.map(leavesAt)),
  });
  const ofPeriod = statusOf(limit, inPeriod(list, now), leavesAt);
  const ofCap = cap === null
    ? null
    : statusOf(cap, inCap(list, now), leavesCapAt);
  return {
    ...ofPeriod,
    cap: ofCap,
    tighter: ofCap !== null && ofCap.remaining < ofPeriod.remaining
      ? "cap"
      : "period",
    burst: {
      limit: requests,
      perMs,
      remaining: Math.max(0, requests - log.length),
      resetAt: log.length === 0 ? now : log[0]!.at + perMs,
    },
  };
}

const gap = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: MINUTE / 2 }),
  fc.constantFrom(MINUTE - 1, MINUTE, MINUTE + 1),
  fc.integer({ min: 1, max: 3 * HOUR }),
  fc.integer({ min: 1, max: 12 * DAY }),
  fc.constantFrom(30 * DAY - 1, 30 * DAY, 30 * DAY + HOUR),
);

const history = fc.record({
  limit: fc.integer({ min: 12, max: 40 }),
  cap: fc.option(fc.integer({ min: 12, max: 40 })),
  requests: fc.integer({ min: 1, max: 5 }),
  steps: fc.array(
    fc.record({
      gap,
      // By the gap alone, on to the edge of an hour, or as long as a refusal said.
      until: fc.constantFrom("gap", "edge", "before the edge", "wait"),
      endpoint: fc.constantFrom(...METERED_NAMES),
      units: fc.integer({ min: 1, max: 12 }),
      givesBack: fc.boolean(),
    }),
    { minLength: 1, maxLength: 40, size: "max" },
  ),
});

Deno.test("10,000 histories are decided as by a plain list of timestamps", () => {
  const property = fc.property(history, ({ limit, cap, requests, steps }) => {
    const list: Noted[] = [];
    let usage = NOTHING;
    let now = START;
    let waitMs = 0;
    for (const { gap, until, endpoint, units, givesBack } of steps) {
      now += until === "wait" ? waitMs : gap;
      const edge = Math.ceil(now / HOUR) * HOUR;
      if (until === "edge") now = edge;
      if (until === "before the edge") now = Math.max(now, edge - 1);
      const charge: Charge = {
        endpoint,
        units: endpoint === "batch" ? units : 1,
        limit,
        cap,
        burst: { requests, perMs: MINUTE },
      };
      const { periodAt, capAt, burstAt } = fits(list, charge, now);
      const fitsAt = Math.max(periodAt, capAt, burstAt);
      const decision = decide(usage, charge, now);
      assertEquals(decision.allowed, fitsAt === now);
      if (!decision.allowed) {
        const { usage: kept, ...refusal } = decision;
        assertStrictEquals(kept, usage, "a refusal changes nothing");
        const stands = quotaStatus(list, charge, now);
        const resetAt = periodAt === now ? stands.resetAt : periodAt;
        const ofCap = stands.cap &&
          { ...stands.cap, ...(capAt === now ? {} : { resetAt: capAt }) };
        const [which, needed, remaining] = burstAt > Math.max(periodAt, capAt)
          ? ["burst", 1, 0] as const
          : capAt > periodAt
          ? ["cap", charge.units, ofCap!.remaining] as const
          : ["period", charge.units, stands.remaining] as const;
        const tighter = which === "burst" ? stands.tighter : which;
        assertEquals(refusal, {
          allowed: false,
          which,
          retryAfterMs: waitMs = fitsAt - now,
          needed,
          remaining,
          quotaStatus: { ...stands, resetAt, cap: ofCap, tighter },
        });
        continue;
      }
      const noted = { at: now, endpoint, units: charge.units };
      list.push(noted);
      usage = decision.usage;
      assertEquals(decision.quotaStatus, quotaStatus(list, charge, now));
      if (!givesBack) continue;
      usage = {
        ...usage,
        period: refund(usage.period, charge, now),
        keyDays: decrement(usage.keyDays, Math.floor(now / DAY), charge.units),
      };
      noted.units = 0;
      assertEquals(
        quotaStatusOf(usage, charge, now),
        quotaStatus(list, charge, now),
      );
    }
    for (const { day, units } of listDays(usage.period, now)) {
      const spent = list.filter(({ at }) => Math.floor(at / DAY) === day);
      for (const name of METERED_NAMES) {
        const alike = spent.filter(({ endpoint }) => endpoint === name);
        assertEquals(units[name], unitsIn(alike));
      }
    }
  });
  fc.assert(property, { numRuns: 10_000 });
});

Deno.test("a clock set back admits nothing too much, and what a refusal says still holds", () => {
  const steps = fc.array(
    fc.record({
      gap,
      setBackMs: fc.constantFrom(0, 0, 0, 40_000, HOUR, 90 * MINUTE, 400 * DAY),
      endpoint: fc.constantFrom(...METERED_NAMES),
    }),
    { minLength: 1, maxLength: 40, size: "max" },
  );
  const property = fc.property(steps, (steps) => {
    const [limit, requests] = [9, 3];
    const list: Noted[] = [];
    let usage = NOTHING;
    let now = START;
    // The list keeps the time that really went by; the clock is behind it.
    let behindMs = 0;
    for (const { gap, setBackMs, endpoint } of steps) {
      now += gap;
      behindMs += setBackMs;
      const burst = { requests, perMs: MINUTE };
      const charge = { endpoint, units: 1, limit, cap: limit, burst };
      let decision = decide(usage, charge, now - behindMs);
      usage = decision.usage;
      if (!decision.allowed) {
        const longestMs = decision.which === "burst"
          ? 2 * MINUTE
          : decision.which === "cap"
          ? 31 * DAY + MINUTE
          : 30 * DAY + HOUR + MINUTE;
        assert(decision.retryAfterMs <= longestMs);
        now += decision.retryAfterMs;
        decision = decide(usage, charge, now - behindMs);
        assert(decision.allowed, "after the wait it is admitted");
        usage = decision.usage;
      }
      list.push({ at: now, endpoint, units: 1 });
      const ago = (ms: number) => list.filter(({ at }) => at > now - ms);
      assert(ago(30 * DAY).length <= limit);
      assert(inBurst(ago(MINUTE), charge, now).length <= requests);
    }
  });
  fc.assert(property, { numRuns: 2_000 });
});

Deno.test("a refusal after the clock was set back settles the records once", () => {
  const charge = chargeOf("free", "score");
  let usage = NOTHING;
  for (let request = 0; request < 60; request++) {
    usage = decide(usage, charge, START).usage;
  }
  const first = decide(usage, charge, START - HOUR);
  assert(!first.allowed && first.usage !== usage);
  assertEquals([first.which, first.retryAfterMs], ["burst", MINUTE]);
  const second = decide(first.usage, charge, START - HOUR + 1);
  assertStrictEquals(second.usage, first.usage);
  assert(decide(first.usage, charge, START - HOUR + MINUTE).allowed);
});
