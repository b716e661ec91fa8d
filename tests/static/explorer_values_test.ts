/** The values of the explorer's chart in the browser. */
import { assertEquals } from "@std/assert";
import { rangeOf } from "../../static/explorer/values.js";

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
