/** Prints the rows of Parquet files as a reader has them: `node parquet_readers.mjs READER FILE…` */
import { readFile } from "node:fs/promises";
import process from "node:process";

const [reader, ...files] = process.argv.slice(2);

/** Returns the content of a file as an `ArrayBuffer`. */
const contentOf = async (file) => Uint8Array.from(await readFile(file)).buffer;

/** Readers with the interface of parquetjs; columns that one of them cannot read are left out. */
const parquetjs = (name, unread = []) => async (file) => {
  const { default: { ParquetReader } } = await import(name);
  const opened = await ParquetReader.openFile(file);
  const columns = opened.getSchema().fieldList.map(({ path }) => path)
    .filter(([column]) => !unread.includes(column));
  const cursor = opened.getCursor(columns);
  const rows = [];
  for (let row; (row = await cursor.next());) rows.push(row);
  return rows;
};

/** Readers that return Arrow tables, as they are or as IPC. */
const arrow = (module) => async (file) => {
  const { tableFromIPC } = await import("apache-arrow");
  const { readParquet } = await import(module);
  const table = readParquet(new Uint8Array(await contentOf(file)));
  return tableFromIPC(table.intoIPCStream?.() ?? table).toArray()
    .map((row) => row.toJSON());
};

const READERS = {
  hyparquet: async (file) => {
    const { parquetReadObjects } = await import("hyparquet");
    return await parquetReadObjects({ file: await contentOf(file) });
  },
  // It has rows as lists.
  "hyparquet-1.0": async (file) => {
    const { parquetRead } = await import("hyparquet-1.0");
    const buffer = await contentOf(file);
    return await new Promise((resolve, reject) =>
      parquetRead({ file: buffer, onComplete: resolve }).catch(reject)
    );
  },
  parquetjs: parquetjs("parquetjs"),
  "parquetjs-lite": parquetjs("parquetjs-lite", ["revisedAt"]),
  "@dsnp/parquetjs": parquetjs("@dsnp/parquetjs"),
  parquets: parquetjs("parquets"),
  "parquet-wasm": arrow("parquet-wasm/node"),
  "parquet-wasm-0.4": arrow("parquet-wasm-0.4/node/arrow1.js"),
  "@duckdb/node-api": async (file) => {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const database = await DuckDBInstance.create(":memory:");
    const connection = await database.connect();
    const read = await connection.runAndReadAll(`FROM '${file}'`);
    return read.getRowObjectsJson();
  },
};

const tables = {};
for (const file of files) tables[file] = await READERS[reader](file);
// deno-lint-ignore no-console -- the rows are the output.
console.log(JSON.stringify(
  tables,
  (_, value) => typeof value === "bigint" ? Number(value) : value,
));
