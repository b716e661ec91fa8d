import { assertAlmostEquals, assertEquals } from "@std/assert";
import { changesOf, firstNeededDay } from "../../../services/charts/charts.ts";
import { formatDay, parseDay } from "../../../services/platform/days.ts";
import { fc } from "../../support/properties.ts";

const START = parseDay("2025-01-01");

/** Daily points from 2025-01-01: null is absent, a string is incomplete. */
const daily = (values: readonly (number | string | null)[]) =>
  values.flatMap((value, at) =>
    value === null ? [] : [{
      day: formatDay(START + at),
      value: Number(value),
      complete: typeof value === "number",
    }]
  );

Deno.test("changesOf folds a window as the metric does, and compares it with the days before", () => {
  const points = daily([10, 10, 20, 5, 25, 30, "3"]);
  const from = "2025-01-04";
  const rows = [
    ["sum", 60, 50],
    ["mean", 20, 50],
    ["max", 30, 50],
    ["last", 30, 50],
  ] as const;
  for (const [fold, value, changePct] of rows) {
    const changes = changesOf(points, { from, fold })!;
    assertEquals([changes.from, changes.to], [from, "2025-01-06"]);
    assertEquals([changes.value, changes.missingDays], [value, 0], fold);
    assertAlmostEquals(changes.before!.changePct!, changePct, 1e-9, fold);
    assertEquals([changes.before!.from, changes.before!.to], [
      "2025-01-01",
      "2025-01-03",
    ]);
    assertEquals(changes.yearBefore, null);
  }
});

Deno.test("changesOf compares no window that lacks a day", () => {
  const gap = changesOf(daily([10, null, 20, 5, 25, 30]), {
    from: "2025-01-04",
    fold: "sum",
  })!;
  assertEquals([gap.value, gap.before!.changePct, gap.before!.missingDays], [
    60,
    null,
    1,
  ]);
  const own = changesOf(daily([10, 10, 20, 5, null, 30]), {
    from: "2025-01-04",
    fold: "sum",
  })!;
  assertEquals([own.value, own.missingDays, own.before!.changePct], [
    null,
    1,
    null,
  ]);
  const running = changesOf(daily([10, null, 20, 25, null, 30]), {
    from: "2025-01-04",
    fold: "last",
  })!;
  assertEquals([running.value, running.before!.changePct], [30, 50]);
  const zero = changesOf(daily([0, 0, 5, 5]), {
    from: "2025-01-03",
    fold: "sum",
  })!;
  assertEquals(zero.before!.changePct, null);
});

Deno.test("changesOf begins a young chain's window at its first day, and has nothing without a complete day", () => {
  const young = changesOf(daily([1, 2, 3]), {
    from: "2024-06-01",
    fold: "sum",
  })!;
  assertEquals([young.from, young.value, young.before, young.yearBefore], [
    "2025-01-01",
    6,
    null,
    null,
  ]);
  const fold = "sum";
  assertEquals(changesOf([], { from: "2025-01-01", fold }), null);
  assertEquals(changesOf(daily(["1"]), { from: "2025-01-01", fold }), null);
  assertEquals(changesOf(daily([1, 2]), { from: "2025-01-05", fold }), null);
});

Deno.test("changesOf compares with the same days 365 days earlier", () => {
  const values = Array.from({ length: 400 }, (_, at) => at < 35 ? 10 : 20);
  const from = formatDay(START + 370);
  const changes = changesOf(daily(values), { from, fold: "mean" })!;
  assertEquals([changes.before!.changePct, changes.yearBefore!.changePct], [
    0,
    100,
  ]);
  assertEquals(changes.yearBefore!.from, formatDay(START + 5));
  const year = changesOf(daily(Array(730).fill(10)), {
    from: formatDay(START + 368),
    fold: "sum",
  })!;
  assertEquals(year.before, null, "it would be the year before");
  assertEquals(year.yearBefore!.changePct, 0);
});

Deno.test("changesOf needs no day before firstNeededDay, and scaling all values changes no percentage", () => {
  fc.assert(fc.property(
    fc.array(fc.integer({ min: 1, max: 1e6 }), {
      minLength: 20,
      maxLength: 60,
    }),
    fc.integer({ min: 1, max: 19 }),
    fc.constantFrom("sum", "mean", "max", "last" as const),
    (values, length, fold) => {
      const last = START + values.length - 1;
      const first = last - length + 1;
      const of = (list: readonly number[]) =>
        changesOf(daily(list), { from: formatDay(first), fold })!;
      const whole = of(values);
      const needed = firstNeededDay(first, last);
      const cut = daily(values).filter(({ day }) => parseDay(day) >= needed);
      assertEquals(changesOf(cut, { from: formatDay(first), fold }), whole);
      const doubled = of(values.map((value) => value * 2));
      assertEquals(doubled.value, whole.value! * 2);
      assertEquals(doubled.before === null, whole.before === null);
      if (whole.before === null) return;
      assertAlmostEquals(
        doubled.before!.changePct!,
        whole.before.changePct!,
        1e-6,
      );
    },
  ));
});

Deno.test("changesOf compares a window of almost a year with the year before alone", () => {
  const points = daily(Array(1_200).fill(1));
  const compared = (length: number) => {
    const from = formatDay(START + 1_200 - length);
    const { before, yearBefore } = changesOf(points, { from, fold: "sum" })!;
    return [before !== null, yearBefore !== null];
  };
  assertEquals(compared(349), [true, true]);
  assertEquals(compared(350), [false, true]);
  assertEquals(compared(365), [false, true]);
  assertEquals(compared(366), [true, false]);
});

Deno.test("firstNeededDay() is as long before a window as the window, and at least a year", () => {
  assertEquals(firstNeededDay(1_000, 1_000), 635);
  assertEquals(firstNeededDay(1_000, 1_364), 635);
  assertEquals(firstNeededDay(1_000, 1_365), 634);
  assertEquals(firstNeededDay(1_000, 1_999), 0);
});

Deno.test("changesOf says that days are missing where the days before begin with a gap", () => {
  const points = daily([null, null, 20, 5, 25, 30]);
  const window = { from: "2025-01-04", fold: "sum" } as const;
  assertEquals(changesOf(points, window)!.before, null, "it began later");
  const gaps = [{ from: "2025-01-01", to: "2025-01-02" }];
  const changes = changesOf(points, { ...window, gaps })!;
  assertEquals(changes.before, {
    from: "2025-01-01",
    to: "2025-01-03",
    changePct: null,
    missingDays: 2,
  });
  assertEquals(changes.value, 60);
});
