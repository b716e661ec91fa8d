import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  addTo,
  type Crowd,
  type CrowdTable,
  EMPTY_TABLE,
  has,
  hourAt,
  largestOf,
  peakOf,
  setSlot,
  stretchOf,
} from "../../../../services/profiles/follows/follower_arrivals.ts";
import { listSlots } from "../../../support/graph.ts";

const STRETCH_HOURS = 14 * 24;
const NOBODY: Crowd = { heads: 0, solid: 0, soft: 0 };
const ONE: Crowd = { heads: 1, solid: 600_000, soft: 50_000 };

/** Tables by stretch with their peaks, kept as a store keeps them. */
function ledger() {
  const tables = new Map<number, CrowdTable>();
  let peaks = EMPTY_TABLE;
  const at = (stretch: number) => tables.get(stretch) ?? EMPTY_TABLE;
  return {
    add(hour: number, crowd: Crowd, sign: 1 | -1) {
      const stretch = stretchOf(hour);
      tables.set(stretch, addTo(at(stretch), hour, { crowd, sign }));
      for (const each of [stretch, stretch + 1]) {
        peaks = setSlot(peaks, each, peakOf(at(each), at(each - 1)));
      }
    },
    peak: () => largestOf(peaks),
    peaks: () => peaks,
  };
}

/** The most within 24 hours, hour by hour. */
function naivePeak(arrivals: readonly (readonly [number, Crowd])[]): Crowd {
  const peak = { ...NOBODY };
  for (const [last] of arrivals) {
    const sum = { ...NOBODY };
    for (const [hour, crowd] of arrivals) {
      if (hour > last || hour <= last - 24) continue;
      for (const name of ["heads", "solid", "soft"] as const) {
        sum[name as "heads"] += crowd[name];
      }
    }
    for (const name of ["heads", "solid", "soft"] as const) {
      peak[name as "heads"] = Math.max(peak[name], sum[name]);
    }
  }
  return peak;
}

const crowds = fc.record({
  heads: fc.integer({ min: 1, max: 3 }),
  solid: fc.nat(1_000_000),
  soft: fc.constantFrom(0, 50_000, 100_000, 250_000),
});
/** Around the borders of stretches, and far from one another. */
const hours = fc.oneof(
  fc.integer({ min: 40 * STRETCH_HOURS - 30, max: 40 * STRETCH_HOURS + 30 }),
  fc.integer({ min: 39 * STRETCH_HOURS, max: 43 * STRETCH_HOURS }),
  fc.nat(500_000),
);

Deno.test("the peak equals a recount whatever came and went, in any order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(hours, crowds, fc.nat()), { maxLength: 40 }),
      (steps) => {
        const kept = ledger();
        const there: [number, Crowd][] = [];
        for (const [hour, crowd, pick] of steps) {
          if (pick % 3 === 0 && there.length > 0) {
            const [gone] = there.splice(pick % there.length, 1);
            kept.add(...gone!, -1);
          } else {
            there.push([hour, crowd]);
            kept.add(hour, crowd, 1);
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

Deno.test("arrivals within 24 hours count together, and those 24 hours apart do not", async (t) => {
  const border = 40 * STRETCH_HOURS;
  const cases: [name: string, hours: number[], heads: number][] = [
    ["one hour", [10, 10, 10], 3],
    ["23 hours apart", [10, 33], 2],
    ["24 hours apart", [10, 34], 1],
    ["over the border of a stretch", [border - 1, border + 22], 2],
    ["too far over it", [border - 1, border + 23], 1],
    ["two surges, the older larger", [5, 5, 5, 900, 900], 3],
  ];
  for (const [name, at, heads] of cases) {
    await t.step(name, () => {
      const kept = ledger();
      for (const hour of at) kept.add(hour, ONE, 1);
      assertEquals(kept.peak(), {
        heads,
        solid: heads * ONE.solid,
        soft: heads * ONE.soft,
      });
    });
  }
});

Deno.test("each measure peaks by itself", () => {
  const kept = ledger();
  kept.add(10, { heads: 9, solid: 0, soft: 90 }, 1);
  kept.add(100, { heads: 1, solid: 1_000_000, soft: 0 }, 1);
  assertEquals(kept.peak(), { heads: 9, solid: 1_000_000, soft: 90 });
});

Deno.test("a table holds slots in order and none that is empty, and is never changed in place", () => {
  let table = EMPTY_TABLE;
  for (const hour of [7, 3, 5, 3]) {
    table = addTo(table, hour, { crowd: ONE, sign: 1 });
  }
  const before = table;
  table = addTo(table, 5, { crowd: ONE, sign: -1 });
  const both = { heads: 2, solid: 1_200_000, soft: 100_000 };
  assertEquals(listSlots(table), [[3, both], [7, ONE]]);
  assert(has(table, 3) && !has(table, 5));
  assertEquals(listSlots(before), [[3, both], [5, ONE], [7, ONE]]);
});

Deno.test("ten years of followers at every hour stay far within what a record holds", () => {
  let hours = EMPTY_TABLE;
  for (let hour = 0; stretchOf(hour) === 0; hour++) {
    hours = addTo(hours, hour, { crowd: ONE, sign: 1 });
  }
  let peaks = EMPTY_TABLE;
  const last = stretchOf(hourAt(10 * 365 * 86_400_000));
  for (let stretch = 0; stretch <= last; stretch++) {
    peaks = setSlot(peaks, stretch, ONE);
  }
  assert(hours.byteLength < 12_000, `${hours.byteLength} bytes of hours`);
  assert(peaks.byteLength < 12_000, `${peaks.byteLength} bytes of peaks`);
});
