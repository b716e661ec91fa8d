/** The page of the downloadable files. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { downloadsPage } from "../../../routes/downloads/downloads.ts";
import type { DownloadsAnswer } from "../../../services/downloads/downloads_schema.ts";
import { hrefsOf, wordsOf } from "../../support/charts/explorer.ts";

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

Deno.test("the page says when the files of metrics were built, where that is not every day", () => {
  const fileOf = (table: string, changedOn: string) => ({
    ...{ name: `${table}.csv.gz`, table, format: "csv" as const },
    ...{ rows: 1, bytes: 1_000, sha256: "5ha", changedOn },
  });
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
