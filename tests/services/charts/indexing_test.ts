import { assertEquals } from "@std/assert";
import { baseOf } from "../../../services/charts/indexing.ts";

const at = (index: number) => `2026-11-${String(index + 1).padStart(2, "0")}`;
const buckets = (
  values: readonly number[],
  incomplete: readonly number[] = [],
) =>
  values.map((value, index) => ({
    day: at(index),
    value,
    complete: !incomplete.includes(index),
  }));

Deno.test("baseOf returns the first complete bucket above 0", () => {
  const rows: [values: number[], incomplete: number[], base: number | null][] =
    [
      [[500, 600], [], 0],
      [[0, 0, 500], [], 2],
      [[3, 500, 600], [0], 1],
      [[0, 0], [], null],
      [[500], [0], null],
      [[], [], null],
    ];
  for (const [values, incomplete, base] of rows) {
    const found = baseOf(buckets(values, incomplete), "count");
    assertEquals(found?.day ?? null, base === null ? null : at(base));
    assertEquals(found?.value, base === null ? undefined : values[base]);
  }
});

Deno.test("baseOf marks a base that exaggerates changes", () => {
  const rows: [values: number[], unit: string, isSmall: boolean][] = [
    [[1000, 1000, 1000], "count", false],
    [[99, 99, 99], "count", true],
    [[100, 100, 100], "count", false],
    [[0.5, 0.5, 0.5], "avax", false],
    [[0.04, 0.5, 0.5], "avax", true],
    [[1000, 10_000, 10_000], "count", false],
    [[999, 10_000, 10_000], "count", true],
  ];
  for (const [values, unit, isSmall] of rows) {
    assertEquals(
      baseOf(buckets(values), unit)?.isSmall,
      isSmall,
      String(values),
    );
  }
});
