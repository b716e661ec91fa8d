/** The documents about the bulk files: the page, the Data Package and citations. */
import {
  askFor,
  buildDownloads,
  PARQUET,
  SIMULATED,
} from "../../support/chain_data/downloads.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { METRIC_NAMES } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import type { DownloadsAnswer } from "../../../services/downloads/downloads_schema.ts";
import { testDeps } from "../../support/deps.ts";

Deno.test("the Data Package describes every table's files with size, hash and schema", async () => {
  using deps = await buildDownloads();
  const dataPackage = await (await askFor(deps, "/downloads/datapackage.json"))
    .json();
  const list: DownloadsAnswer =
    await (await askFor(deps, "/downloads/index.json"))
      .json();
  const tables = list.files.filter(({ format }) => format !== "json");
  assertEquals(
    dataPackage.resources.map((
      { path, bytes, hash, format }: Record<string, unknown>,
    ) => ({ path, bytes, hash, format })),
    tables.toSorted((a, b) =>
      order(dataPackage.resources, a.name) -
      order(dataPackage.resources, b.name)
    )
      .map(({ name, bytes, sha256, format }) => ({
        path: name,
        bytes,
        hash: `sha256:${sha256}`,
        format,
      })),
  );
  for (
    const name of new Set<string>(
      dataPackage.resources.map(({ schema }: { schema: string }) => schema),
    )
  ) {
    const schema = await (await askFor(deps, `/downloads/${name}`)).json();
    assert(schema.fields.length > 3, name);
  }
  const { title } = dataPackage.resources.find((
    { path }: { path: string },
  ) => path === "checked-stake.csv.gz");
  assertEquals(
    title,
    "Daily values of validators: validators, delegators, validatorStake, delegatorStake, totalStake, differencePct, agrees, complete",
  );
  const schema = await (await askFor(deps, "/downloads/schema-feesPaid.json"))
    .json();
  assertEquals(schema.fields[3].unit, "avax");
  assertEquals(schema.primaryKey, ["chainId", "day"]);
});

Deno.test("files name the source as its stored data do", async () => {
  using deps = await buildDownloads();
  const read = async (path: string) => await (await askFor(deps, path)).json();
  const { source } = await read("/api/chain-data/metrics?range=30d");
  assertEquals(source, SIMULATED);
  const { sources } = await read("/downloads/datapackage.json");
  assertEquals(sources[0], { title: source, path: "http://metrics.test" });
  assertEquals(
    sources.map(({ path }: { path: string }) => path),
    ["http://metrics.test", "http://explorer.test"],
    "no file has values of the nodes",
  );
});

function order(resources: readonly { path: string }[], name: string): number {
  return resources.findIndex(({ path }) => path === name);
}

Deno.test("the page lists every table, and describes them as a schema.org Dataset", async () => {
  using deps = await buildDownloads();
  const page = await (await askFor(deps, "/downloads")).text();
  for (const name of ["txCount-2026", "gasUsed-2025", "chains"]) {
    for (const ending of ["csv.gz", "ndjson.gz", "parquet"]) {
      assertStringIncludes(page, `href="/downloads/${name}.${ending}"`);
    }
  }
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(
    page,
  )!;
  const dataset = JSON.parse(json!);
  assertEquals(dataset["@type"], "Dataset");
  assertEquals(dataset.variableMeasured.length, METRIC_NAMES.length);
  assert(dataset.distribution.length > 20);
  using empty = await testDeps();
  assertStringIncludes(
    await (await askFor(empty, "/downloads")).text(),
    "No files have been built yet",
  );
});

Deno.test("pages and files are cited with the day of retrieval and the hash of the manifest", async () => {
  using deps = await buildDownloads();
  const { release }: DownloadsAnswer = await (await askFor(
    deps,
    "/downloads/index.json",
  )).json();
  const bib = await askFor(deps, `${PARQUET}.bib`);
  assertEquals(bib.headers.get("Content-Type"), "application/x-bibtex");
  const text = await bib.text();
  assertStringIncludes(text, "urldate = {2026-11-21}");
  assertStringIncludes(text, `, ${PARQUET.split("/").at(-1)}`);
  assertStringIncludes(text, release!.manifestSha256);
  assertStringIncludes(
    await (await askFor(deps, `${PARQUET}.txt`)).text(),
    `retrieved on 2026-11-21. Manifest http://localhost:8000${
      release!.manifest
    }, SHA-256 ${release!.manifestSha256}`,
  );
  const head = await askFor(deps, PARQUET, { method: "HEAD" });
  assertStringIncludes(head.headers.get("Link")!, `<${PARQUET}.bib>`);
  for (const path of ["/downloads", "/?metric=txCount&range=30d"]) {
    const response = await askFor(deps, path);
    const page = await (response.status === 302
      ? await askFor(deps, response.headers.get("Location")!)
      : response).text();
    assertStringIncludes(page, release!.manifestSha256);
    assertStringIncludes(page, "@misc{firn-2026-11-21");
    assertStringIncludes(page, '"@type":"Dataset"');
  }
  assertEquals((await askFor(deps, "/downloads/none.parquet.bib")).status, 404);
});
