// The signatures of @std/csv/stringify.

/** A property of a record or an index of a row. */
export type PropertyAccessor = number | string;

/** A column whose header may differ from the property it shows. */
export type ColumnDetails = {
  /** The header; the last accessor of `prop` unless told. */
  header?: string;
  /** The way from the item to the value. */
  prop: PropertyAccessor | PropertyAccessor[];
};

/** A column: an accessor, a path of accessors, or either with a header. */
export type Column = ColumnDetails | PropertyAccessor | PropertyAccessor[];

/** What makes one line: a record or a row. */
export type DataItem = Readonly<Record<string, unknown> | unknown[]>;

/** How {@linkcode stringify} writes its lines. */
export type StringifyOptions = {
  /** Whether the columns' headers make the first line; true unless told. */
  headers?: boolean;
  /** What stands between two values; a comma unless told. */
  separator?: string;
  /** The columns in their order; records cannot be written without. */
  columns?: readonly Column[];
  /** Begins with a byte-order mark, by which some programs know UTF-8. */
  bom?: boolean;
};

/** Writes records or rows as CSV, each line ended by CR LF. */
export declare function stringify(
  data: readonly DataItem[],
  options?: StringifyOptions,
): string;
