// The signatures of @std/csv/parse.

/** Options of {@linkcode parse}. */
export interface ParseOptions {
  /** Separator of values; a comma by default. */
  separator?: string;
  /** Lines that start with this character are ignored. */
  comment?: string;
  /** Removes white space before each value. */
  trimLeadingSpace?: boolean;
  /** Allows quotes in unquoted values. */
  lazyQuotes?: boolean;
  /**
   * Required number of values in each row: 0 means as many as in the first row, a
   * negative number allows any.
   */
  fieldsPerRecord?: number;
  /** Uses the first row as header, or skips it if `columns` are given. */
  skipFirstRow?: boolean;
  /** The names of the columns. */
  columns?: readonly string[];
}

/** One row by column name. */
export type RecordWithColumn<C extends string> = string extends C
  ? Record<string, string>
  : Record<C, string>;

/** What {@linkcode parse} returns for options of type `T`: records or rows. */
export type ParseResult<ParseOptions, T> = T extends
  ParseOptions & { columns: readonly (infer C extends string)[] }
  ? RecordWithColumn<C>[]
  : T extends ParseOptions & { skipFirstRow: true } ? Record<string, string>[]
  : T extends
    ParseOptions & { columns?: undefined; skipFirstRow?: false | undefined }
    ? string[][]
  : Record<string, string>[] | string[][];

/** Parses CSV into rows of values. */
export declare function parse(input: string): string[][];
/** Parses CSV into records if the columns are known, else into rows. */
export declare function parse<const T extends ParseOptions>(
  input: string,
  options: T,
): ParseResult<ParseOptions, T>;
