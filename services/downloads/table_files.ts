/** Writes the files of a table, unless the store has them already. */
import { sha256Hex } from "../platform/sha256.ts";
import type { DownloadsDeps } from "./deps.ts";
import type { Document } from "./data_package.ts";
import {
  type CellType,
  type Column,
  FILE_ENDINGS,
  type FileEnding,
} from "./downloads_schema.ts";
import type { StoredFile, StoredTable } from "./downloads_store.ts";
import { fingerprintOf, type Table, type Values } from "./row_groups.ts";
import { writeCsv, writeNdjson, type Yield } from "./text_files.ts";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";

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

/** The name under which documents are stored. */
export const DOCUMENTS = "documents";

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
