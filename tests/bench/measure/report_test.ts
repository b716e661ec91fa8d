import { assertEquals, assertMatch } from "@std/assert";
import { curveOf } from "../../../bench/measure/curve.ts";
import { meetsTarget } from "../../../bench/measure/measurement.ts";
import { curvesOf, tableOf } from "../../../bench/measure/report.ts";

const GROWTH = { name: "read", of: "followers", unit: "us", most: 1.2 };

const points = (last: number) => [
  { at: 10, value: 100 },
  { at: 1_000, value: 90 },
  { at: 100_000, value: last },
];

Deno.test("meetsTarget() compares a curve's last point with its first", () => {
  const cases: [last: number, most: number | null, met: boolean | null][] = [
    [120, 1.2, true],
    [121, 1.2, false],
    [900, null, null],
  ];
  for (const [last, most, met] of cases) {
    assertEquals(meetsTarget(curveOf({ ...GROWTH, most }, points(last))), met);
  }
});

Deno.test("tableOf() marks missed targets, and curvesOf() shows every point", () => {
  const measurements = [
    curveOf(GROWTH, points(150)),
    { name: "alone", value: 1, unit: "", peer: null, target: null },
  ];
  assertMatch(
    tableOf(measurements),
    /^read, 10 to 100,000 followers +150 us +peer 100 +1\.50 +<= 1\.2 of peer +MISSED$/m,
  );
  assertEquals(
    curvesOf(measurements),
    "read, 10 to 100,000 followers  10: 100 us  1,000: 90 us  100,000: 150 us",
  );
});
