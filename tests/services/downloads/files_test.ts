/** The files of a release hold what the API answers, in every format. */
import { assert, assertEquals } from "@std/assert";
import { parse } from "@std/csv";
import { gunzipSync } from "node:zlib";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { HOUR_MS } from "../../../services/platform/days.ts";
import { METRIC_NAMES } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { putSeries } from "../../support/series.ts";
import { testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";
import {
  buildDownloads,
  bytesOfFile,
  CHAINS,
  fill,
} from "../../support/chain_data/downloads.ts";
import { askMetrics } from "../../support/chain_data/metrics_answers.ts";

type Row = Record<string, unknown>;

const textOf = (bytes: Uint8Array) =>
  new TextDecoder().decode(gunzipSync(bytes));

async function readAll(deps: Parameters<typeof bytesOfFile>[0], table: string) {
  const [csv, ndjson, parquet] = await Promise.all(
    ["csv.gz", "ndjson.gz", "parquet"].map((ending) =>
      bytesOfFile(deps, `${table}.${ending}`)
    ),
  );
  return {
    csv: parse(textOf(csv!), { skipFirstRow: true }) as Record<
      string,
      string
    >[],
    ndjson: textOf(ndjson!).trimEnd().split("\n").map((line) =>
      JSON.parse(line) as Row
    ),
    parquet: await parquetReadObjects({ file: parquet!.buffer }) as Row[],
    metadata: parquetMetadata(parquet!.buffer),
  };
}

Deno.test("all formats of every metric hold the rows of the API, day by day", async () => {
  using deps = await buildDownloads();
  for (const metric of METRIC_NAMES) {
    const rows: Row[] = [];
    for (const chainId of Object.keys(CHAINS)) {
      const { body } = await askMetrics(
        deps,
        `metric=${metric}&chainId=${chainId}&range=all`,
      );
      for (const point of body.series) {
        rows.push({
          chainId: Number(chainId),
          chainName: body.chainName,
          inferred: false,
          revisedAt: null,
          ...point,
        });
      }
    }
    const years = await Promise.all(
      ["2025", "2026"].map((year) => readAll(deps, `${metric}-${year}`)),
    );
    assertEquals(
      years.flatMap(({ ndjson }) => ndjson).toSorted(byChainAndDay),
      rows.toSorted(byChainAndDay),
      metric,
    );
    for (const { csv, ndjson, parquet } of years) {
      assertEquals(
        csv,
        ndjson.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [
              name,
              value === null
                ? ""
                : name === "chainName" && String(value).startsWith("=")
                ? `'${value}`
                : String(value),
            ]),
          )
        ),
      );
      assertEquals(
        parquet.map((row) => ({
          ...row,
          chainId: Number(row.chainId),
          day: (row.day as Date).toISOString().slice(0, 10),
          revisedAt: row.revisedAt ?? null,
        })),
        ndjson,
      );
    }
  }
});

function byChainAndDay(a: Row, b: Row): number {
  return Number(a.chainId) - Number(b.chainId) ||
    (String(a.day) < String(b.day) ? -1 : 1);
}

Deno.test("Parquet has a row group a chain, DATE, DOUBLE and BOOLEAN, and statistics of chains and days", async () => {
  using deps = await buildDownloads();
  const { metadata } = await readAll(deps, "txCount-2026");
  for (const { columns, num_rows } of metadata.row_groups) {
    assert(num_rows > 16n, "enough for the writer to choose runs");
    const booleans = columns.filter(({ meta_data }) =>
      meta_data!.type === "BOOLEAN"
    );
    assertEquals(
      booleans.map(({ meta_data }) => meta_data!.encodings),
      [["PLAIN"], ["PLAIN"]],
    );
  }
  assertEquals(
    parquetSchema(metadata).children.map((
      { element: { name, type, converted_type, repetition_type } },
    ) => [name, type, converted_type, repetition_type]),
    [
      ["chainId", "INT64", undefined, "REQUIRED"],
      ["chainName", "BYTE_ARRAY", "UTF8", "REQUIRED"],
      ["day", "INT32", "DATE", "REQUIRED"],
      ["value", "DOUBLE", undefined, "REQUIRED"],
      ["complete", "BOOLEAN", undefined, "REQUIRED"],
      ["inferred", "BOOLEAN", undefined, "REQUIRED"],
      ["revisedAt", "INT64", "TIMESTAMP_MILLIS", "OPTIONAL"],
    ],
  );
  const groups = metadata.row_groups.map(({ columns }) =>
    columns.map(({ meta_data }) => meta_data?.statistics)
  );
  assertEquals(
    groups.map(([chainId]) => [chainId?.min_value, chainId?.max_value]),
    [[99n, 99n], [4337n, 4337n], [43114n, 43114n]],
  );
  assertEquals(
    groups[2]!.map((statistics) => statistics !== undefined),
    [true, false, true, false, false, false, false],
  );
});

Deno.test("days that a chain stopped publishing are inferred in files, and revised days say when", async () => {
  using deps = await testDeps();
  await fill(deps);
  const id = { subject: 4337, metric: "cumulativeTxCount" } as const;
  await putSeries(deps, id, { from: "2026-10-01", values: [10, 20] });
  await putSeries(deps, { ...id, metric: "txCount" }, {
    from: "2026-10-01",
    values: [10, 10],
  });
  const { body } = await askMetrics(
    deps,
    "metric=cumulativeTxCount&chainId=4337&range=all",
  );
  const day = Math.floor(Date.parse("2026-11-01") / 864e5);
  const gas = { subject: 43114, metric: "gasUsed" } as const;
  for (const value of [5, 6]) {
    deps.advance(HOUR_MS);
    const stored = (await deps.store.series.find(gas))!;
    const { firstDay, values } = stored.series;
    const changed = values.with(day - firstDay, value);
    await deps.store.series.replace(gas, {
      ...stored,
      series: { firstDay, values: changed },
      fetchedAt: deps.now().getTime(),
    });
  }
  const lastAt = deps.now();
  await succeed(deps, "build-downloads");
  const { ndjson } = await readAll(deps, "cumulativeTxCount-2026");
  const rows = ndjson.filter(({ chainId }) => chainId === 4337);
  assert(rows.length > 30);
  assertEquals(
    rows.map(({ day, value, complete, inferred, revisedAt }) => ({
      day,
      value,
      complete,
      ...inferred === true && { inferred },
      ...revisedAt !== null && { revisedAt },
    })),
    body.series as unknown[],
  );
  const revised = (await readAll(deps, "gasUsed-2026")).parquet.filter((
    { revisedAt },
  ) => revisedAt);
  assertEquals(revised.map(({ revisedAt }) => revisedAt), [lastAt]);
});

Deno.test("the checked series and the chain list are tables, too", async () => {
  using deps = await buildDownloads();
  for (
    const [table, columns] of [
      ["chains", ["chainId", "chainName", "token", "blockchainId", "subnetId"]],
      ["checked-transactions", [
        "day",
        "txCount",
        "crossCheckTxCount",
        "differencePct",
        "agrees",
        "complete",
      ]],
    ] as const
  ) {
    const { csv, parquet, ndjson } = await readAll(deps, table);
    assertEquals(Object.keys(csv[0]!), [...columns]);
    assertEquals(parquet.length, csv.length);
    assertEquals(ndjson.length, csv.length);
  }
});
