/** Manifests of releases. */
import { assertEquals } from "@std/assert";
import {
  makeManifest,
  manifestPath,
} from "../../../services/downloads/manifests.ts";
import { parseDay } from "../../../services/platform/days.ts";

async function unzip(zipped: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([zipped]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}

Deno.test("makeManifest() lists all files by name, whatever the order of the tables", async () => {
  const file = (name: string) => ({
    name,
    bytes: 5,
    sha256: "ab",
    version: "v",
  });
  const table = (name: string, ...files: string[]) => ({
    name,
    fingerprint: "f",
    rows: 1,
    builtOn: "2026-11-21",
    builtAt: 0,
    files: files.map(file),
  });
  const made = await makeManifest({ privateKey: null, formerKeys: [] }, {
    release: {
      date: "2026-11-21",
      builtAt: Date.UTC(2026, 10, 21, 8),
      newestDay: parseDay("2026-11-20"),
    },
    tables: [table("b", "b.json", "b.csv"), table("a", "c.csv", "a.csv")],
    revisionCount: 3,
    previous: null,
    publisher: "publisher",
    source: "source",
  });
  const text = await unzip(made.zipped);
  const names = ["a.csv", "b.csv", "b.json", "c.csv"];
  assertEquals(JSON.parse(text), {
    format: "firn-manifest-1",
    date: "2026-11-21",
    publisher: "publisher",
    source: "source",
    builtAt: "2026-11-21T08:00:00.000Z",
    dataThrough: "2026-11-20",
    revisionCount: 3,
    files: names.map((name) => ({ name, bytes: 5, sha256: "ab" })),
    previous: null,
    signedBy: null,
  });
  assertEquals(text.split("\n")[1], ' "format": "firn-manifest-1",');
  assertEquals([made.date, made.signedBy, made.signature], [
    "2026-11-21",
    null,
    null,
  ]);
  assertEquals(
    manifestPath("2026-11-21"),
    "/downloads/manifests/2026-11-21.json",
  );
});
