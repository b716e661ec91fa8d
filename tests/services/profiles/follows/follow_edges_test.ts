import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  addArrivals,
  type Arrivals,
  type ArrivalTable,
  changePair,
  type EdgeChange,
  EMPTY_RECORD,
  EMPTY_TABLE,
  type GraphRecord,
  graphSignalsOf,
  hasSlot,
  hourAt,
  hourRangeOf,
  isExpiring,
  largestOf,
  type Pair,
  peakOf,
  setSlot,
  weigh,
  withNonce,
  withSignals,
} from "../../../../services/profiles/follows/follow_edges.ts";
import type { Follower } from "../../../../services/model/follower_analysis.ts";
import {
  type ChainSignals,
  NO_CHAIN,
  NO_GRAPH,
} from "../../../../services/model/signals.ts";
import { fc } from "../../../support/properties.ts";
import { listSlots } from "../../../support/graph.ts";

const AT = Date.UTC(2026, 10, 21, 8);
const WHOLE: Follower = { claimed: true, hasHistory: true, gasAvax: 1 };
const THIN: Follower = { claimed: false, hasHistory: false, gasAvax: 0 };

const strangers: Pair = {
  edge: null,
  reverse: null,
  follower: EMPTY_RECORD,
  followee: EMPTY_RECORD,
};
const FOLLOW: EdgeChange = { kind: "follow", at: AT };
const UNFOLLOW: EdgeChange = { kind: "unfollow" };
const REWEIGH: EdgeChange = { kind: "reweigh" };

const knowing = (known: Follower): GraphRecord => ({ ...EMPTY_RECORD, known });

Deno.test("withSignals() finds a history in sent transactions, and rules it out only with complete data", async (t) => {
  const cases: [name: string, Partial<ChainSignals>, boolean | null][] = [
    ["nothing sent", {}, false],
    ["something sent", { nonce: 3, firstTxAt: 9 }, true],
    ["sent, and the index is behind", { nonce: 3, isPartial: true }, true],
    ["sent, and the node is silent", { firstTxAt: 9, isPartial: true }, true],
    ["a part that shows nothing", { isPartial: true }, null],
    ["a contract account", { isContract: true }, null],
  ];
  for (const [name, signals, hasHistory] of cases) {
    await t.step(name, () => {
      const days = [{ day: 1, gasUnits: 400_000, varied: 1 }];
      // What was paid does not count.
      const chain = {
        ...NO_CHAIN,
        ...signals,
        gasAvax: 7,
        use: { count: 1, days },
      };
      const known = { hasHistory, gasAvax: 0.01 };
      assertEquals(withSignals(null, chain), { claimed: false, ...known });
      assertEquals(withSignals(WHOLE, chain), { claimed: true, ...known });
    });
  }
});

Deno.test("weigh() gains nothing when the gas of one is shared among many", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-6, max: 0.05, noNaN: true }),
      fc.constantFrom(2, 10, 100),
      fc.boolean(),
      (gasAvax, many, claimed) => {
        const one = { claimed, hasHistory: true, gasAvax };
        const part = { ...one, gasAvax: gasAvax / many };
        // One more at most, where the division rounds up.
        assert(
          many * weigh(part, 1).paidWeight <= weigh(one, 1).paidWeight + 1,
        );
      },
    ),
  );
});

Deno.test("changePair() returns the same object if nothing changes", () => {
  const followed = changePair(strangers, FOLLOW);
  const cases: [Pair, EdgeChange][] = [
    [strangers, UNFOLLOW],
    [strangers, REWEIGH],
    [followed, { kind: "follow", at: AT + 1 }],
    [followed, REWEIGH],
  ];
  for (const [pair, change] of cases) {
    assertStrictEquals(changePair(pair, change), pair);
  }
});

Deno.test("isExpiring() holds for an address with neither edges nor a profile", () => {
  const { follower, followee } = changePair(strangers, FOLLOW);
  const cases: [GraphRecord, boolean][] = [
    [EMPTY_RECORD, true],
    [knowing(THIN), true],
    [knowing(WHOLE), false],
    [follower, false],
    [followee, false],
  ];
  for (const [record, expected] of cases) {
    assertEquals(isExpiring(record), expected, Deno.inspect(record));
  }
});

Deno.test("withNonce() knows that an address never sent, and not what it paid if it did", () => {
  assertEquals(withNonce(null, 0).hasHistory, false);
  assertEquals(withNonce(null, 1).hasHistory, null);
  assertEquals(withNonce(THIN, 1), { ...THIN, hasHistory: null });
  assertEquals(withNonce(WHOLE, 0), WHOLE);
});

Deno.test("graphSignalsOf() gives masses in whole followers, and the largest 24 hours", () => {
  const known = (pair: Pair, at: number) =>
    changePair({ ...pair, edge: null, follower: knowing(WHOLE) }, {
      kind: "follow",
      at,
    });
  const first = known(strangers, AT);
  const second = known(first, AT + 3_600_000);
  const third = changePair(
    { ...second, edge: null, follower: knowing(THIN) },
    { kind: "follow", at: AT + 90 * 3_600_000 },
  );
  const { freeWeight, paidWeight, sharedWeight } = third.followee;
  assertEquals([paidWeight, sharedWeight], [2e6, 2e6]);
  const peaks = Float64Array.of(7, 2, 2e6, 5e4, 9, 1, 1e6, 9e4);
  assertEquals(graphSignalsOf({ ...third.followee, peaks }), {
    ...NO_GRAPH,
    analyzed: true,
    followers: 3,
    thin: 1,
    burst: 2,
    paidMass: 2,
    sharedPaidMass: 2,
    freeMass: freeWeight / 1e6,
    burstPaidMass: 2,
    burstFreeMass: 0.09,
  });
});

const RANGE_HOURS = 14 * 24;
const NOBODY: Arrivals = { count: 0, paidWeight: 0, freeWeight: 0 };
const ONE: Arrivals = { count: 1, paidWeight: 600_000, freeWeight: 50_000 };

/** Arrival tables by hour range with their peaks, maintained like in the store. */
function ledger() {
  const tables = new Map<number, ArrivalTable>();
  let peaks = EMPTY_TABLE;
  const at = (hourRange: number) => tables.get(hourRange) ?? EMPTY_TABLE;
  return {
    add(hour: number, arrivals: Arrivals, sign: 1 | -1) {
      const hourRange = hourRangeOf(hour);
      tables.set(
        hourRange,
        addArrivals(at(hourRange), hour, { arrivals, sign }),
      );
      for (const each of [hourRange, hourRange + 1]) {
        peaks = setSlot(peaks, each, peakOf(at(each), at(each - 1)));
      }
    },
    peak: () => largestOf(peaks),
    peaks: () => peaks,
  };
}

/** The peak within 24 hours, computed hour by hour. */
function naivePeak(
  arrivals: readonly (readonly [number, Arrivals])[],
): Arrivals {
  const peak = { ...NOBODY };
  for (const [last] of arrivals) {
    const sum = { ...NOBODY };
    for (const [hour, one] of arrivals) {
      if (hour > last || hour <= last - 24) continue;
      for (const name of ["count", "paidWeight", "freeWeight"] as const) {
        sum[name as "count"] += one[name];
      }
    }
    for (const name of ["count", "paidWeight", "freeWeight"] as const) {
      peak[name as "count"] = Math.max(peak[name], sum[name]);
    }
  }
  return peak;
}

const someArrivals = fc.record({
  count: fc.integer({ min: 1, max: 3 }),
  paidWeight: fc.nat(1_000_000),
  freeWeight: fc.constantFrom(0, 50_000, 100_000, 250_000),
});
/** Hours around the borders of ranges, and far apart. */
const hours = fc.oneof(
  fc.integer({ min: 40 * RANGE_HOURS - 30, max: 40 * RANGE_HOURS + 30 }),
  fc.integer({ min: 39 * RANGE_HOURS, max: 43 * RANGE_HOURS }),
  fc.nat(500_000),
);

Deno.test("the peak equals a recount after any additions and removals", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(hours, someArrivals, fc.nat()), { maxLength: 40 }),
      (steps) => {
        const kept = ledger();
        const there: [number, Arrivals][] = [];
        for (const [hour, arrivals, pick] of steps) {
          if (pick % 3 === 0 && there.length > 0) {
            const [gone] = there.splice(pick % there.length, 1);
            kept.add(...gone!, -1);
          } else {
            there.push([hour, arrivals]);
            kept.add(hour, arrivals, 1);
          }
          assertEquals(kept.peak(), naivePeak(there));
        }
        for (const arrival of there) kept.add(...arrival, -1);
        assertEquals(kept.peaks(), EMPTY_TABLE, "nothing stays behind");
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("a table is sorted, has no empty slots, and is never changed in place", () => {
  let table = EMPTY_TABLE;
  for (const hour of [7, 3, 5, 3]) {
    table = addArrivals(table, hour, { arrivals: ONE, sign: 1 });
  }
  const before = table;
  table = addArrivals(table, 5, { arrivals: ONE, sign: -1 });
  const both = { count: 2, paidWeight: 1_200_000, freeWeight: 100_000 };
  assertEquals(listSlots(table), [[3, both], [7, ONE]]);
  assert(hasSlot(table, 3) && !hasSlot(table, 5));
  assertEquals(listSlots(before), [[3, both], [5, ONE], [7, ONE]]);
});

Deno.test("ten years of followers in every hour fit in a record", () => {
  let hours = EMPTY_TABLE;
  for (let hour = 0; hourRangeOf(hour) === 0; hour++) {
    hours = addArrivals(hours, hour, { arrivals: ONE, sign: 1 });
  }
  let peaks = EMPTY_TABLE;
  const last = hourRangeOf(hourAt(10 * 365 * 86_400_000));
  for (let hourRange = 0; hourRange <= last; hourRange++) {
    peaks = setSlot(peaks, hourRange, ONE);
  }
  assert(hours.byteLength < 12_000, `${hours.byteLength} bytes of hours`);
  assert(peaks.byteLength < 12_000, `${peaks.byteLength} bytes of peaks`);
});
