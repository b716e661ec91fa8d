/** The page of the downloadable files. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { downloadsPage } from "../../../routes/downloads/downloads_page.ts";
import {
  METRIC_NAMES,
  METRICS,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import type { DownloadsAnswer } from "../../../services/downloads/manifests_schema.ts";
import { hrefsOf, rowsOf, wordsOf } from "../../support/charts/explorer.ts";

const RELEASE = {
  date: "2026-11-21",
  builtAt: "2026-11-21T07:05:09.000Z",
  dataThrough: "2026-11-20",
  manifest: "/downloads/manifests/2026-11-21.sha256",
  manifestSha256: "5ha",
  signedBy: "a-key",
};

const file = (
  table: string,
  format: string,
  { rows = 1, bytes = 1000 }: { rows?: number | null; bytes?: number } = {},
) => ({
  name: `${table}.${format}`,
  table,
  format,
  rows,
  bytes,
  sha256: `sha of ${table}`,
  changedOn: "2026-11-21",
});

const pageOf = (
  { release = RELEASE, files = [] }: {
    release?: typeof RELEASE | Record<string, unknown> | null;
    files?: DownloadsAnswer["files"];
  } = {},
) => {
  const { body, ...page } = downloadsPage({
    release: release as DownloadsAnswer["release"],
    files,
    citation: { text: "Cite so.", bibtex: "@misc{x}" },
    publicUrl: "https://firn.example",
  });
  return { ...page, html: String(body), words: wordsOf(String(body)) };
};

Deno.test("the files of a table are one row: chains and checked series first, then metrics in their order, the newest year first", () => {
  const [first, second] = METRIC_NAMES as unknown as [string, string];
  const { html } = pageOf({
    files: [
      file(`${second}-2026`, "csv"),
      file(`${first}-2025`, "csv"),
      file(`${first}-2026`, "parquet", { rows: 61320, bytes: 412_499 }),
      file(`${first}-2026`, "csv", { rows: 61320, bytes: 1_500_500 }),
      file(`${first}-2026`, "ndjson", { rows: 61320, bytes: 499 }),
      file("chains", "csv", { rows: null }),
      file("chains-overview", "json"),
      file("datapackage", "json"),
      file("monthly-transactions", "csv"),
    ],
  });
  assertEquals(rowsOf(html), [
    ["chains", "1 kB", "", "", "0"],
    ["monthly-transactions", "1 kB", "", "", "1"],
    [`${first}-2026`, "1,501 kB", "0 kB", "412 kB", "61,320"],
    [`${first}-2025`, "1 kB", "", "", "1"],
    [`${second}-2026`, "1 kB", "", "", "1"],
  ]);
  assertEquals(
    [...html.matchAll(/<span title="([^"]*)"/g)].map(([, meaning]) => meaning)
      .slice(0, 3),
    ["chains", "monthly-transactions", METRICS[METRIC_NAMES[0]!].meaning],
  );
  assertEquals(
    hrefsOf(html).filter((href) => /\.(csv|ndjson|parquet)$/.test(href)),
    [
      "/downloads/chains.csv",
      "/downloads/monthly-transactions.csv",
      ...["csv", "ndjson", "parquet"].map((format) =>
        `/downloads/${first}-2026.${format}`
      ),
      `/downloads/${first}-2025.csv`,
      `/downloads/${second}-2026.csv`,
    ],
  );
  const kinds = [...html.matchAll(/<th scope="col" class="(\w*)"/g)]
    .map(([, kind]) => kind);
  assertEquals(kinds, ["", "num", "num", "num", "num"]);
});

Deno.test("the page names its release, and says whether it is signed or not built yet", () => {
  const signed = pageOf();
  for (
    const words of [
      "Release 2026-11-21",
      "2026-11-20, incomplete",
      "Built 2026-11-21 07:05 UTC",
      "/downloads/manifests/2026-11-21.sha256 , SHA-256 5ha",
      "Signed by one of these keys",
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

Deno.test("search engines are told of the Parquet files, with their hashes, and of the unit of each metric", () => {
  const { facts, url, nav } = pageOf({
    files: [file("chains", "csv"), file("chains", "parquet")],
  });
  assertEquals([url, nav], ["https://firn.example/downloads", "docs"]);
  assertEquals(facts?.distribution, [{
    "@type": "DataDownload",
    contentUrl: "https://firn.example/downloads/chains.parquet",
    encodingFormat: "application/vnd.apache.parquet",
    sha256: "sha of chains",
  }]);
  assertEquals(
    facts?.variableMeasured,
    METRIC_NAMES.map((name) => ({
      "@type": "PropertyValue",
      name,
      unitText: METRICS[name].unit,
    })),
  );
  assertEquals(facts?.isAccessibleForFree, true);
});
