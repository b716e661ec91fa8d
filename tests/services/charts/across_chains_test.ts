import { assertAlmostEquals, assertEquals } from "@std/assert";
import {
  datesOf,
  shareOf,
  totalsOf,
} from "../../../services/charts/across_chains.ts";
import { fc } from "../../support/properties.ts";

const DAYS = ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"];

/** A chain's values by day: null is absent, a string is incomplete. */
function chain(
  values: readonly (number | string | null)[],
  gapFrom: string | null = null,
  dataThrough: string | null = DAYS.at(-1)!,
) {
  return {
    points: values.flatMap((value, at) =>
      value === null ? [] : [{
        day: DAYS[at]!,
        value: Number(value),
        complete: typeof value === "number",
      }]
    ),
    gaps: gapFrom === null ? [] : [{ from: gapFrom, to: gapFrom }],
    dataThrough,
  };
}

const valuesOf = (lines: readonly ReturnType<typeof chain>[]) => {
  const totals = new Map(
    totalsOf(lines, DAYS).map(({ day, value }) => [day, value]),
  );
  return DAYS.map((day) => totals.get(day) ?? null);
};

Deno.test("totalsOf counts a chain as 0 before it began, and has no total where a chain lacks a day", () => {
  const old = chain([1, 2, 3, 4]);
  assertEquals(valuesOf([old, chain([null, 10, 10, 10])]), [1, 12, 13, 14]);
  assertEquals(valuesOf([old, chain([10, null, 10, 10], DAYS[1])]), [
    11,
    null,
    13,
    14,
  ]);
  assertEquals(valuesOf([old, chain([null, 10, 10, 10], DAYS[0])]), [
    null,
    12,
    13,
    14,
  ]);
  assertEquals(valuesOf([old, chain([10, 10, null, null])]), [
    11,
    12,
    null,
    null,
  ]);
  const none = [null, null, null, null];
  assertEquals(valuesOf([old, chain(none, null, "2027-01-01")]), [1, 2, 3, 4]);
  assertEquals(valuesOf([old, chain(none, null, "2026-10-20")]), none);
});

Deno.test("a total is complete only if each of its values is", () => {
  const totals = totalsOf([chain([1, "2", 3, 4]), chain([1, 2, 3, "4"])], DAYS);
  assertEquals(totals.map(({ complete }) => complete), [
    true,
    false,
    true,
    false,
  ]);
});

Deno.test("datesOf() returns the newest day of all chains, null if one has none, and the first read", () => {
  const lines = [
    { dataThrough: "2026-11-18", fetchedAt: "2026-11-20T02:00:00.000Z" },
    { dataThrough: "2026-11-17", fetchedAt: "2026-11-20T03:00:00.000Z" },
  ];
  const fetchedAt = "2026-11-20T01:00:00.000Z";
  assertEquals(datesOf(lines), {
    dataThrough: "2026-11-17",
    fetchedAt: "2026-11-20T02:00:00.000Z",
  });
  assertEquals(datesOf([...lines, { dataThrough: null, fetchedAt }]), {
    dataThrough: null,
    fetchedAt,
  });
});

Deno.test("shares of all chains add up to 100", () => {
  const values = fc.array(fc.integer({ min: 0, max: 2 ** 40 }), {
    minLength: 4,
    maxLength: 4,
  });
  fc.assert(fc.property(
    fc.array(values, { minLength: 1, maxLength: 10 }),
    (chains) => {
      const totals = totalsOf(chains.map((list) => chain(list)), DAYS);
      assertEquals(totals.length, DAYS.length);
      for (const [at, { value: total }] of totals.entries()) {
        const shares = chains.map((list) => shareOf(list[at]!, total));
        if (total === 0) {
          assertEquals(new Set(shares), new Set([null]));
        } else {
          const sum = shares.reduce<number>((a, b) => a + b!, 0);
          assertAlmostEquals(sum, 100, 1e-9);
        }
      }
    },
  ));
});

Deno.test("a total is inferred if one of its values is", () => {
  const of = (inferred: (boolean | undefined)[]) => ({
    ...chain([1, 2]),
    points: inferred.map((inferred, nth) => ({
      day: DAYS[nth]!,
      value: 1,
      complete: true,
      inferred,
    })),
  });
  const totals = totalsOf([of([true, false]), of([undefined, false])], DAYS);
  assertEquals(totals.map(({ inferred }) => inferred), [true, false]);
});

Deno.test("a chain that is read through a day without a value counts as 0 on it", () => {
  const none = [null, null, null, null];
  const totals = valuesOf([chain([1, 2, 3, 4]), chain(none, null, DAYS[1])]);
  assertEquals(totals, [1, 2, null, null]);
  assertEquals(valuesOf([chain([1, 2]), chain(none, null, null)]), [
    1,
    2,
    null,
    null,
  ]);
  assertEquals([shareOf(1, null), shareOf(1, 0), shareOf(1, 4)], [
    null,
    null,
    25,
  ]);
});
