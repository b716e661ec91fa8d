/** Serialises answers as JSON, CSV (RFC 4180) and Atom. */
import { type ColumnDetails, stringify } from "@std/csv";
import type { CacheableAnswer } from "../../services/platform/cache/cacheable_answer.ts";
import type { Content } from "./representation.ts";

/** Rows of a CSV answer and the order of their columns. */
export interface Table {
  readonly columns: readonly (string | ColumnDetails)[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Serialises an answer as JSON. */
export function jsonContent(
  { answer, fetchedAt, changedAt }: CacheableAnswer<unknown>,
): Content {
  const text = JSON.stringify(answer);
  return { text, type: "application/json", fetchedAt, changedAt };
}

/** Serialises an answer as an Atom feed. */
export function atomContent(
  { fetchedAt, changedAt }: Omit<CacheableAnswer<unknown>, "answer">,
  text: string,
): Content {
  const type = "application/atom+xml; charset=utf-8";
  return { text, type, fetchedAt, changedAt };
}

/** First characters that make spreadsheets evaluate a cell (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Prefixes cells that a spreadsheet would evaluate as a formula. Names in the
 * data come from third parties.
 */
function withoutFormulas(
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const cells = Object.entries(row).map(([name, cell]) =>
    [
      name,
      typeof cell === "string" && FORMULA.test(cell) ? `'${cell}` : cell,
    ] as const
  );
  return Object.fromEntries(cells);
}

/** Serialises the rows of an answer as CSV with a header row. */
export function csvContent(
  { fetchedAt, changedAt }: Omit<CacheableAnswer<unknown>, "answer">,
  { columns, rows }: Table,
): Content {
  const text = stringify(rows.map(withoutFormulas), { columns: [...columns] });
  const type = "text/csv; charset=utf-8; header=present";
  return { text, type, fetchedAt, changedAt };
}
