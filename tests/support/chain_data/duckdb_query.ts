/** Runs SQL in DuckDB, and prints the columns with their types and the rows as JSON. */
import { DuckDBInstance } from "@duckdb/node-api";

const [sql = ""] = Deno.args;
const database = await DuckDBInstance.create(":memory:");
const connection = await database.connect();
const reader = await connection.runAndReadAll(sql);
// deno-lint-ignore no-console -- the result is the output.
console.log(JSON.stringify({
  types: Object.fromEntries(
    reader.columnNames().map((
      name,
      nth,
    ) => [name, String(reader.columnType(nth))]),
  ),
  rows: reader.getRowObjectsJson(),
}));
connection.closeSync();
database.closeSync();
