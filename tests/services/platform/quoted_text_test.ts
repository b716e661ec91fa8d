import { assertEquals } from "@std/assert";
import { shortened } from "../../../services/platform/text.ts";

Deno.test("shortened() cuts a longer text between characters, and marks the cut", () => {
  const cases: [text: string, expected: string][] = [
    ["", ""],
    ["abc", "abc"],
    ["abcd", "abc…"],
    ["😀😀😀", "😀😀😀"],
    ["😀😀😀a", "😀😀😀…"],
    ["ab😀d", "ab😀…"],
  ];
  for (const [text, expected] of cases) {
    assertEquals(shortened(text, 3), expected);
  }
});
