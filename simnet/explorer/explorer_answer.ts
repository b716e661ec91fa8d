/** The response body of the explorer index. Every error is a 200 with status "0". */

/** A row of a list. Most fields are strings. */
export type Row = Record<string, number | string>;

/** The response body of the explorer index. */
export interface ExplorerAnswer {
  readonly status: "0" | "1";
  readonly message: string;
  readonly result: readonly Row[] | string | null;
}

/** Returns a body with rows, or the message for an empty list. */
export function listed(
  rows: readonly Row[],
  nothing: `No ${string} found`,
): ExplorerAnswer {
  return rows.length > 0
    ? { status: "1", message: "OK", result: rows }
    : { status: "0", message: nothing, result: [] };
}

/** Returns the error for an invalid parameter. */
export function refuse(what: string): ExplorerAnswer {
  const result = `Error! Missing Or invalid ${what}`;
  return { status: "0", message: "NOTOK", result };
}
