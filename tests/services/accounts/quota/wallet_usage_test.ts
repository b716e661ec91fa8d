/** The usage of a wallet: which logs and counters of other keys are kept. */
import { assertEquals, assertStrictEquals } from "@std/assert";
import {
  pendingRefunds,
  withRefunds,
} from "../../../../services/accounts/quota/pending_refunds.ts";
import { EMPTY_COUNTER } from "../../../../services/accounts/quota/slot_counter.ts";
import {
  NO_USAGE,
  usageOf,
  type WalletUsage,
  withUsage,
} from "../../../../services/accounts/quota/wallet_usage.ts";
import { DAY_MS } from "../../../../services/platform/days.ts";

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

const refundOf = (units: number, originId = "origin") => ({
  charge: { endpoint: "score", units } as const,
  originId,
  spentAt: 101 * DAY_MS,
});

Deno.test("withRefunds() gives units back to the wallet and the key, if it has a counter", () => {
  const usage: WalletUsage = {
    period: {
      hours: { since: 101 * 24, units: [9] },
      days: { score: { since: 101, units: [9] } },
    },
    bursts: {},
    keys: { origin: { since: 100, units: [4, 5] } },
  };
  assertStrictEquals(withRefunds(usage, []), usage);
  const refunds = [refundOf(2), refundOf(1, "gone"), refundOf(1)];
  assertEquals(withRefunds(usage, refunds), {
    period: {
      hours: { since: 101 * 24, units: [5] },
      days: { score: { since: 101, units: [5] } },
    },
    bursts: {},
    keys: { origin: { since: 100, units: [4, 2] } },
  });
});

Deno.test("pendingRefunds() holds the last 1,000 refunds of 10,000 wallets, and gives them out once", () => {
  const pending = pendingRefunds();
  const [one, two] = [refundOf(1), refundOf(2)];
  for (let nth = 0; nth < 10_000; nth++) pending.add(`none ${nth}`, []);
  pending.add("a", [one]);
  pending.add("a", [two]);
  assertEquals(pending.list("a"), [one, two]);
  assertEquals(pending.take("a"), [one, two]);
  assertEquals([pending.take("a"), pending.list("a")], [[], []]);
  pending.add("a", [one, ...Array(999).fill(two)]);
  assertEquals(pending.list("a")[0], one);
  pending.add("a", [two]);
  assertEquals(pending.list("a"), Array(1_000).fill(two));
  for (let nth = 1; nth < 10_000; nth++) pending.add(`w${nth}`, [one]);
  assertEquals(pending.list("w9999"), [one]);
  pending.add("one more", [one]);
  assertEquals(pending.list("one more"), []);
  pending.add("w1", [two]);
  assertEquals(pending.list("w1"), [one, two]);
  pending.take("w1");
  pending.add("one more", [one]);
  assertEquals(pending.list("one more"), [one]);
});
