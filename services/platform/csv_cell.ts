/** Text in CSV that spreadsheets do not evaluate. */

/** First characters that make spreadsheets evaluate a cell (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Returns the content of a text cell. Names in the data come from third parties,
 * so a text that a spreadsheet would evaluate as a formula gets a prefix.
 */
export function csvCell<Value>(value: Value): Value | string {
  return typeof value === "string" && FORMULA.test(value) ? `'${value}` : value;
}
