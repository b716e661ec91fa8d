/** The page of the downloadable files. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { downloadsPage } from "../../../routes/downloads/downloads.ts";
import type { DownloadsAnswer } from "../../../services/downloads/manifests_schema.ts";
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
