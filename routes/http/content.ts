/** Serialises answers as JSON, CSV (RFC 4180) and Atom. */
import { type ColumnDetails, stringify } from "@std/csv";
import type { Feed } from "feed";
import {
  type CacheableAnswer,
  UPSTREAM_FRESH_MS,
} from "../../services/platform/cache/freshness.ts";
import { parseDay, startOfDay } from "../../services/platform/days.ts";
import { csvCell } from "../../services/platform/quoted_text.ts";
import { plainNumber } from "../../services/platform/decimals.ts";
import { type Content, type Keep, STALE_IF_ERROR } from "./representation.ts";

/** Rows of a CSV answer and the order of their columns. */
export interface Table {
  /** Name of the downloaded file, without `firn-` and `.csv`. */
  readonly name: string;
  readonly columns: readonly (string | ColumnDetails)[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Names the first day of a bucket `period`, as every CSV of the API does. */
export function byPeriod<Item extends { readonly day: string }>(
  { day, ...item }: Item,
) {
  return { period: day, ...item };
}

/** The instants of an answer. */
type Dates = Omit<CacheableAnswer<unknown>, "answer">;

/**
 * An answer that never changes needs no revalidation (RFC 8246). It is kept for an
 * hour like every answer, and then made again from the same records.
 */
const FINAL: Keep = {
  forMs: UPSTREAM_FRESH_MS,
  headers: {
    "Cache-Control": `public, max-age=${
      UPSTREAM_FRESH_MS / 1000
    }, ${STALE_IF_ERROR}, immutable`,
  },
};

/** Returns the part of a content that says how it is cached. */
function cachingOf(
  { fetchedAt, changedAt, isFinal = false }: Dates,
): Pick<Content, "fetchedAt" | "changedAt" | "keep"> {
  return { fetchedAt, changedAt, ...isFinal && { keep: FINAL } };
}

/** Fields that say how old data are. They change although the data do not. */
const AGES =
  /"(?:fetchedAt|confirmedAt|checkedAt|lastSuccessAt|lagHours)":(?:"[^"]*"|[^,}]*)/g;

/** Serialises an answer as JSON. Its ETag ignores how old the data are. */
export function jsonContent(
  { answer, ...dates }: CacheableAnswer<unknown>,
): Content {
  const text = JSON.stringify(answer);
  const tagged = text.replaceAll(AGES, "");
  return { text, tagged, type: "application/json", ...cachingOf(dates) };
}

/** Returns the end of a day, when an entry about it is published. */
export const endOf = (day: string): Date =>
  new Date(startOfDay(parseDay(day) + 1));

/** Adds the only entry of a feed that has none: some readers take a feed without entries for no feed. */
export function addEmptyEntry(
  feed: Feed,
  { self, title }: { readonly self: string; readonly title: string },
): void {
  const date = new Date(0);
  feed.addItem({ id: `${self}#none`, title, link: self, date });
}

/** Serialises an answer as an Atom feed. */
export function atomContent(
  dates: Dates,
  text: string,
): Content {
  const type = "application/atom+xml; charset=utf-8";
  return { text, type, ...cachingOf(dates) };
}

/** Returns the content of a cell. Numbers have no exponent, and lists are separated by spaces. */
function cellOf(value: unknown): unknown {
  if (typeof value === "number") return plainNumber(value);
  return csvCell(Array.isArray(value) ? value.join(" ") : value);
}

function cellsOf(
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const cells = Object.entries(row)
    .map(([name, value]) => [name, cellOf(value)] as const);
  return Object.fromEntries(cells);
}

/** Serialises the rows of an answer as CSV with a header row. */
export function csvContent(
  dates: Dates,
  { name, columns, rows }: Table,
): Content {
  const text = stringify(rows.map(cellsOf), { columns: [...columns] });
  const type = "text/csv; charset=utf-8; header=present";
  const headers = {
    "Content-Disposition": `attachment; filename="firn-${name}.csv"`,
  };
  return { text, type, headers, ...cachingOf(dates) };
}
