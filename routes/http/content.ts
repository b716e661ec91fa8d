/** Answers in their formats: JSON, and CSV by RFC 4180. */
import { type ColumnDetails, stringify } from "@std/csv";
import type { CacheableAnswer } from "../../services/platform/cache/cacheable_answer.ts";
import type { Content } from "./representation.ts";

/** Rows of a CSV answer and the order of their columns. */
export interface Table {
  readonly columns: readonly (string | ColumnDetails)[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Writes an answer as JSON. */
export function jsonContent(
  { answer, fetchedAt, changedAt }: CacheableAnswer<unknown>,
): Content {
  const text = JSON.stringify(answer);
  return { text, type: "application/json", fetchedAt, changedAt };
}

/** Sends an Atom feed of an answer. */
export function atomContent(
  { fetchedAt, changedAt }: Omit<CacheableAnswer<unknown>, "answer">,
  text: string,
): Content {
  const type = "application/atom+xml; charset=utf-8";
  return { text, type, fetchedAt, changedAt };
}

/** How a cell begins that spreadsheets take for a formula (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Puts what spreadsheets show as text in the place of a formula: names are other people's words. */
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

/** Writes the rows of an answer as CSV under a header row. */
export function csvContent(
  { fetchedAt, changedAt }: Omit<CacheableAnswer<unknown>, "answer">,
  { columns, rows }: Table,
): Content {
  const text = stringify(rows.map(withoutFormulas), { columns: [...columns] });
  const type = "text/csv; charset=utf-8; header=present";
  return { text, type, fetchedAt, changedAt };
}
