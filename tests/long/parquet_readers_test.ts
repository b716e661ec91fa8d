/** The Parquet files in the readers that npm has, old ones too: every value is that of the NDJSON file. */
import { assert, assertEquals } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { HOUR_MS, parseDay } from "../../services/platform/days.ts";
import { bytesOfFile, fill } from "../support/chain_data/downloads.ts";
import { checkDaily, succeed } from "../support/jobs.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { run } from "../support/sdk/published.ts";
import { putSeries } from "../support/series.ts";

/** The readers, and what is installed from npm for each; the guide lists them. */
const READERS: Readonly<Record<string, string>> = {
  "hyparquet": "hyparquet@1.31.5",
  "hyparquet-1.0": "hyparquet-1.0@npm:hyparquet@1.0.0",
  "parquetjs": "parquetjs@0.11.2",
  "parquetjs-lite": "parquetjs-lite@0.8.7",
  "@dsnp/parquetjs": "@dsnp/parquetjs@1.8.0",
  "parquets": "parquets@0.10.10",
  "parquet-wasm": "parquet-wasm@0.8.0",
  "parquet-wasm-0.4": "parquet-wasm-0.4@npm:parquet-wasm@0.4.0",
  "@duckdb/node-api": "@duckdb/node-api@1.5.6-r.1",
};

/** It throws at every instant, whatever wrote the file. */
const READS_NO_INSTANT = "parquetjs-lite";

/** Tables with all types of cells. */
const TABLES = [
  "txCount-2026",
  "feesPaid-2026",
  "chains",
  "chains-overview",
  "checked-transactions",
  "checked-fees",
  "checked-blocks",
  "checked-stake",
];

const PROGRAM = new URL(
  "../support/chain_data/parquet_readers.mjs",
  import.meta.url,
);

type Row = Record<string, unknown>;

/** Builds files with incomplete, inferred, revised and absent values. */
async function build(deps: TestDeps): Promise<void> {
  await fill(deps);
  await checkDaily(deps, 1);
  await putSeries(deps, { subject: 99, metric: "txCount" }, {
    from: "2026-10-01",
    values: [10, 0.1 + 0.2],
  });
  deps.advance(HOUR_MS);
  const id = { subject: 43114, metric: "txCount" } as const;
  const stored = (await deps.store.series.find(id))!;
  const { firstDay, values } = stored.series;
  await deps.store.series.replace(id, {
    ...stored,
    series: {
      firstDay,
      values: values.with(parseDay("2026-11-01") - firstDay, 2 ** 53),
    },
    fetchedAt: deps.now().getTime(),
  });
  await succeed(deps, "build-downloads");
}

/** Returns a cell in the form of NDJSON. Readers have days and instants as numbers or texts. */
function cellOf(value: unknown, expected: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof expected === "number") return Number(value);
  if (typeof expected !== "string") return value;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(expected);
  if (!isDay && !/^\d{4}-\d\d-\d\dT.*Z$/.test(expected)) return value;
  const at = typeof value === "string"
    ? `${value.replace(" ", "T").replace(/Z$/, "")}`
    : value as number;
  const instant = new Date(
    typeof at === "number" ? at : at.length === 10 ? at : `${at}Z`,
  ).toISOString();
  return isDay ? instant.slice(0, 10) : instant;
}

Deno.test("Parquet files have the same values in every reader", async (t) => {
  using deps = await testDeps();
  await build(deps);
  const folder = await Deno.makeTempDir({ prefix: "firn_parquet_" });
  try {
    const expected = new Map<string, Row[]>();
    for (const table of TABLES) {
      await Deno.writeFile(
        `${folder}/${table}.parquet`,
        await bytesOfFile(deps, `${table}.parquet`),
      );
      const lines = new TextDecoder().decode(
        gunzipSync(await bytesOfFile(deps, `${table}.ndjson.gz`)),
      );
      expected.set(
        `${table}.parquet`,
        lines.trimEnd().split("\n").map((line) => JSON.parse(line)),
      );
    }
    const cells = [...expected.values()].flat();
    for (const name of ["complete", "inferred"]) {
      for (const value of [true, false]) {
        assert(cells.some((row) => row[name] === value), `${name} ${value}`);
      }
    }
    assert(cells.some(({ revisedAt }) => typeof revisedAt === "string"));

    await Deno.writeTextFile(`${folder}/package.json`, '{"private":true}');
    await Deno.copyFile(PROGRAM, `${folder}/read.mjs`);
    const packages = [...Object.values(READERS), "apache-arrow@21.1.0"];
    await run("npm", [
      ...["install", "--no-audit", "--no-fund", "--ignore-scripts"],
      ...packages,
    ], { cwd: folder });
    for (const reader of Object.keys(READERS)) {
      await t.step(reader, async () => {
        const printed = await run(
          "node",
          ["--no-warnings", "read.mjs", reader, ...expected.keys()],
          { cwd: folder },
        );
        const tables = JSON.parse(printed);
        for (const [file, rows] of expected) {
          assertEquals(tables[file].length, rows.length, file);
          for (const [nth, row] of rows.entries()) {
            const read: Row | unknown[] = tables[file][nth];
            for (
              const [column, [name, value]] of Object.entries(row).entries()
            ) {
              if (name === "revisedAt" && reader === READS_NO_INSTANT) continue;
              const cell = Array.isArray(read) ? read[column] : read[name];
              assertEquals(
                cellOf(cell, value),
                value,
                `${file}, row ${nth}, ${name}`,
              );
            }
          }
        }
      });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
