/** How text is shortened and wrapped around a stand-alone chart. */
import { assertEquals } from "@std/assert";
import { cut } from "../../../routes/charts/chart_panels.ts";
import {
  lettersOf,
  TITLE_LETTER,
  wrap,
  wrapped,
} from "../../../routes/charts/chart_svg.ts";

Deno.test("cut() keeps a text that fits, and counts a letter of two code units once", () => {
  assertEquals(cut("abcde", 5), "abcde");
  assertEquals(cut("abcdef", 5), "abcd…");
  assertEquals(cut("abc def", 5), "abc…");
  assertEquals(cut("😀😀😀", 3), "😀😀😀");
  assertEquals(cut("😀😀😀", 2), "😀…");
});

Deno.test("wrap() breaks at words, and inside a word only if it is longer than a line", () => {
  assertEquals(wrap("aa bb cc", 5), ["aa bb", "cc"]);
  assertEquals(wrap("aa bb cc", 4), ["aa", "bb", "cc"]);
  assertEquals(wrap("aaaaaaa b", 3), ["aaa", "aaa", "a b"]);
  assertEquals(wrap("", 3), []);
});

Deno.test("wrapped() gives at most four lines, and the last one says that the text goes on", () => {
  assertEquals(wrapped("", 3), [""]);
  assertEquals(wrapped("aa bb", 9), ["aa bb"]);
  assertEquals(wrapped("aa bb cc dd", 2), ["aa", "bb", "cc", "dd"]);
  assertEquals(wrapped("aaa bbb ccc ddd eee", 3), [
    "aaa",
    "bbb",
    "ccc",
    "dd…",
  ]);
});

Deno.test("lettersOf() leaves 44 pixels for the margins", () => {
  assertEquals([lettersOf(800), lettersOf(800, TITLE_LETTER)], [116, 71]);
  assertEquals([lettersOf(44), lettersOf(50), lettersOf(51)], [0, 0, 1]);
});
