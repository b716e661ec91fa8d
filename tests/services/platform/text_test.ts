/** Quoted texts, waits in words, columns, and text in CSV that spreadsheets do not evaluate. */
import { assertEquals } from "@std/assert";
import {
  alignColumns,
  csvCell,
  retryWords,
  shortened,
} from "../../../services/platform/text.ts";

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

Deno.test("csvCell() puts a quote before every text that a spreadsheet would evaluate, and changes nothing else", () => {
  const evaluated = [..."=+-@\t\r\n＝＋－＠"].map((first) => `${first}1+1`);
  for (const text of evaluated) assertEquals(csvCell(text), `'${text}`);
  for (const text of ["", "Avalanche", "a=b", " =1", "'=1", "1-1"]) {
    assertEquals(csvCell(text), text);
  }
  for (const value of [-1, 0, null, true]) assertEquals(csvCell(value), value);
});

Deno.test("Columns are as wide as their longest cell, two spaces apart, and lines end without spaces", () => {
  assertEquals(
    alignColumns([
      ["net", "a.example:443", "prices"],
      ["read", "./static", ""],
    ]),
    [
      "net   a.example:443  prices",
      "read  ./static",
    ],
  );
  assertEquals(alignColumns([]), []);
});

Deno.test("retryWords() rounds the wait up, and names long ones in longer units", () => {
  const cases: [ms: number, words: string][] = [
    [0, "1 second"],
    [1_000, "1 second"],
    [1_001, "2 seconds"],
    [120_000, "120 seconds"],
    [120_001, "3 minutes"],
    [86_400_000, "24 hours"],
    [29.2 * 86_400_000, "30 days"],
  ];
  for (const [ms, words] of cases) {
    assertEquals(retryWords(ms), `try again in ${words}`);
  }
});
