/** The page of the downloadable files. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { downloadsPage } from "../../../routes/downloads/downloads.ts";
import type { DownloadsAnswer } from "../../../services/downloads/downloads_schema.ts";
import { hrefsOf, wordsOf } from "../../support/charts/explorer.ts";
import {
  askFor,
  buildDownloads,
  PARQUET,
  SIMULATED,
} from "../../support/chain_data/downloads.ts";
import { METRIC_NAMES } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { testDeps } from "../../support/deps.ts";
import { outlineOf } from "../../support/outline.ts";

const RELEASE = {
  date: "2026-11-21",
  builtAt: "2026-11-21T07:05:09.000Z",
  dataThrough: "2026-11-20",
  manifest: "/downloads/manifests/2026-11-21.sha256",
  manifestSha256: "5ha",
  signedBy: "a-key",
};

const pageOf = (
  { release = RELEASE, files = [], metricFilesDays = 1 }: {
    release?: typeof RELEASE | Record<string, unknown> | null;
    files?: DownloadsAnswer["files"];
    metricFilesDays?: number;
  } = {},
) => {
  const { body, ...page } = downloadsPage({
    release: release as DownloadsAnswer["release"],
    files,
    citation: { text: "Cite so.", bibtex: "@misc{x}" },
    metricFilesDays,
    publicUrl: "https://firn.example",
  });
  return { ...page, html: String(body), words: wordsOf(String(body)) };
};

Deno.test("the page names its release, and says whether it is signed or not built yet", () => {
  const signed = pageOf();
  for (
    const words of [
      "Release 2026-11-21",
      "2026-11-20, incomplete",
      "Built 2026-11-21 07:05 UTC",
      "/downloads/manifests/2026-11-21.sha256 , SHA-256 5ha",
      "Signed by one of these keys",
      "minisign -Vm 2026-11-21.sha256 -P",
      "sha256sum -c --ignore-missing 2026-11-21.sha256",
      "Cite so.",
    ]
  ) assertStringIncludes(signed.words, words);
  const links = (page: { html: string }) => hrefsOf(page.html);
  assertEquals(links(signed), [
    "/docs/bulk-files",
    "/downloads/index.json",
    "/downloads/datapackage.json",
    "/downloads/manifests/2026-11-21.sha256",
    "/downloads/manifests/2026-11-21.sha256.minisig",
    "/.well-known/firn-manifest-key.json",
    "https://jedisct1.github.io/minisign/",
    "/docs/bulk-files#manifests",
  ]);
  const unsigned = pageOf({ release: { ...RELEASE, signedBy: null } });
  assertStringIncludes(unsigned.words, "does not sign manifests");
  assertStringIncludes(unsigned.words, "nobody signed");
  assert(!unsigned.words.includes("minisign"));
  assertEquals(links(unsigned).length, 5);
  const none = pageOf({ release: null });
  assertStringIncludes(none.words, "No files have been built yet.");
  assertEquals(links(none), ["/docs/bulk-files", "/downloads/index.json"]);
  assertEquals(/<table|Verify/.test(none.html), false);
});

const fileOf = (table: string, changedOn = "2026-11-21") => ({
  ...{ name: `${table}.csv.gz`, table, format: "csv" as const },
  ...{ rows: 1, bytes: 1_000, sha256: "5ha", changedOn },
});

Deno.test("the newest year of each metric is shown below the chains, and the years before are folded", () => {
  const { html } = pageOf({
    files: [
      "gasUsed-2025",
      "chains",
      "txCount-2024",
      "txCount-2026",
      "txCount-2025",
    ].map((table) => fileOf(table)),
  });
  const lines = outlineOf(html).filter((line) =>
    /^(summary \d|tr .*kB)/.test(line)
  );
  assertEquals(lines.map((line) => line.replaceAll(/ \|.*|\[.*?\]/g, "")), [
    "tr chains",
    "tr txCount-2026",
    "summary 2025: 2 tables",
    "tr txCount-2025",
    "tr gasUsed-2025",
    "summary 2024: 1 table",
    "tr txCount-2024",
  ]);
});

Deno.test("the page says when the files of metrics were built, where that is not every day", () => {
  const files = [
    fileOf("txCount-2025", "2026-01-03"),
    fileOf("txCount-2026", "2026-11-17"),
    fileOf("checked-blocks", "2026-11-21"),
  ];
  assertStringIncludes(
    pageOf({ files, metricFilesDays: 7 }).words,
    "Files of metrics Built every 7 days, last on 2026-11-17. The API has the days since",
  );
  assert(!pageOf({ files }).words.includes("Files of metrics"));
});

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
