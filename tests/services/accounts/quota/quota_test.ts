/** Quota decisions at the edges of windows, bursts, refunds and clock skew. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { type Metered } from "../../../../services/payments/plans_schema.ts";
import { formatDay } from "../../../../services/platform/days.ts";
import {
  type Charge,
  chargeOf,
  decide,
  listDays,
  quotaStatusOf,
  refund,
  type Usage,
} from "../../../../services/accounts/quota/quota.ts";
import { NOTHING } from "../../../support/payers.ts";

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
