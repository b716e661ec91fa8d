/** Ranges, conditions and HEAD of the files under `/downloads`. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { CHUNK_BYTES } from "../../../services/downloads/downloads_schema.ts";
import {
  askFor,
  buildDownloads,
  bytesOfFile,
  fileOf,
  PARQUET,
} from "../../support/chain_data/downloads.ts";
import { sweep } from "../../support/chain_data/swept.ts";
import { testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";

Deno.test("a range is a 206 with those bytes, also across chunks", async () => {
  using deps = await testDeps();
  // Values without a pattern fill more than one chunk.
  await sweep(deps, {
    chains: Object.fromEntries(
      Array.from({ length: 40 }, (_, nth) => [nth + 1, `Chain ${nth}`]),
    ),
    metrics: ["txCount"],
    valuesOf: (chainId) => ({
      from: "2026-01-01",
      values: Array.from(
        { length: 320 },
        (_, nth) => Math.sin(chainId * 991 + nth),
      ),
    }),
  });
  await succeed(deps, "build-downloads");
  const whole = await bytesOfFile(deps, "txCount-2026.parquet");
  const { byteLength } = whole;
  assert(byteLength > CHUNK_BYTES + 500);
  const last = byteLength - 1;
  for (
    const [range, start, end] of [
      ["bytes=0-3", 0, 3],
      ["bytes=-8", byteLength - 8, last],
      [
        `bytes=${CHUNK_BYTES - 10}-${CHUNK_BYTES + 9}`,
        CHUNK_BYTES - 10,
        CHUNK_BYTES + 9,
      ],
      [`bytes=${CHUNK_BYTES}-`, CHUNK_BYTES, last],
      [`bytes=0-${byteLength * 2}`, 0, last],
      [`bytes=-${byteLength * 2}`, 0, last],
    ] as const
  ) {
    const response = await askFor(deps, PARQUET, { headers: { Range: range } });
    assertEquals(response.status, 206, range);
    assertEquals(
      response.headers.get("Content-Range"),
      `bytes ${start}-${end}/${byteLength}`,
    );
    assertEquals(
      response.headers.get("Content-Length"),
      String(end - start + 1),
    );
    assertEquals(await response.bytes(), whole.slice(start, end + 1), range);
  }
});

Deno.test("a 412 and a 416 have the error body of every answer, and are not stored", async () => {
  using deps = await buildDownloads();
  const { bytes } = await fileOf(deps, "txCount-2026.parquet");
  const cases = [
    ["If-Match", '"x"', 412, {
      error: "Precondition failed: the current version is another one",
      code: "PRECONDITION_FAILED",
    }, null],
    ["Range", `bytes=${bytes}-`, 416, {
      error:
        `Invalid Range "bytes=${bytes}-": expected a part of the ${bytes} bytes of the file`,
      code: "RANGE_NOT_SATISFIABLE",
      bytes,
    }, `bytes */${bytes}`],
  ] as const;
  for (const [name, value, status, { error, code, ...facts }, range] of cases) {
    const sent = { [name]: value, Origin: "https://elsewhere.example" };
    const response = await askFor(deps, PARQUET, { headers: sent });
    const { headers } = response;
    assertEquals(response.status, status);
    assertEquals(headers.get("Cache-Control"), "no-store");
    assertEquals(headers.get("Content-Range"), range);
    for (const file of ["ETag", "Last-Modified", "Link", "Accept-Ranges"]) {
      assertEquals(headers.get(file), null, file);
    }
    const exposed = headers.get("Access-Control-Expose-Headers")!.split(",");
    assert(exposed.includes("Content-Range"), String(exposed));
    const docs = `/docs/errors#${code}`;
    const body = { error, message: error, code, docs, ...facts };
    assertEquals(await response.json(), body);
  }
});

Deno.test("HEAD answers the length of the whole file and reads no chunk, whatever the range", async () => {
  using deps = await buildDownloads();
  const { byteLength } = await bytesOfFile(deps, "txCount-2026.parquet");
  const downloads = {
    ...deps.store.downloads,
    findChunk: () => Promise.reject(new Error("read")),
  };
  const watched = { ...deps, store: { ...deps.store, downloads } };
  for (const headers of [{}, { Range: "bytes=0-3" }]) {
    const response = await createApp(watched).request(PARQUET, {
      method: "HEAD",
      headers,
    });
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("Content-Length"), String(byteLength));
    assertEquals(response.headers.get("Accept-Ranges"), "bytes");
    assertEquals(response.body, null);
  }
});

Deno.test("a file that is deleted while it is sent breaks off, and is never completed by another", async () => {
  using deps = await testDeps();
  await sweep(deps, {
    chains: Object.fromEntries(
      Array.from({ length: 40 }, (_, nth) => [nth + 1, `Chain ${nth}`]),
    ),
    metrics: ["txCount"],
    valuesOf: (chainId) => ({
      from: "2026-01-01",
      values: Array.from({ length: 320 }, (_, nth) => Math.sin(chainId + nth)),
    }),
  });
  await succeed(deps, "build-downloads");
  const response = await askFor(deps, PARQUET);
  const reader = response.body!.getReader();
  assertEquals((await reader.read()).value?.byteLength, CHUNK_BYTES);
  const { versions } = {
    versions: await Array.fromAsync(
      deps.kv.list({ prefix: ["download_chunks"] }),
    ),
  };
  for (const { key } of versions) await deps.kv.delete(key);
  const { promise: broken, resolve } = Promise.withResolvers<string>();
  (async () => {
    try {
      for (;;) if ((await reader.read()).done) return resolve("whole");
    } catch (error) {
      resolve((error as Error).message);
    }
  })();
  assertStringIncludes(await broken, "it is gone");
});
