/** Writes tables as CSV (RFC 4180) and as JSON lines, compressed with gzip. */
import { stringify } from "@std/csv";
import { csvCell } from "../platform/csv_cell.ts";
import { formatDay } from "../platform/days.ts";
import { plainNumber } from "../platform/decimals.ts";
import type { CellType } from "./downloads_schema.ts";
import type { RowGroup, Table, Values } from "./row_groups.ts";

/** Writes the number of a cell, or a text. */
type Writer = (value: number | string) => string;

/** How a format writes a table. */
interface Lines {
  readonly header: (names: readonly string[]) => string;
  /** Text before a cell. */
  readonly before: (name: string, nth: number) => string;
  readonly end: string;
  readonly nothing: string;
  readonly cells: Readonly<Record<CellType, Writer>>;
}

const toInstant = (value: number | string) =>
  new Date(Number(value)).toISOString();

/** The end of a CSV line. */
const END = "\r\n";

const CSV: Lines = {
  header: (names) => names.join(",") + END,
  before: (_, nth) => nth === 0 ? "" : ",",
  end: END,
  nothing: "",
  cells: {
    integer: String,
    number: (value) => plainNumber(Number(value)),
    boolean: (value) => value === 1 ? "true" : "false",
    date: (value) => formatDay(Number(value)),
    instant: toInstant,
    text: remembered((value) =>
      stringify([[csvCell(value)]]).slice(0, -END.length)
    ),
  },
};

const NDJSON: Lines = {
  header: () => "",
  before: (name, nth) => `${nth === 0 ? "{" : ","}${JSON.stringify(name)}:`,
  end: "}\n",
  nothing: "null",
  cells: {
    integer: String,
    number: String,
    boolean: (value) => value === 1 ? "true" : "false",
    date: (value) => `"${formatDay(Number(value))}"`,
    instant: (value) => `"${toInstant(value)}"`,
    text: remembered((value) => JSON.stringify(value)),
  },
};

/** Lets other work of the process run. */
export type Yield = () => Promise<void>;

/** Writes a table as CSV. */
export function writeCsv(
  table: Table,
  rest: Yield,
): Promise<Uint8Array<ArrayBuffer>> {
  return writeLines(table, CSV, rest);
}

/** Writes a table as JSON lines. */
export function writeNdjson(
  table: Table,
  rest: Yield,
): Promise<Uint8Array<ArrayBuffer>> {
  return writeLines(table, NDJSON, rest);
}

async function writeLines(
  { columns, groups }: Table,
  lines: Lines,
  rest: Yield,
): Promise<Uint8Array<ArrayBuffer>> {
  const gzip = new CompressionStream("gzip");
  const zipped = new Response(gzip.readable).bytes();
  const writer = gzip.writable.getWriter();
  const write = encodedInto(writer);
  const before = columns.map(({ name }, nth) => lines.before(name, nth));
  const cells = columns.map(({ type }) => lines.cells[type]);
  await write(lines.header(columns.map(({ name }) => name)));
  for (const group of groups()) {
    await write(linesOf(group, { before, cells, lines }));
    await rest();
  }
  await writer.close();
  return await zipped;
}

/**
 * Returns a function that writes texts. All of them share one buffer: new ones
 * for each would be most of the memory of a build.
 */
function encodedInto(
  writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>,
) {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(2 ** 16);
  return async (text: string) => {
    for (let rest = text; rest !== "";) {
      const { read, written } = encoder.encodeInto(rest, buffer);
      // A write resolves when the compressor has read the buffer.
      await writer.write(buffer.subarray(0, written));
      rest = rest.slice(read);
    }
  };
}

function linesOf(
  { rows, values }: RowGroup,
  { before, cells, lines: { end, nothing } }: {
    readonly before: readonly string[];
    readonly cells: readonly Writer[];
    readonly lines: Lines;
  },
): string {
  let text = "";
  for (let row = 0; row < rows; row++) {
    for (let nth = 0; nth < cells.length; nth++) {
      const value = valueAt(values[nth]!, row);
      text += before[nth]! + (value === null ? nothing : cells[nth]!(value));
    }
    text += end;
  }
  return text;
}

/** Returns a value; null if there is none. */
function valueAt(values: Values, row: number): number | string | null {
  const value = values[row]!;
  return Number.isNaN(value) ? null : value;
}

/** Returns a writer that keeps its last result: the texts of neighbouring rows are mostly the same. */
function remembered(write: Writer): Writer {
  let last: number | string | undefined;
  let written = "";
  return (value) => {
    if (value !== last) {
      written = write(value);
      last = value;
    }
    return written;
  };
}
