/** The rows of a table, column by column, in groups: one per chain, or one for all rows. */
import { sha256 } from "../platform/bytes.ts";
import type { Column } from "./downloads_schema.ts";

/** The values of a column: texts, or numbers with `NaN` for null. A boolean is 0 or 1. */
export type Values = Float64Array<ArrayBuffer> | readonly (string | null)[];

/** Rows that stay together: a row group in Parquet. */
export interface RowGroup {
  readonly rows: number;
  /** One entry per column of the table, in their order. */
  readonly values: readonly Values[];
}

/** A table, before it is written. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Returns the groups. They are built anew by each call, so that one is in memory. */
  readonly groups: () => Iterable<RowGroup>;
}

/** Increase it when the same rows are written as other bytes. */
const WRITER_VERSION = 2;

/**
 * Returns the hash of a table's columns and rows, and their number. Tables with the
 * same hash have the same files.
 */
export function fingerprintOf(
  { name, columns, groups }: Table,
): { readonly fingerprint: string; readonly rows: number } {
  let total = 0;
  const hash = sha256();
  hash.update(JSON.stringify([WRITER_VERSION, name, columns]));
  for (const { rows, values } of groups()) {
    total += rows;
    hash.update(`\n${rows}\n`);
    for (const column of values) {
      hash.update(
        column instanceof Float64Array
          ? new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
          : JSON.stringify(column),
      );
    }
  }
  return { fingerprint: hash.hex(), rows: total };
}

/** Builds a group from objects that have the columns as fields. */
export function groupOf(
  columns: readonly Column[],
  items: readonly Readonly<Record<string, unknown>>[],
): RowGroup {
  const values = columns.map(({ name, type }): Values =>
    type === "text"
      ? items.map((item) => (item[name] ?? null) as string | null)
      : Float64Array.from(
        items,
        (item) => Number(item[name] ?? NaN),
      )
  );
  return { rows: items.length, values };
}
