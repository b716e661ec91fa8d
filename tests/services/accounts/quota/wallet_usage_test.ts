/** The usage of a wallet: which logs and counters of other keys are kept. */
import { assertEquals } from "@std/assert";
import { EMPTY_COUNTER } from "../../../../services/accounts/quota/rolling_window.ts";
import {
  NO_USAGE,
  usageOf,
  withUsage,
} from "../../../../services/accounts/quota/quota.ts";

const MINUTE = 60_000;
const NOW = 100 * MINUTE;
const KEY = { keyId: "key", originId: "origin" };
const PERIOD = { hours: { since: 3, units: [1] }, days: {} };
const USED = {
  period: PERIOD,
  burst: { single: [NOW], batch: [] },
  keyDays: { since: 100, units: [0, 2] },
};

const keysOf = (count: number) =>
  Array.from({ length: count }, (_, nth) => `k${nth}`);

Deno.test("usageOf() returns what is stored of a key, and nothing for an unused one", () => {
  const empty = { single: [], batch: [] };
  assertEquals(NO_USAGE, {
    period: { hours: EMPTY_COUNTER, days: {} },
    bursts: {},
    keys: {},
  });
  assertEquals(usageOf(NO_USAGE, KEY), {
    period: NO_USAGE.period,
    burst: empty,
    keyDays: EMPTY_COUNTER,
  });
  const stored = withUsage(NO_USAGE, KEY, USED);
  assertEquals(stored, {
    period: PERIOD,
    bursts: { key: USED.burst },
    keys: { origin: USED.keyDays },
  });
  assertEquals(usageOf(stored, KEY), USED);
});

Deno.test("withUsage() drops the logs of other keys that were not used in the five minutes before", () => {
  const bursts = {
    key: { single: [1], batch: [1] },
    recent: { single: [NOW - 5 * MINUTE + 1], batch: [] },
    old: { single: [NOW - 5 * MINUTE], batch: [1] },
    batched: { single: [], batch: [NOW - 5 * MINUTE + 1] },
    both: { single: [1], batch: [2, NOW] },
    empty: { single: [], batch: [] },
  };
  const { bursts: kept } = withUsage({ ...NO_USAGE, bursts }, KEY, USED);
  const { recent, batched, both } = bursts;
  assertEquals(kept, { recent, batched, both, key: USED.burst });
  const early = { ...USED, burst: { single: [0], batch: [2] } };
  const start = { ...NO_USAGE, bursts: { empty: { single: [], batch: [] } } };
  assertEquals(Object.keys(withUsage(start, KEY, early).bursts), [
    "empty",
    "key",
  ]);
});

Deno.test("withUsage() keeps the logs of the 40 other keys that were used last", () => {
  const logs = (count: number) =>
    Object.fromEntries(
      keysOf(count).map((id, nth) => [id, { single: [NOW - nth], batch: [] }]),
    );
  for (const [count, kept] of [[39, 39], [40, 40], [41, 40], [60, 40]]) {
    const bursts = Object.fromEntries(
      Object.entries(logs(count!)).toReversed(),
    );
    const ids = Object.keys(
      withUsage({ ...NO_USAGE, bursts }, KEY, USED).bursts,
    );
    assertEquals(ids.toSorted(), ["key", ...keysOf(kept!)].toSorted());
  }
});

Deno.test("withUsage() keeps the counters of the last 30 days, at most 60 of other keys", () => {
  const last = (day: number, days = 2) => ({
    since: day + 1 - days,
    units: Array.from({ length: days }, () => 1),
  });
  const keys = {
    origin: last(1),
    old: last(70, 1),
    kept: last(71, 5),
    other: last(101),
  };
  const { keys: left } = withUsage({ ...NO_USAGE, keys }, KEY, USED);
  assertEquals(left, {
    kept: keys.kept,
    other: keys.other,
    origin: USED.keyDays,
  });
  const alone = { ...NO_USAGE, keys: { origin: last(101) } };
  assertEquals(withUsage(alone, KEY, USED).keys, { origin: USED.keyDays });
  for (const [count, kept] of [[59, 59], [60, 60], [61, 60], [90, 60]]) {
    const counters = keysOf(count!).map((
      id,
      nth,
    ) => [id, last(200 - nth, 1 + nth % 9)]);
    const many = Object.fromEntries(counters.toReversed());
    const ids = Object.keys(
      withUsage({ ...NO_USAGE, keys: many }, KEY, USED).keys,
    );
    assertEquals(ids.toSorted(), [...keysOf(kept!), "origin"].toSorted());
  }
});
