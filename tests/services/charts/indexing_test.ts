import { assertEquals } from "@std/assert";
import { baseOf } from "../../../services/charts/charts.ts";

const FIRST = { base: "first", interval: "day" } as const;

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
    const found = baseOf(buckets(values, incomplete), "count", FIRST);
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
      baseOf(buckets(values), unit, FIRST)?.isSmall,
      isSmall,
      String(values),
    );
  }
});

Deno.test("baseOf returns the mean of the first buckets, or the bucket of a day", () => {
  const rows: [
    values: number[],
    incomplete: number[],
    base: string,
    expected: [day: string, value: number, bucketCount: number] | null,
  ][] = [
    [[0, 10, 20, 60], [], "2", [at(1), 15, 2]],
    [[0, 10, 0, 60], [], "3", [at(1), 70 / 3, 3]],
    [[10, 20, 60], [1], "2", [at(0), 35, 2]],
    [[10, 20], [], "3", null],
    [[10, 20, 60], [2], "3", null],
    [[10, 20, 60], [], at(1), [at(1), 20, 1]],
    [[10, 20, 60], [1], at(1), null],
    [[10, 0, 60], [], at(1), null],
    [[10, 20], [], "2027-01-01", null],
  ];
  for (const [values, incomplete, base, expected] of rows) {
    const found = baseOf(buckets(values, incomplete), "count", {
      base,
      interval: "day",
    });
    assertEquals(
      found && [found.day, found.value, found.bucketCount],
      expected,
      `${values} from ${base}`,
    );
  }
  const weeks = [{ day: "2026-11-02", value: 7, complete: true }];
  const week = { base: "2026-11-05", interval: "week" } as const;
  assertEquals(baseOf(weeks, "count", week)?.day, "2026-11-02");
});
