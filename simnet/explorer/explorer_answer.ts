/** The envelope of the explorer index: every refusal is a 200 with status "0". */

/** A row of a list, whose fields are strings but for some. */
export type Row = Record<string, number | string>;

/** What the explorer index answers. */
export interface ExplorerAnswer {
  readonly status: "0" | "1";
  readonly message: string;
  readonly result: readonly Row[] | string | null;
}

/** Answers with rows, or says that there are none. */
export function listed(
  rows: readonly Row[],
  nothing: `No ${string} found`,
): ExplorerAnswer {
  return rows.length > 0
    ? { status: "1", message: "OK", result: rows }
    : { status: "0", message: nothing, result: [] };
}

/** Refuses a request for a parameter. */
export function refuse(what: string): ExplorerAnswer {
  const result = `Error! Missing Or invalid ${what}`;
  return { status: "0", message: "NOTOK", result };
}
