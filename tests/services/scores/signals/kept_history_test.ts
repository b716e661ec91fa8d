/** Days of a long history stay known when they leave the window of the index. */
import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../support/properties.ts";
import { DAY_MS, dayAt } from "../../../../services/platform/days.ts";
import { withKept } from "../../../../services/scores/signals/kept_history.ts";
import { scoreOf } from "../../../../services/model/model.ts";
import {
  type ChainSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  type OwnTx,
  useOf,
} from "../../../../services/model/signals.ts";
import { S4_2026_3 } from "../../../../services/model/s4_2026_3.ts";
import { signalStore } from "../../../../services/scores/signals/signals_store.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const ADDRESS = "0x00000000000000000000000000000000000000aa";

/** The newest and the oldest transactions that the simulated index serves. */
const NEWEST = 40;
const OLDEST = 20;

const txs = (hours: fc.Arbitrary<number>) =>
  fc.record({
    hours,
    to: fc.nat(30),
    gasUnits: fc.nat(2_000_000),
    failed: fc.boolean(),
  }).map(({ hours, to, ...rest }): OwnTx => ({
    at: NOW - hours * 3_600_000 - to * 60_000,
    to: `${to}`,
    ...rest,
  }));

/** Reads a life through the window of the index. */
function readWindow(life: readonly OwnTx[], fetchedAt = NOW): ChainSignals {
  const own = life.toSorted((a, b) => b.at - a.at);
  const seen = own.length <= NEWEST + OLDEST
    ? own
    : [...own.slice(0, NEWEST), ...own.slice(-OLDEST)];
  return {
    ...NO_CHAIN,
    firstTxAt: own.at(-1)?.at ?? null,
    recentTxAt: own.slice(0, NEWEST).map(({ at }) => at),
    nonce: own.length,
    use: useOf(seen),
    fetchedAt,
  };
}

const s4 = (chain: ChainSignals) =>
  scoreOf(
    { chain, profile: NO_PROFILE, graph: NO_GRAPH, freshness: "fresh" },
    NOW,
    S4_2026_3,
  ).s4;

/** Reads a life after every few transactions; each read keeps what the last one showed. */
function readOften(life: readonly OwnTx[], every: number): ChainSignals[] {
  const own = life.toSorted((a, b) => a.at - b.at);
  const reads: ChainSignals[] = [];
  for (let count = every; count < own.length + every; count += every) {
    const next = readWindow(own.slice(0, count));
    const last = reads.at(-1);
    reads.push(last ? withKept(next, last) : next);
  }
  return reads;
}

Deno.test("more activity never lowers a score that was read before, though old days leave the index", () => {
  const lives = fc.array(
    fc.oneof(txs(fc.nat(40_000)), txs(fc.nat(300))),
    { minLength: 60, maxLength: 220 },
  );
  fc.assert(
    fc.property(lives, fc.integer({ min: 5, max: 60 }), (life, every) => {
      const scores = readOften(life, every).map(s4);
      for (const [nth, { composite, economic }] of scores.entries()) {
        if (nth === 0) continue;
        const before = scores[nth - 1]!;
        assert(economic >= before.economic, `read ${nth}: ${economic}`);
        assert(
          composite >= before.composite,
          `read ${nth}: ${before.composite} fell to ${composite}`,
        );
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("without what is kept, many cheap transactions would lower a score", () => {
  const tx = (day: number, gasUnits: number): OwnTx => ({
    at: NOW - day * DAY_MS,
    to: `${day % 20}`,
    gasUnits,
    failed: false,
  });
  const spender = Array.from(
    { length: 100 },
    (_, nth) => tx(800 - nth, 1_000_000),
  );
  const player = Array.from({ length: 400 }, () => tx(10, 21_000));
  const before = readWindow(spender.slice(0, 60));
  const kept = withKept(readWindow(spender), before);
  const busy = readWindow([...spender, ...player]);
  assert(s4(busy).economic < s4(kept).economic - 5);
  assert(s4(withKept(busy, kept)).economic >= s4(kept).economic);
  const { days, count } = withKept(busy, kept).use;
  // 60 are in the window, and 80 of the spender's days have left it.
  assertEquals([days.length, count], [101, 60 + 80]);
});

Deno.test("a complete history is stored as it was read", () => {
  const life = [...Array(30)].map((_, nth): OwnTx => ({
    at: NOW - nth * DAY_MS,
    to: "a",
    gasUnits: 21_000,
    failed: false,
  }));
  const next = readWindow(life);
  assertEquals(withKept(next, readWindow(life.slice(5))), next);
});

Deno.test("the store keeps old days in the transaction of the new signals, of the same upstream only", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = signalStore(kv);
  const at = (day: number, gasUnits: number): OwnTx => ({
    at: NOW - day * DAY_MS,
    to: "a",
    gasUnits,
    failed: false,
  });
  const old = Array.from({ length: 100 }, (_, nth) => at(900 - nth, 400_000));
  const more = Array.from({ length: 100 }, (_, nth) => at(100 - nth, 0));
  const origin = "http://up.test";
  const put = (life: readonly OwnTx[], hour: number, from = origin) =>
    store.put(ADDRESS, {
      signals: readWindow(life, NOW + hour * 3_600_000),
      origin: from,
    });
  const gasDays = (signals: ChainSignals) =>
    signals.use.days.filter(({ gasUnits }) => gasUnits > 0).length;
  assertEquals(gasDays((await put(old.slice(0, 60), 0))!), 60);
  assertEquals(gasDays((await put(old, 1))!), 100);
  const kept = (await put([...old, ...more], 2))!;
  assertEquals(gasDays(kept), 100);
  assertEquals((await store.findAll([ADDRESS]))[0]!.signals, kept);
  assertEquals(kept.use.days[0]!.day, dayAt(NOW - DAY_MS));
  const { key, value: record } = await kv.get<{ known: { gasAvax: number } }>([
    "graphs",
    ADDRESS,
  ]);
  assert(Math.abs(record!.known.gasAvax - 1) < 1e-9, `${key}`);
  const elsewhere = (await put([...old, ...more], 3, "http://b.test"))!;
  assertEquals(gasDays(elsewhere), OLDEST);
});

Deno.test("a history that is cut keeps the first transaction, and the funding, that any read showed", () => {
  const funding = { funder: "0xf", at: 1 };
  const origin = { payers: 2, delayDays: 3 };
  const cut = { ...NO_CHAIN, isPartial: true };
  const kept = (next: number | null, stored: number | null) =>
    withKept({ ...cut, firstTxAt: next }, {
      ...cut,
      firstTxAt: stored,
      funding,
      origin,
    });
  const first = ([[5, 3], [3, 5], [null, 3], [5, null], [null, null]] as const)
    .map(([next, stored]) => kept(next, stored).firstTxAt);
  assertEquals(first, [3, 3, 3, 5, null]);
  assertEquals(kept(1, 1).funding, funding);
  assertEquals(kept(1, 1).origin, origin);
});

Deno.test("withKept() keeps the newest 5,000 days", () => {
  const historyOf = (days: readonly number[]): ChainSignals => ({
    ...NO_CHAIN,
    nonce: 1e6,
    use: {
      ...NO_CHAIN.use,
      days: days.map((day) => ({ day, gasUnits: 0, varied: 1 })),
    },
  });
  const daysFrom = (newest: number) =>
    Array.from({ length: 2_600 }, (_, nth) => newest - nth);
  const { use: { days } } = withKept(
    historyOf(daysFrom(20_000)),
    historyOf(daysFrom(17_400)),
  );
  assertEquals(days.length, 5_000);
  assertEquals([days[0]!.day, days.at(-1)!.day], [20_000, 15_001]);
});
