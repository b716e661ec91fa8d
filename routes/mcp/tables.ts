/** Compact tables: rounded numbers, rows as arrays, and pages. */
import { invalidParameter } from "../../services/platform/fault.ts";

/** Maximum number of rows in an answer. */
const PAGE_ROWS = 100;

/** Significant digits of a number that is not a whole number. */
const DIGITS = 9;

/** Names of the columns, and one array per row. */
interface CompactTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Rounds a number to nine significant digits. Whole numbers stay exact. */
export function rounded(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS));
}

/** Writes the named fields of items as a table. */
export function tableOf<Item extends object>(
  columns: readonly (string & keyof Item)[],
  items: readonly Item[],
): CompactTable {
  const rows = items.map((item) =>
    columns.map((column) => cellOf(item[column]))
  );
  return { columns, rows };
}

function cellOf(value: unknown): unknown {
  return typeof value === "number" ? rounded(value) : value ?? null;
}

/** A page of a list. */
interface Page<Item> {
  readonly page: readonly Item[];
  readonly nextCursor: string | undefined;
  /** Words for the summary; empty if the page holds everything. */
  readonly words: string;
}

/**
 * Returns the page of a list after the cursor, which is the key of the last item
 * before it. With `from: "end"` the first page is the end of the list, and the
 * next cursors lead to its start; items keep their order.
 */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  { cursor, from = "start" }: {
    readonly cursor: string | undefined;
    readonly from?: "start" | "end";
  },
): Page<Item> {
  const at = cursor === undefined
    ? null
    : items.findIndex((item) => keyOf(item) === cursor);
  if (at === -1) {
    throw invalidParameter(
      "cursor",
      cursor!,
      "nextCursor of the previous answer, with the same arguments",
    );
  }
  const [start, end] = from === "start"
    ? [at === null ? 0 : at + 1, (at ?? -1) + 1 + PAGE_ROWS]
    : [Math.max(0, (at ?? items.length) - PAGE_ROWS), at ?? items.length];
  const page = items.slice(start, end);
  const last = from === "start" ? page.at(-1) : page[0];
  const isLast = from === "start" ? end >= items.length : start === 0;
  const all = items.length;
  const more = isLast ? "" : "; nextCursor leads to more";
  const rows = page.length === 0
    ? `No more rows: the earlier pages have all ${all}`
    : `Rows ${start + 1} to ${start + page.length} of ${all}`;
  return {
    page,
    nextCursor: isLast || last === undefined ? undefined : keyOf(last),
    words: page.length === all ? "" : ` ${rows}${more}.`,
  };
}
