/**
 * Runs SQL queries with DuckDB, which needs more permissions than tests have. It
 * reads a JSON list of queries, and writes the types and rows of each.
 */
import { DuckDBInstance } from "@duckdb/node-api";

const queries: string[] = await new Response(Deno.stdin.readable).json();
const instance = await DuckDBInstance.create();
const connection = await instance.connect();
const results = [];
for (const query of queries) {
  const read = await connection.runAndReadAll(query);
  results.push({
    types: read.columnTypes().map(String),
    rows: read.getRowObjectsJson(),
  });
}
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(results)));
