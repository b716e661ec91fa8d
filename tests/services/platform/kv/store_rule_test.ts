/** What the rules of the store are made of: keys, equality, order and difference. */
import { assertEquals } from "@std/assert";
import {
  ANY,
  areDistinct,
  areRising,
  isAbout,
  isSame,
  numberAt,
  textAt,
} from "../../../../services/platform/kv/store_rule.ts";

Deno.test("a rule is about the keys of its length whose fixed parts are the same", () => {
  const rule = { of: ["a", ANY, "b", NaN] } as unknown as Parameters<
    typeof isAbout
  >[0];
  const cases: [key: Deno.KvKey, isMeant: boolean][] = [
    [["a", "x", "b", 7], true],
    [["a", 1, "b", 0], true],
    [["c", "x", "b", 7], false],
    [["a", "x", "c", 7], false],
    [["a", "x", "b"], false],
    [["a", "x", "b", 7, 8], false],
  ];
  for (const [key, isMeant] of cases) assertEquals(isAbout(rule, key), isMeant);
  assertEquals([textAt(["a", 7], 1), numberAt(["a", "7"], 1)], ["7", 7]);
});

Deno.test("values are the same by their content, distinct if none comes twice, and rising if each is larger than the one before", () => {
  assertEquals(isSame({ a: 1, b: [2] }, { b: [2], a: 1 }), true);
  assertEquals(isSame({ a: 1 }, { a: 2 }), false);
  const rows: [values: number[], isDistinct: boolean, isRising: boolean][] = [
    [[], true, true],
    [[5], true, true],
    [[1, 2, 9], true, true],
    [[1, 1], false, false],
    [[1, 3, 2], true, false],
    [[2, 1], true, false],
  ];
  for (const [values, isDistinct, isRising] of rows) {
    assertEquals(
      [areDistinct(values), areRising(values)],
      [isDistinct, isRising],
    );
  }
});
