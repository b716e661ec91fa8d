/** Quota decisions against a plain list of timestamps, over random histories. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  METERED,
  type Metered,
  METERED_NAMES,
} from "../../../../services/payments/plans_schema.ts";
import {
  type Charge,
  chargeOf,
  decide,
  listDays,
  type QuotaStatus,
  quotaStatusOf,
  refund,
} from "../../../../services/accounts/quota/quota.ts";
import { decrement } from "../../../../services/accounts/quota/rolling_window.ts";
import { NOTHING } from "../../../support/payers.ts";
import { fc } from "../../../support/properties.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse("2026-11-21T08:17:03.120Z");

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
