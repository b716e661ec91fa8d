/**
 * Writes the files of a table, unless the store has them already: Parquet, and
 * compressed with gzip CSV (RFC 4180) and JSON lines.
 */
import { sha256Hex } from "../platform/bytes.ts";
import type { Document } from "./data_package.ts";
import {
  type CellType,
  type Column,
  DOCUMENTS,
  FILE_ENDINGS,
  type FileEnding,
} from "./downloads_schema.ts";
import type { StoredFile, StoredTable } from "./downloads_store.ts";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { stringify } from "@std/csv";
import { csvCell } from "../platform/text.ts";
import { formatDay } from "../platform/days.ts";
import { plainNumber } from "../platform/numbers.ts";
import type { DownloadsDeps } from "./downloads.ts";
import {
  fingerprintOf,
  type RowGroup,
  type Table,
  type Values,
} from "./tables.ts";

type Schema = ConstructorParameters<typeof ParquetWriter>[0]["schema"];
type SchemaElement = Schema[number];
type ColumnData = Parameters<ParquetWriter["write"]>[0]["columnData"][number];

/** The physical and the logical type of each type of cells. */
const TYPES: Readonly<
  Record<CellType, Pick<SchemaElement, "type" | "converted_type">>
> = {
  integer: { type: "INT64" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  date: { type: "INT32", converted_type: "DATE" },
  instant: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

/**
 * Columns with statistics, by which readers choose row groups. Statistics of all
 * columns would double the footer, which every reader reads.
 */
const SOUGHT: readonly string[] = ["chainId", "day"];

/** First size of the buffer: the files of most years fit, so that it is not copied. */
const BUFFER_BYTES = 2 ** 20;

/** Writes a table as Parquet. */
async function writeParquet(
  { columns, groups }: Table,
  rest: Yield,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new ByteWriter(BUFFER_BYTES);
  const file = new ParquetWriter({
    writer,
    schema: schemaOf(columns),
    createdBy: "firn",
  });
  for (const { rows, values } of groups()) {
    file.write({
      columnData: columns.map((column, nth): ColumnData => ({
        name: column.name,
        data: dataOf(column, values[nth]!),
        statistics: SOUGHT.includes(column.name),
        // Some readers know no other encoding, or return false for every boolean in runs.
        encoding: "PLAIN",
        offsetIndex: false,
      })),
      rowGroupSize: rows,
    });
    await rest();
  }
  file.finish();
  return inFirstVersion(writer.getBytes() as Uint8Array<ArrayBuffer>);
}

/** The first field of a footer: its version, 2 and 1. */
const [SECOND_VERSION, FIRST_VERSION] = [[0x15, 0x04], [0x15, 0x02]] as const;

/**
 * Marks a file as version 1 of the format, whose types and encodings it keeps to. Some
 * readers refuse version 2, which the writer always states.
 */
function inFirstVersion(
  file: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const end = file.byteLength - 8;
  const footer = end - new DataView(file.buffer).getUint32(end, true);
  if (SECOND_VERSION.some((byte, nth) => file[footer + nth] !== byte)) {
    throw new Error("Cannot write Parquet: the footer has another form");
  }
  file.set(FIRST_VERSION, footer);
  return file;
}

function schemaOf(columns: readonly Column[]): Schema {
  return [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type, isNullable }): SchemaElement => ({
      name,
      ...TYPES[type],
      repetition_type: isNullable ? "OPTIONAL" : "REQUIRED",
    })),
  ];
}

function dataOf(
  { type, isNullable }: Column,
  values: Values,
): ColumnData["data"] {
  if (!(values instanceof Float64Array)) {
    return values.map((text) => text ?? undefined);
  }
  if (type === "number" && !isNullable) return values;
  const write = WRITERS[type];
  return Array.from(
    values,
    (value) => Number.isNaN(value) ? undefined : write(value),
  );
}

const asIs = (value: number) => value;

/** The value of a cell as the writer expects it. */
const WRITERS: Readonly<
  Record<CellType, (value: number) => number | bigint | boolean>
> = {
  integer: BigInt,
  number: asIs,
  boolean: (value) => value === 1,
  date: asIs,
  instant: BigInt,
  text: asIs,
};

type FileDeps = Pick<DownloadsDeps, "now" | "sleep" | "store">;

type Bytes = Uint8Array<ArrayBuffer>;

/** The released table, and the date of the next release. */
interface TableState {
  readonly held: StoredTable | undefined;
  readonly date: string;
}

const WRITE: Readonly<
  Record<FileEnding, (table: Table, rest: Yield) => Promise<Bytes>>
> = {
  "csv.gz": writeCsv,
  "ndjson.gz": writeNdjson,
  "parquet": writeParquet,
};

/** Groups of rows that are written before other work of the process may run. */
const GROUPS_AT_ONCE = 4;

/** Returns the released table if its rows are the same. Otherwise it builds and stages a new one. */
export async function buildTable(
  deps: FileDeps,
  table: Table,
  state: TableState,
): Promise<StoredTable> {
  const { name } = table;
  let groups = 0;
  const rest = async () => {
    if (++groups % GROUPS_AT_ONCE === 0) await deps.sleep(0);
  };
  return await store(deps, { name, ...fingerprintOf(table) }, {
    ...state,
    files: FILE_ENDINGS.map((ending) => ({
      name: `${name}.${ending}`,
      write: () => WRITE[ending](table, rest),
    })),
  });
}

/** Stores the documents of a release, if they changed. */
export function storeDocuments(
  deps: FileDeps,
  documents: readonly Document[],
  state: TableState,
): Promise<StoredTable> {
  const fingerprint = sha256Hex(JSON.stringify(documents));
  return store(deps, { name: DOCUMENTS, fingerprint, rows: null }, {
    ...state,
    files: documents.map(({ name, text }) => ({
      name,
      write: () => Promise.resolve(new TextEncoder().encode(text)),
    })),
  });
}

/** A file that may have to be written. */
interface File {
  readonly name: string;
  readonly write: () => Promise<Bytes>;
}

async function store(
  deps: FileDeps,
  facts: Pick<StoredTable, "name" | "fingerprint" | "rows">,
  { held, date, files }: TableState & { readonly files: readonly File[] },
): Promise<StoredTable> {
  const { downloads } = deps.store;
  const { name, fingerprint } = facts;
  if (held?.fingerprint === fingerprint) return held;
  const staged = await downloads.findStaged({
    name,
    fingerprint,
    builtOn: date,
  });
  if (staged?.isWhole) return staged.table;
  collectGarbage();
  const contents: Bytes[] = [];
  const stored: StoredFile[] = [];
  for (const { name, write } of files) {
    const content = await write();
    contents.push(content);
    stored.push({
      name,
      bytes: content.byteLength,
      sha256: sha256Hex(content),
      version: `${date}.${fingerprint}.${name}`,
    });
  }
  const builtAt = deps.now().getTime();
  const table = { ...facts, builtOn: date, builtAt, files: stored };
  await downloads.stage(table, contents);
  return table;
}

/** Bytes outside the heap at which the engine collects garbage. */
const NOTICED_BYTES = 64 * 2 ** 20;

/**
 * Makes the engine collect garbage in small steps: it allocates a buffer and drops it
 * at once. Nothing touches the pages of the buffer, so they take no memory. Without
 * this, the garbage of a dozen tables accumulates and takes a third of the memory of a
 * build.
 */
function collectGarbage(): void {
  new ArrayBuffer(NOTICED_BYTES);
}

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
type Yield = () => Promise<void>;

/** Writes a table as CSV. */
function writeCsv(
  table: Table,
  rest: Yield,
): Promise<Uint8Array<ArrayBuffer>> {
  return writeLines(table, CSV, rest);
}

/** Writes a table as JSON lines. */
function writeNdjson(
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
