import { assert, assertEquals } from "@std/assert";
import {
  addArrivals,
  type Arrivals,
  type ArrivalTable,
  EMPTY_TABLE,
  hasSlot,
  hourAt,
  hourRangeOf,
  largestOf,
  peakOf,
  setSlot,
} from "../../../../services/profiles/follows/follower_arrivals.ts";
import { listSlots } from "../../../support/graph.ts";
import { fc } from "../../../support/properties.ts";

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
