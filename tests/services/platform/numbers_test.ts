import { assertEquals } from "@std/assert";
import {
  maxOf,
  meanOf,
  minOf,
  plainNumber,
  scaleDown,
  sumOf,
} from "../../../services/platform/numbers.ts";
import { fc } from "../../support/properties.ts";

Deno.test("maxOf() and minOf() take lists of any length", () => {
  const many = Array.from({ length: 1_000_000 }, (_, nth) => nth);
  assertEquals([minOf(many), maxOf(many)], [0, 999_999]);
  assertEquals([minOf([]), maxOf([])], [Infinity, -Infinity]);
  assertEquals([minOf([1, NaN]), maxOf(new Set([-1, -2]))], [NaN, -1]);
});

Deno.test("sumOf is exact in decimals", () => {
  const cases: [values: number[], sum: number][] = [
    [[], 0],
    [[0.1, 0.2], 0.3],
    [[1.005, 2.005, 3.005], 6.015],
    [[1e21, 1, -1e21], 1],
    [[2 ** 53, 1, 1], 2 ** 53 + 2],
    [[1e-7, 2e-7], 3e-7],
  ];
  for (const [values, sum] of cases) assertEquals(sumOf(values), sum);
});

Deno.test("sumOf equals the sum of the amounts in their smallest unit", () => {
  const micro = fc.integer({ min: 0, max: 10 ** 12 });
  fc.assert(
    fc.property(fc.array(micro, { maxLength: 400 }), (amounts) => {
      const total = amounts.reduce((sum, amount) => sum + amount, 0);
      assertEquals(
        sumOf(amounts.map((amount) => Number(`${amount}e-6`))),
        Number(`${total}e-6`),
      );
    }),
    { numRuns: 200 },
  );
});

Deno.test("meanOf is exact in decimals, rounded once", () => {
  const cases: [values: number[], mean: number][] = [
    [[7.25], 7.25],
    [[1, 2], 1.5],
    [[1, 1, 2], 4 / 3],
    [[4.01, 4.03], 4.02],
    [[0.1, 0.2, 0.3], 0.2],
    [[5.34, 5.35, 5.351], 5.347],
    [[3e-24, 4e-24], 3.5e-24],
  ];
  for (const [values, mean] of cases) assertEquals(meanOf(values), mean);
});

Deno.test("meanOf equals the mean of the rates in their smallest unit", () => {
  const hundredths = fc.integer({ min: 0, max: 10 ** 6 });
  fc.assert(
    fc.property(
      fc.array(hundredths, { minLength: 5, maxLength: 5 }),
      (rates) => {
        const total = rates.reduce((sum, rate) => sum + rate, 0);
        assertEquals(
          meanOf(rates.map((rate) => Number(`${rate}e-2`))),
          Number(`${total * 2}e-3`),
        );
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("scaleDown rounds once", () => {
  assertEquals(scaleDown(160_961_843_123_456_789n, 9), 160961843.12345678);
  assertEquals(scaleDown(1_500_000_000n, 9), 1.5);
  assertEquals(scaleDown(-(10n ** 21n), 9), -1e12);
});

Deno.test("plainNumber writes digits without an exponent", () => {
  const cases: [value: number, text: string][] = [
    [1e-7, "0.0000001"],
    [1.5e-9, "0.0000000015"],
    [1e21, "1000000000000000000000"],
    [-2.5e-8, "-0.000000025"],
    [1936.389980549214, "1936.389980549214"],
    [0, "0"],
  ];
  for (const [value, text] of cases) assertEquals(plainNumber(value), text);
});
