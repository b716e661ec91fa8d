/** Answers as assistants read them: lists as tables, a page of the longest, and figures of a series. */
import { METRICS } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { meanOf, sumOf } from "../../services/platform/decimals.ts";
import { invalidParameter } from "../../services/platform/fault.ts";
import { textOf } from "../http/validation_errors.ts";

/** Rows of a page. */
const PAGE_ROWS = 100;

type Row = Readonly<Record<string, unknown>>;

/** Names of the columns, and one array per row. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Writes the lists of an answer as tables. Of the longest, a page of 100 rows is shown:
 * of days the newest first, which keep their order, of other lists the first. `cursor`
 * is the number of rows on the pages before.
 */
export function tabulated(
  answer: Row,
  cursor: unknown,
): Record<string, unknown> {
  const lists = Object.entries(answer).filter(isList);
  const longest = lists.toSorted(([, a], [, b]) => b.length - a.length)[0];
  const seen = offsetOf(cursor, longest?.[1].length ?? 0);
  const tables = lists.map(([name, rows]) => {
    if (name !== longest![0] || rows.length <= PAGE_ROWS) {
      return [name, tableOf(rows, rows)] as const;
    }
    const end = rows.length - seen;
    const page = ascends(rows)
      ? rows.slice(Math.max(0, end - PAGE_ROWS), end)
      : rows.slice(seen, seen + PAGE_ROWS);
    const shown = seen + page.length;
    return [name, {
      ...tableOf(rows, page),
      rowsInAll: rows.length,
      ...(shown < rows.length ? { nextCursor: String(shown) } : {}),
    }] as const;
  });
  const stats = statsOf(answer);
  return { ...answer, ...(stats && { stats }), ...Object.fromEntries(tables) };
}

function isList(
  entry: [string, unknown],
): entry is [string, readonly Row[]] {
  const [, value] = entry;
  return Array.isArray(value) && value.length > 0 &&
    value.every((item) => item instanceof Object && !Array.isArray(item));
}

/** Every page of a list has the columns of the whole list. */
function tableOf(items: readonly Row[], page: readonly Row[]): Table {
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const rows = page.map((item) => columns.map((name) => item[name] ?? null));
  return { columns, rows };
}

/** Returns whether a list is a series, which runs to its newest day. */
function ascends(rows: readonly Row[]): boolean {
  const [first, last] = [rows[0]!["day"], rows.at(-1)!["day"]];
  return typeof first === "string" && typeof last === "string" && first < last;
}

function offsetOf(cursor: unknown, most: number): number {
  if (cursor === undefined) return 0;
  const text = textOf(cursor);
  if (/^\d{1,9}$/.test(text) && Number(text) < most) return Number(text);
  throw invalidParameter(
    "cursor",
    text,
    "nextCursor of the previous answer, with the same arguments",
  );
}

/** Computes figures of the complete points of a metric, whatever page is shown; undefined for other answers. */
function statsOf({ metric, series }: Row) {
  if (typeof metric !== "string" || !Array.isArray(series)) return undefined;
  const complete = series.filter((point) => point.complete);
  if (complete.length === 0) return null;
  const values: number[] = complete.map(({ value }) => value);
  const extreme = (isBeyond: (a: number, b: number) => boolean) =>
    dayValueOf(
      complete.reduce((found, point) =>
        isBeyond(point.value, found.value) ? point : found
      ),
    );
  const { fold } = METRICS[metric as keyof typeof METRICS];
  return {
    completePoints: complete.length,
    newest: dayValueOf(complete.at(-1)),
    lowest: extreme((a, b) => a < b),
    highest: extreme((a, b) => a > b),
    mean: Number(meanOf(values).toPrecision(9)),
    // Only sums of a day's events may be added up.
    ...(fold === "sum" ? { sum: sumOf(values) } : {}),
  };
}

function dayValueOf({ day, value }: { day: string; value: number }) {
  return { day, value };
}
