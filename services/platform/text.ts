/**
 * Texts of others: parsed, shortened where a message quotes them, and in CSV not
 * evaluated by spreadsheets; and waits in words.
 */
import { maxOf } from "./numbers.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./days.ts";

/** Upper limit of the characters of a quoted text, unless its place has another. */
const MAX_CHARACTERS = 60;

/**
 * Returns a text of at most `most` characters; a longer one is cut and ends with an
 * ellipsis.
 */
export function shortened(text: string, most = MAX_CHARACTERS): string {
  if (text.length <= most) return text;
  // A character may be two units of UTF-16, which are not separated.
  const shown = [...text.slice(0, 2 * most)].slice(0, most).join("");
  return shown.length === text.length ? text : `${shown}…`;
}

/** Returns rows as lines whose columns align, two spaces apart. All rows have as many cells as the first. */
export function alignColumns(
  rows: readonly (readonly string[])[],
): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    maxOf(rows.map((row) => row[column]!.length))
  );
  return rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd()
  );
}

/** First characters that make spreadsheets evaluate a cell (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Returns the content of a text cell. Names in the data come from third parties,
 * so a text that a spreadsheet would evaluate as a formula gets a prefix.
 */
export function csvCell<Value>(value: Value): Value | string {
  return typeof value === "string" && FORMULA.test(value) ? `'${value}` : value;
}

/** Units of a wait and the shortest wait that is given in them, longest first; in ms. */
const UNITS = [
  { name: "day", ms: DAY_MS, fromMs: 2 * DAY_MS },
  { name: "hour", ms: HOUR_MS, fromMs: 2 * HOUR_MS },
  { name: "minute", ms: MINUTE_MS, fromMs: 2 * MINUTE_MS },
  { name: "second", ms: 1_000, fromMs: 0 },
] as const;

/** Returns when a request may be sent again, such as "try again in 12 seconds". The wait is rounded up. */
export function retryWords(retryAfterMs: number): string {
  const { name, ms } = UNITS.find(({ fromMs }) => retryAfterMs > fromMs) ??
    UNITS.at(-1)!;
  const count = Math.max(1, Math.ceil(retryAfterMs / ms));
  return `try again in ${count} ${name}${count === 1 ? "" : "s"}`;
}

/** Returns the value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
