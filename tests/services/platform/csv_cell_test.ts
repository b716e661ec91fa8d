/** Text in CSV that spreadsheets do not evaluate. */
import { assertEquals } from "@std/assert";
import { csvCell } from "../../../services/platform/text.ts";

Deno.test("csvCell() puts a quote before every text that a spreadsheet would evaluate, and changes nothing else", () => {
  const evaluated = [..."=+-@\t\r\n＝＋－＠"].map((first) => `${first}1+1`);
  for (const text of evaluated) assertEquals(csvCell(text), `'${text}`);
  for (const text of ["", "Avalanche", "a=b", " =1", "'=1", "1-1"]) {
    assertEquals(csvCell(text), text);
  }
  for (const value of [-1, 0, null, true]) assertEquals(csvCell(value), value);
});
