import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { NO_USE, type OwnTx, useOf } from "../../../services/model/own_use.ts";

const DAY = 20_000;

/** 07:00 of a day. */
const START = 19_600 * DAY_MS + 7 * 3_600_000;

const LN24 = Math.log(24);

const entropyOf = (shares: readonly number[]) =>
  -shares.reduce((sum, share) => sum + share * Math.log(share), 0);

const tx = (fields: Partial<OwnTx> = {}): OwnTx => ({
  at: DAY * DAY_MS,
  to: "0xa",
  method: "0x01020304",
  paidAvax: 0.001,
  movesValue: false,
  failed: false,
  ...fields,
});

Deno.test("useOf() counts days newest first, and three transactions a day to one target", () => {
  const { count, days } = useOf([
    ...Array.from({ length: 5 }, () => tx()),
    tx({ to: "0xb" }),
    tx({ at: (DAY + 3) * DAY_MS }),
  ]);
  assertEquals(count, 7);
  assertEquals(days, [
    { day: DAY + 3, gasAvax: 0.001, varied: 1 },
    { day: DAY, gasAvax: 0.006, varied: 4 },
  ]);
});

Deno.test("useOf() counts a failed transaction with its gas only", () => {
  const use = useOf([tx({ failed: true, paidAvax: 0.5 })]);
  assertEquals(use.days, [{ day: DAY, gasAvax: 0.5, varied: 0 }]);
  assertEquals([use.targets, use.methods, use.slots, use.months], [0, 0, 0, 0]);
  assertEquals([use.topTargetShare, use.valueShare], [0, 0]);
});

Deno.test("useOf() counts distinct targets, methods, months and ten-minute slots", () => {
  const use = useOf([
    tx(),
    tx({ at: DAY * DAY_MS + 599_999 }),
    tx({ at: DAY * DAY_MS + 600_000, to: "0xb", movesValue: true }),
    tx({ at: (DAY + 31) * DAY_MS, method: "" }),
  ]);
  assertEquals([use.targets, use.methods, use.months, use.slots], [2, 2, 2, 2]);
  assertEquals([use.topTargetShare, use.valueShare], [0.75, 0.25]);
});

Deno.test("useOf() tells a timer from a person by the entropy of hours and gaps", () => {
  const timer = useOf(
    Array.from({ length: 200 }, (_, day) => tx({ at: (DAY + day) * DAY_MS })),
  );
  const person = useOf(
    Array.from(
      { length: 200 },
      (_, nth) => tx({ at: DAY * DAY_MS + nth ** 2 * 3_700_000 }),
    ),
  );
  assertAlmostEquals(timer.hourEntropy, 0);
  assertAlmostEquals(timer.gapEntropy, 0);
  assert(person.hourEntropy > 0.8, `${person.hourEntropy}`);
  assert(person.gapEntropy > 0.3, `${person.gapEntropy}`);
});

Deno.test("useOf() counts hours and gaps in classes of the documented bounds", () => {
  const minutes = [0, 0.5, 1.5, 3, 7, 71, 1_000, 9_000, 1e5, 9e5, 3e7];
  const use = useOf(minutes.map((after) => tx({ at: START + after * 60_000 })));
  // Six times 7, then 8, 23, 13, 17 and 15.
  const hours = [6, 1, 1, 1, 1, 1].map((count) => count / 11);
  assertAlmostEquals(use.hourEntropy, entropyOf(hours) / Math.log(24), 1e-12);
  // Gaps of 0.5, 1, 1.5, 4, 64, 929 and 8,000 minutes, and three of months and years.
  const gaps = [1, 2, 1, 1, 1, 1, 1, 1, 1].map((count) => count / 10);
  assertAlmostEquals(use.gapEntropy, entropyOf(gaps) / Math.log(24), 1e-12);
  assertEquals([use.slots, use.months], [6, 5]);
});

Deno.test("useOf() puts a gap of exactly a power of two minutes into the class above it", () => {
  const classes = (minutes: readonly number[]) => {
    let at = START;
    const times = [at, ...minutes.map((after) => at += after * 60_000)];
    const { gapEntropy } = useOf(times.map((at) => tx({ at })));
    return gapEntropy === 0 ? 1 : 2;
  };
  const cases: [gaps: number[], classes: number][] = [
    [[0.2, 0.999], 1],
    [[0.999, 1], 2],
    [[1, 1.999], 1],
    [[1.999, 2], 2],
    [[2, 3.999], 1],
    [[3.999, 4], 2],
    // The last class has no upper bound.
    [[2 ** 22, 2 ** 23], 1],
    [[2 ** 22 - 1, 2 ** 22], 2],
  ];
  for (const [gaps, expected] of cases) {
    assertEquals(classes(gaps), expected, gaps.join());
  }
});

Deno.test("useOf() counts months of different years, and hours and slots by their first millisecond", () => {
  const times = (...at: number[]) => useOf(at.map((at) => tx({ at })));
  const december = Date.UTC(2024, 11, 31, 23, 59);
  assertEquals(times(december, Date.UTC(2025, 0, 1)).months, 2);
  assertEquals(times(Date.UTC(2024, 0, 9), Date.UTC(2025, 0, 9)).months, 2);
  assertEquals(times(Date.UTC(2025, 0, 1), Date.UTC(2024, 11, 1)).months, 2);
  assertEquals(times(Date.UTC(2025, 1, 1), Date.UTC(2025, 1, 28)).months, 1);
  const hour = START + 3_600_000;
  assertEquals(times(START, hour - 1).hourEntropy, 0);
  assertAlmostEquals(times(hour - 1, hour).hourEntropy, Math.LN2 / LN24);
  assertEquals([times(hour - 1, hour).slots, times(hour).slots], [2, 1]);
});

Deno.test("an address without transactions has no use", () => {
  const { behavior, ...rest } = useOf([]);
  const { behavior: none, ...expected } = NO_USE;
  assertEquals(rest, expected);
  assertEquals(none.length, 0);
  assertEquals(behavior.every((number) => number === 0), true);
  assertEquals(expected, {
    count: 0,
    days: [],
    months: 0,
    slots: 0,
    targets: 0,
    methods: 0,
    topTargetShare: 0,
    valueShare: 0,
    hourEntropy: 0,
    gapEntropy: 0,
  });
});
