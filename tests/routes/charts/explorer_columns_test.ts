/** The number formats of the table of values. */
import { assertEquals } from "@std/assert";
import {
  columnFormat,
  pctColumnFormat,
} from "../../../routes/charts/chart_words.ts";

Deno.test("columnFormat() gives all numbers of a column the same decimals", () => {
  const rows: [values: (number | null)[], written: string[]][] = [
    [[1469.5, null, 2224.22, 3], ["1,469.50", "2,224.22", "3.00"]],
    [[50.135, 65.1], ["50.135", "65.100"]],
    [[1_289_768, 0], ["1,289,768", "0"]],
    // A tiny number would pad all others.
    [[1234.5, 0.000012345], ["1,234.5", "0.000012345"]],
    [[null], []],
  ];
  for (const [values, written] of rows) {
    const format = columnFormat(values);
    const numbers = values.filter((value) => value !== null);
    assertEquals(numbers.map(format), written);
  }
});

Deno.test("pctColumnFormat() gives all changes of a column the same decimals", () => {
  const rows: [values: (number | null)[], written: string[]][] = [
    [[1.6, null, -12.25, 0], ["+1.60 %", "−12.25 %", "0.00 %"]],
    [[0.0034, -1.5], ["+0.0034 %", "−1.5000 %"]],
    [[5, -3], ["+5 %", "−3 %"]],
    // A tiny difference keeps its digits, and does not pad all others with them.
    [[0.0000012, 1.5], ["+0.0000012 %", "+1.5000 %"]],
    [[null], []],
  ];
  for (const [values, written] of rows) {
    const format = pctColumnFormat(values);
    const numbers = values.filter((value) => value !== null);
    assertEquals(numbers.map(format), written);
  }
});
