import { assertEquals } from "@std/assert";
import { maxOf, minOf } from "../../../services/platform/numbers.ts";

Deno.test("maxOf() and minOf() take lists of any length", () => {
  const many = Array.from({ length: 1_000_000 }, (_, nth) => nth);
  assertEquals([minOf(many), maxOf(many)], [0, 999_999]);
  assertEquals([minOf([]), maxOf([])], [Infinity, -Infinity]);
  assertEquals([minOf([1, NaN]), maxOf(new Set([-1, -2]))], [NaN, -1]);
});
