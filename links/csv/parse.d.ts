// The signatures of @std/csv/parse.

/** How {@linkcode parse} reads its input. */
export interface ParseOptions {
  /** What stands between two values; a comma unless told. */
  separator?: string;
  /** Lines that begin with this character are left out. */
  comment?: string;
  /** Drops the white space before each value. */
  trimLeadingSpace?: boolean;
  /** Lets a quote stand in a value that is not quoted. */
  lazyQuotes?: boolean;
  /**
   * The number of values each row must have. 0 takes it from the first row, a
   * negative number allows any.
   */
  fieldsPerRecord?: number;
  /** Takes the first row as the header, or drops it where `columns` are given. */
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

/** Reads CSV as rows of values. */
export declare function parse(input: string): string[][];
/** Reads CSV as records where the columns are known, else as rows. */
export declare function parse<const T extends ParseOptions>(
  input: string,
  options: T,
): ParseResult<ParseOptions, T>;
