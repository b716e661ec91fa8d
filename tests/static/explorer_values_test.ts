/** The values of the explorer's chart in the browser. */
import { assertEquals } from "@std/assert";
import { formatTicks as formatAsThePicture } from "../../routes/charts/chart_words.ts";
import { dataOf, formatTicks, rangeOf } from "../../static/explorer/values.js";
import { fc } from "../support/properties.ts";

Deno.test("the axis of a level leaves space around the values, but none below 0", () => {
  const cases: [extent: [number, number], range: [number, number]][] = [
    [[900, 1000], [890, 1010]],
    [[100, 1000], [50, 1050]],
    [[3, 1000], [0, 1050]],
    [[0, 1000], [0, 1100]],
  ];
  for (const [extent, range] of cases) {
    const drawn = rangeOf({ extent, fromZero: false, isLog: false });
    assertEquals(drawn, range, String(extent));
  }
  const [bottom] = rangeOf({ extent: [3, 1000], fromZero: true, isLog: false });
  assertEquals(bottom, 0);
});

Deno.test("formatTicks() of the page labels every axis like the picture", () => {
  const value = fc.oneof(
    fc.nat({ max: 2_000_000_000 }),
    fc.double({ min: -1e15, max: 1e15, noNaN: true }),
    fc.double({ min: 0.9999, max: 1.0001, noNaN: true }),
  );
  fc.assert(fc.property(fc.array(value, { maxLength: 8 }), (values) => {
    assertEquals(formatTicks(values), formatAsThePicture(values));
  }));
  assertEquals(formatTicks([1000, null, 10_000]), ["1K", "", "10K"]);
});

Deno.test("dataOf() keeps unfinished points out of every line, and joins inferred ones by the dashed one", () => {
  const days = ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"];
  const partsOf = (marks: { incomplete?: number[]; inferred?: number[] }) => {
    const line = { values: [10, 11, 12, 3], base: null, second: [null] };
    const lines = [{ ...line, incomplete: [], inferred: [], ...marks }];
    const drawing = { days, lines, isLog: false, extent: [0, 12] };
    return dataOf({ ...drawing, fromZero: true }).slice(1);
  };
  assertEquals(partsOf({ incomplete: [3] }), [
    [10, 11, 12, null],
    [null, null, null, null],
    [null, null, null, 3],
  ]);
  assertEquals(partsOf({ inferred: [3] }), [
    [10, 11, 12, null],
    [null, null, 12, 3],
    [null, null, null, null],
  ]);
  assertEquals(partsOf({ inferred: [2], incomplete: [2, 3] }), [
    [10, 11, null, null],
    [null, 11, 12, null],
    [null, null, null, 3],
  ]);
});
