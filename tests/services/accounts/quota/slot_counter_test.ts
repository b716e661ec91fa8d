/** Counters by slot and their windows: exact values on both sides of each bound. */
import { assertEquals, assertStrictEquals } from "@std/assert";
import {
  type Counter,
  DAILY,
  decrement,
  EMPTY_COUNTER,
  firstUsed,
  foldAfter,
  HOURLY,
  increment,
  oldestSlot,
  slotAt,
  total,
  windowStatus,
  windowWait,
} from "../../../../services/accounts/quota/rolling_window.ts";
import { DAY_MS, HOUR_MS } from "../../../../services/platform/days.ts";

const COUNTER: Counter = { since: 10, units: [0, 3, 0, 5] };

Deno.test("total() and firstUsed() leave out the slots before the oldest", () => {
  const cases: [oldest: number, total: number, first: number | null][] = [
    [0, 8, 11],
    [10, 8, 11],
    [11, 8, 11],
    [12, 5, 13],
    [13, 5, 13],
    [14, 0, null],
    [99, 0, null],
  ];
  for (const [oldest, sum, first] of cases) {
    assertEquals(total(COUNTER, oldest), sum, `${oldest}`);
    assertEquals(firstUsed(COUNTER, oldest), first, `${oldest}`);
  }
  assertEquals(EMPTY_COUNTER, { since: 0, units: [] });
  assertEquals(firstUsed({ since: 4, units: [1] }, 0), 4);
});

Deno.test("increment() keeps the slots without gaps and drops old ones", () => {
  const at = (slot: number, oldest: number, counter = COUNTER) =>
    increment(counter, { slot, oldest }, 2);
  const cases: [counter: Counter, expected: Counter][] = [
    [at(13, 0), { since: 10, units: [0, 3, 0, 7] }],
    [at(15, 0), { since: 10, units: [0, 3, 0, 5, 0, 2] }],
    [at(11, 0), { since: 10, units: [0, 5, 0, 5] }],
    [at(8, 0), { since: 8, units: [2, 0, 0, 3, 0, 5] }],
    [at(13, 12), { since: 12, units: [0, 7] }],
    [at(12, 13), { since: 12, units: [2, 5] }],
    [at(20, 20), { since: 20, units: [2] }],
    [at(7, 0, EMPTY_COUNTER), { since: 7, units: [2] }],
  ];
  for (const [counter, expected] of cases) assertEquals(counter, expected);
  assertEquals(COUNTER.units, [0, 3, 0, 5], "unchanged");
});

Deno.test("decrement() takes from the slot or from the last one, and never below zero", () => {
  const from = (slot: number, by: number) => decrement(COUNTER, slot, by).units;
  assertEquals(from(11, 2), [0, 1, 0, 5]);
  assertEquals(from(11, 9), [0, 0, 0, 5]);
  assertEquals(from(10, 1), [0, 3, 0, 5]);
  assertEquals(from(14, 1), [0, 3, 0, 4]);
  assertEquals(decrement({ since: 4, units: [2] }, 4, 1).units, [1]);
  assertEquals(decrement(COUNTER, 11, 1).since, 10);
  assertStrictEquals(decrement(COUNTER, 9, 1), COUNTER);
  assertStrictEquals(decrement(EMPTY_COUNTER, 9, 1), EMPTY_COUNTER);
});

Deno.test("foldAfter() adds the units of later slots to a slot", () => {
  assertEquals(foldAfter(COUNTER, 12), { since: 10, units: [0, 3, 5] });
  assertEquals(foldAfter(COUNTER, 11), { since: 10, units: [0, 8] });
  assertEquals(foldAfter(COUNTER, 10), { since: 10, units: [8] });
  assertEquals(foldAfter(COUNTER, 8), { since: 8, units: [8] });
  assertStrictEquals(foldAfter(COUNTER, 13), COUNTER);
  assertStrictEquals(foldAfter(COUNTER, 99), COUNTER);
});

Deno.test("a window has 30 days of hours or days, and a unit counts until its slot has left them", () => {
  assertEquals(HOURLY, { slotMs: HOUR_MS, slots: 720 });
  assertEquals(DAILY, { slotMs: DAY_MS, slots: 30 });
  const now = 1_000 * HOUR_MS;
  const slots = [now, now + HOUR_MS - 1, now + HOUR_MS]
    .map((at) => [slotAt(HOURLY, at), oldestSlot(HOURLY, at)]);
  assertEquals(slots, [[1_000, 280], [1_000, 280], [1_001, 281]]);
  const used: Counter = { since: 279, units: [4, 0, 2, 3] };
  assertEquals(windowStatus(HOURLY, used, { limit: 7, now }), {
    limit: 7,
    used: 5,
    remaining: 2,
    resetAt: (281 + 1 + 720) * HOUR_MS,
  });
  assertEquals(windowStatus(HOURLY, used, { limit: 3, now }).remaining, 0);
  assertEquals(windowStatus(HOURLY, EMPTY_COUNTER, { limit: 7, now }), {
    limit: 7,
    used: 0,
    remaining: 7,
    resetAt: now + 30 * DAY_MS,
  });
});

Deno.test("windowWait() is zero if the units fit, else until enough slots have left", () => {
  const now = 1_000 * HOUR_MS;
  const counter: Counter = { since: 280, units: [2, 3, 4] };
  const wait = (units: number, limit = 10) =>
    windowWait(HOURLY, counter, { units, limit, now }) / HOUR_MS;
  const cases: [units: number, hours: number][] = [
    [1, 0],
    [2, 1],
    [3, 1],
    [4, 2],
    [6, 2],
    [7, 3],
    [10, 3],
    [11, 3],
  ];
  for (const [units, hours] of cases) {
    assertEquals(wait(units), hours, `${units}`);
  }
  const none = { units: 2, limit: 1, now };
  assertEquals(windowWait(HOURLY, EMPTY_COUNTER, none), 30 * DAY_MS);
});
