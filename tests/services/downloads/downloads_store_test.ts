/** Downloadable files in the store: their chunks, a release in one step, and what is deleted when. */
import { assertEquals } from "@std/assert";
import {
  downloadStore,
  type Release,
  type StoredTable,
} from "../../../services/downloads/downloads_store.ts";
import {
  CHUNK_BYTES,
  countChunks,
} from "../../../services/downloads/downloads_schema.ts";
import { manifestStore } from "../../../services/downloads/downloads_store.ts";

const DATE = "2026-11-21";

/** A table with files of so many bytes. */
function tableOf(
  name: string,
  version: string,
  sizes: readonly number[] = [1],
): StoredTable {
  return {
    name,
    fingerprint: version,
    rows: 1,
    builtOn: DATE,
    builtAt: 5,
    files: sizes.map((bytes, nth) => ({
      name: `${name}-${nth}`,
      bytes,
      sha256: "",
      version: `${version}-${nth}`,
    })),
  };
}

const releaseAt = (builtAt: number, date = DATE): Release => ({
  date,
  builtAt,
  sweptAt: 1,
  newestDay: 1,
  origin: "http://up.test",
  manifestSha256: "",
  signedBy: null,
});

const manifestOf = (date: string) => ({
  date,
  sha256: date,
  zipped: new Uint8Array(1),
  signature: null,
});

/** Returns bytes that differ from one chunk to the next. */
const contentOf = (bytes: number) =>
  Uint8Array.from({ length: bytes }, (_, at) => at % 251);

async function open() {
  const kv = await Deno.openKv(":memory:");
  const downloads = downloadStore(kv);
  const stage = (table: StoredTable) =>
    downloads.stage(table, table.files.map(({ bytes }) => contentOf(bytes)));
  return {
    kv,
    downloads,
    stage,
    async release(
      changed: readonly StoredTable[],
      removed: readonly string[] = [],
      release = releaseAt(10),
    ) {
      const token = await downloads.beginBuild(release.date);
      for (const table of changed) await stage(table);
      const manifest = manifestOf(release.date);
      const change = { release, manifest, changed, removed };
      return downloads.publish(token, change);
    },
    /** Counts the records of a collection. */
    count: async (name: string) =>
      (await Array.fromAsync(kv.list({ prefix: [name] }))).length,
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("stage() stores every byte of files of any number of chunks", async () => {
  using store = await open();
  const { downloads, stage } = store;
  const sizes = [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1].concat(
    [4, 5, 8].map((chunks) => chunks * CHUNK_BYTES + 7),
  );
  assertEquals(sizes.map(countChunks), [0, 1, 1, 1, 2, 5, 6, 9]);
  const table = tableOf("a", "v", sizes);
  await stage(table);
  for (const file of table.files) {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (let nth = 0;; nth++) {
      const chunk = await downloads.findChunk(file, nth);
      if (chunk === null) break;
      chunks.push(chunk);
    }
    assertEquals(chunks.length, countChunks(file.bytes));
    const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
    assertEquals(bytes.length, file.bytes);
    assertEquals(bytes.every((byte, at) => byte === at % 251), true);
  }
});

Deno.test("a staged table is whole only once all of its chunks are written", async () => {
  using store = await open();
  const { downloads, kv, stage } = store;
  const table = tableOf("a", "v", [10]);
  assertEquals(await downloads.findStaged(table), null);
  const { atomic } = kv;
  kv.atomic = () => {
    throw new Error("killed");
  };
  await stage(table).catch(() => {});
  assertEquals(await downloads.findStaged(table), { table, isWhole: false });
  kv.atomic = atomic;
  await stage(table);
  assertEquals(await downloads.findStaged(table), { table, isWhole: true });
});

Deno.test("publish() replaces tables, removes others and keeps their files until they are deleted", async () => {
  using store = await open();
  const { downloads, release, count } = store;
  assertEquals(await downloads.findRelease(), null);
  const [a, b, c] = ["a", "b", "c"].map((name) => tableOf(name, `${name}1`));
  assertEquals(await release([a!, b!, c!]), true);
  assertEquals(await count("download_garbage"), 0);
  const next = tableOf("a", "a2", [CHUNK_BYTES + 1]);
  const second = releaseAt(20, "2026-11-22");
  assertEquals(await release([next], ["b", "unknown"], second), true);
  assertEquals(await downloads.listTables(), [next, c!]);
  assertEquals(await downloads.findTable("b"), null);
  assertEquals(await downloads.findRelease(), second);
  assertEquals(await count("download_staged"), 0);
  assertEquals(await count("download_garbage"), 2);
  assertEquals(await count("download_chunks"), 5);
  const rounds = [[19, 0, 5], [20, 2, 3], [21, 0, 3]] as const;
  for (const [before, deleted, chunks] of rounds) {
    assertEquals(await downloads.deleteReplaced(before), deleted);
    assertEquals(await count("download_chunks"), chunks);
  }
  assertEquals(await count("download_garbage"), 0);
  const manifests = manifestStore(store.kv);
  assertEquals(await manifests.findNewest(), manifestOf("2026-11-22"));
  assertEquals(await manifests.find(DATE), manifestOf(DATE));
});

Deno.test("publish() writes nothing without the right to build, which a release ends", async () => {
  using store = await open();
  const { downloads, stage, count } = store;
  const table = tableOf("a", "v");
  const change = {
    release: releaseAt(10),
    manifest: manifestOf(DATE),
    changed: [table],
    removed: [],
  };
  const first = await downloads.beginBuild(DATE);
  const second = await downloads.beginBuild(DATE);
  await stage(table);
  assertEquals(await downloads.publish(first, change), false);
  assertEquals(await downloads.findRelease(), null);
  assertEquals(await count("download_staged"), 1);
  assertEquals(await downloads.publish(second, change), true);
  assertEquals(await downloads.publish(second, change), false);
});

Deno.test("deleteStaged() deletes the chunks of staged tables, and none that is released", async () => {
  using store = await open();
  const { downloads, stage, release, count } = store;
  const released = tableOf("a", "v", [1, CHUNK_BYTES * 2]);
  await release([released]);
  await stage(released);
  await stage(tableOf("a", "other", [CHUNK_BYTES * 2]));
  await stage(tableOf("new", "v2", [1]));
  assertEquals(await count("download_chunks"), 6);
  await downloads.deleteStaged();
  assertEquals(await count("download_staged"), 0);
  assertEquals(await count("download_chunks"), 3);
  assertEquals(
    (await downloads.findChunk(released.files[1]!, 1))?.length,
    60_000,
  );
});
