// The signatures of @std/csv/stringify.

/** A property of a record or an index of a row. */
export type PropertyAccessor = number | string;

/** A column whose header may differ from its property. */
export type ColumnDetails = {
  /** The header; the last accessor of `prop` by default. */
  header?: string;
  /** The accessors of the value within the item. */
  prop: PropertyAccessor | PropertyAccessor[];
};

/** A column: an accessor, a path of accessors, or either with a header. */
export type Column = ColumnDetails | PropertyAccessor | PropertyAccessor[];

/** A line: a record or a row. */
export type DataItem = Readonly<Record<string, unknown> | unknown[]>;

/** Options of {@linkcode stringify}. */
export type StringifyOptions = {
  /** Whether the first line holds the headers; true by default. */
  headers?: boolean;
  /** Separator of values; a comma by default. */
  separator?: string;
  /** The columns in order; required for records. */
  columns?: readonly Column[];
  /** Starts with a byte-order mark, which some programs need to detect UTF-8. */
  bom?: boolean;
};

/** Formats records or rows as CSV. Lines end with CR LF. */
export declare function stringify(
  data: readonly DataItem[],
  options?: StringifyOptions,
): string;
