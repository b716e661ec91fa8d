import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { movingAverage } from "../../../services/charts/charts.ts";
import { fc } from "../../support/properties.ts";

Deno.test("movingAverage averages whole windows only", () => {
  const values = Float64Array.of(1, 2, 3, NaN, 5, 6, 7);
  assertEquals([...movingAverage(values, 3)], [
    NaN,
    NaN,
    2,
    NaN,
    NaN,
    NaN,
    6,
  ]);
  assertEquals([...movingAverage(values, 8)], Array(7).fill(NaN));
  assertEquals([...movingAverage(new Float64Array(), 7)], []);
});

Deno.test("movingAverage has a value exactly where no day of the window is missing, within the window's range", () => {
  const value = fc.oneof(
    { weight: 9, arbitrary: fc.double({ min: 0, max: 1e12, noNaN: true }) },
    { weight: 1, arbitrary: fc.constant(NaN) },
  );
  fc.assert(fc.property(
    fc.array(value, { maxLength: 80 }),
    fc.constantFrom(1, 7, 30),
    (values, length) => {
      const means = movingAverage(Float64Array.from(values), length);
      assertEquals(means.length, values.length);
      for (const [at, mean] of means.entries()) {
        const window = values.slice(Math.max(0, at - length + 1), at + 1);
        const isWhole = window.length === length &&
          !window.some(Number.isNaN);
        assertEquals(!Number.isNaN(mean), isWhole);
        if (!isWhole) continue;
        const most = Math.max(...window);
        assert(mean <= most * (1 + 1e-12));
        assert(mean >= Math.min(...window) * (1 - 1e-12));
        assertAlmostEquals(
          mean,
          window.reduceRight((sum, one) => sum + one, 0) / length,
          most * 1e-12,
        );
      }
    },
  ));
});
