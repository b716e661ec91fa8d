/** `/downloads` over HTTP: ranges, conditions, lists and documents. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  asyncBufferFromUrl,
  parquetMetadataAsync,
  parquetReadObjects,
} from "hyparquet";
import { createApp } from "../../../routes/app.ts";
import type { DownloadsAnswer } from "../../../services/chain_data/downloads/manifests_schema.ts";
import { sha256Of } from "../../../services/chain_data/downloads/manifests.ts";
import { CHUNK_BYTES } from "../../../services/chain_data/downloads/downloads_store.ts";
import {
  bytesOfFile,
  CHAINS,
  fill,
} from "../../support/chain_data/downloads.ts";
import { askMetrics } from "../../support/chain_data/metrics_answers.ts";
import { endSweep, sweep } from "../../support/chain_data/swept.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";
import { DAY_MS } from "../../../services/platform/days.ts";

const PARQUET = "/downloads/txCount-2026.parquet";

async function built(): Promise<TestDeps> {
  const deps = await testDeps();
  await fill(deps);
  await succeed(deps, "build-downloads");
  return deps;
}

const ask = (deps: TestDeps, path: string, init: RequestInit = {}) =>
  createApp(deps).request(path, init);

Deno.test("every listed file is served whole, with its size, hash and type", async () => {
  using deps = await built();
  const list: DownloadsAnswer = await (await ask(deps, "/downloads/index.json"))
    .json();
  assertEquals(list.release?.date, "2026-11-21");
  assertEquals(list.release?.dataThrough, "2026-11-20");
  assertEquals(list.release?.signedBy, null);
  const names = list.files.map(({ name }) => name);
  assertEquals(names, names.toSorted());
  assertEquals(names.filter((name) => name.startsWith("gasUsed")).length, 6);
  for (const { name, bytes, sha256, format } of list.files) {
    const response = await ask(deps, `/downloads/${name}`, {
      headers: { "Accept-Encoding": "identity" },
    });
    const body = await response.bytes();
    assertEquals(response.status, 200, name);
    assertEquals(body.byteLength, bytes, name);
    assertEquals(await sha256Of(body), sha256, name);
    if (format !== "json") {
      assertEquals(response.headers.get("ETag"), `"${sha256}"`);
    }
    assertEquals(response.headers.get("Access-Control-Allow-Origin"), "*");
    assertStringIncludes(response.headers.get("Cache-Control")!, "max-age=600");
  }
});

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
    const response = await ask(deps, PARQUET, { headers: { Range: range } });
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

Deno.test("ranges that a file does not have are a 416, and other headers are ignored", async () => {
  using deps = await built();
  const { byteLength } = await bytesOfFile(deps, "txCount-2026.parquet");
  for (
    const range of [
      `bytes=${byteLength}-`,
      "bytes=-0",
      "bytes=99999999-999999999",
    ]
  ) {
    const response = await ask(deps, PARQUET, { headers: { Range: range } });
    assertEquals(response.status, 416, range);
    assertEquals(
      response.headers.get("Content-Range"),
      `bytes */${byteLength}`,
    );
  }
  for (
    const range of [
      "lines=1-2",
      "bytes=3-1",
      "bytes=0-1,4-5",
      "bytes=-",
      "bytes=a-b",
      "bytes",
    ]
  ) {
    const response = await ask(deps, PARQUET, { headers: { Range: range } });
    assertEquals(response.status, 200, range);
    assertEquals((await response.bytes()).byteLength, byteLength);
  }
});

Deno.test("If-Range, If-Match and If-None-Match compare the version of a file", async () => {
  using deps = await built();
  const { headers } = await ask(deps, PARQUET, { method: "HEAD" });
  const etag = headers.get("ETag")!;
  const Range = "bytes=0-3";
  for (
    const [sent, status] of [
      [{ "If-None-Match": etag }, 304],
      [{ "If-None-Match": `"x", W/${etag}` }, 304],
      [{ "If-None-Match": '"x"' }, 200],
      [{ "If-Match": '"x"' }, 412],
      [{ "If-Match": etag, Range }, 206],
      [{ "If-Range": etag, Range }, 206],
      [{ "If-Range": headers.get("Last-Modified")!, Range }, 206],
      [{ "If-Range": '"x"', Range }, 200],
      [{ "If-Range": `W/${etag}`, Range }, 200],
      [{ "If-Range": "Mon, 01 Jan 2024 00:00:00 GMT", Range }, 200],
    ] as [Record<string, string>, number][]
  ) {
    const response = await ask(deps, PARQUET, { headers: sent });
    assertEquals(response.status, status, JSON.stringify(sent));
    await response.body?.cancel();
  }
});

Deno.test("HEAD answers the length of the whole file and reads no chunk, whatever the range", async () => {
  using deps = await built();
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

Deno.test("files are never built for a reader: before the first release they are a 404 that says why", async () => {
  using deps = await testDeps();
  await fill(deps);
  const response = await ask(deps, PARQUET);
  assertEquals(response.status, 404);
  const { error } = await response.json();
  assertStringIncludes(error, "no files have been built yet");
  const list = await (await ask(deps, "/downloads/index.json")).json();
  assertEquals(list, { release: null, files: [] });
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
  const response = await ask(deps, PARQUET);
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

Deno.test("one chain's metric of a year takes three requests and less than 150 kB, of 200 chains", async () => {
  using deps = await testDeps();
  const ids = Array.from(
    { length: 200 },
    (_, nth) => nth === 100 ? 43114 : 1000 + nth * 7,
  );
  await sweep(deps, {
    chains: Object.fromEntries(ids.map((id) => [id, `Chain ${id}`])),
    metrics: ["txCount"],
    valuesOf: (chainId) => ({
      from: "2025-01-01",
      values: Array.from(
        { length: 365 },
        (_, nth) => (chainId * 7919 + nth * 104729) % 1_000_003,
      ),
    }),
  });
  await succeed(deps, "build-downloads");
  const app = createApp(deps);
  await using server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: () => {},
  }, app.fetch);
  const requests: { method: string; bytes: number }[] = [];
  const counted: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const body = await response.bytes();
    requests.push({ method: init?.method ?? "GET", bytes: body.byteLength });
    const { status, headers } = response;
    return new Response(init?.method === "HEAD" ? null : body, {
      status,
      headers,
    });
  };
  const url =
    `http://127.0.0.1:${server.addr.port}/downloads/txCount-2025.parquet`;
  const file = await asyncBufferFromUrl({ url, fetch: counted });
  const metadata = await parquetMetadataAsync(file, {
    initialFetchSize: 80_000,
  });
  const nth = metadata.row_groups.findIndex(({ columns }) =>
    columns[0]!.meta_data!.statistics!.min_value === 43114n
  );
  const group = metadata.row_groups[nth]!;
  const rowStart = metadata.row_groups.slice(0, nth).reduce(
    (sum, { num_rows }) => sum + Number(num_rows),
    0,
  );
  const rows = await parquetReadObjects({
    file,
    metadata,
    rowStart,
    rowEnd: rowStart + Number(group.num_rows),
  });
  assertEquals(rows.length, 365);
  assertEquals(new Set(rows.map(({ chainId }) => chainId)), new Set([43114n]));
  assertEquals(rows[0]!.value, (43114 * 7919) % 1_000_003);
  assert(requests.length <= 3, JSON.stringify(requests));
  const bytes = requests.reduce((sum, { bytes }) => sum + bytes, 0);
  assert(bytes < 150_000, JSON.stringify(requests));
  assert(metadata.metadata_length < 96_000, String(metadata.metadata_length));
});

Deno.test("the Data Package describes every table's files with size, hash and schema", async () => {
  using deps = await built();
  const dataPackage = await (await ask(deps, "/downloads/datapackage.json"))
    .json();
  const list: DownloadsAnswer = await (await ask(deps, "/downloads/index.json"))
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
    const schema = await (await ask(deps, `/downloads/${name}`)).json();
    assert(schema.fields.length > 3, name);
  }
  const schema = await (await ask(deps, "/downloads/schema-feesPaid.json"))
    .json();
  assertEquals(schema.fields[3].unit, "avax");
  assertEquals(schema.primaryKey, ["chainId", "day"]);
});

function order(resources: readonly { path: string }[], name: string): number {
  return resources.findIndex(({ path }) => path === name);
}

Deno.test("the sums of the files are those of the API", async () => {
  using deps = await built();
  const { parquet } = await parquetOf(deps, "txCount");
  for (const chainId of Object.keys(CHAINS)) {
    const { body } = await askMetrics(
      deps,
      `metric=txCount&chainId=${chainId}&from=2026-01-01&to=2026-11-20`,
    );
    const ours = parquet.filter((row) => row.chainId === BigInt(chainId))
      .reduce((sum, row) => sum + (row.value as number), 0);
    assertEquals(ours, body.series.reduce((sum, { value }) => sum + value, 0));
  }
});

async function parquetOf(deps: TestDeps, metric: string) {
  const { buffer } = await bytesOfFile(deps, `${metric}-2026.parquet`);
  return { parquet: await parquetReadObjects({ file: buffer }) };
}

Deno.test("a list is of one release, also after the next one", async () => {
  using deps = await built();
  const app = createApp(deps);
  const read = async (): Promise<DownloadsAnswer> =>
    await (await app.request("/downloads/index.json")).json();
  assertEquals((await read()).release?.date, "2026-11-21");
  deps.advance(DAY_MS);
  await endSweep(deps, Math.floor(Date.parse("2026-11-21") / DAY_MS));
  await succeed(deps, "build-downloads");
  assertEquals((await read()).release?.date, "2026-11-22");
});

Deno.test("the page lists every table, and describes them as a schema.org Dataset", async () => {
  using deps = await built();
  const page = await (await ask(deps, "/downloads")).text();
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
  assertEquals(dataset.variableMeasured.length, 13);
  assert(dataset.distribution.length > 20);
  using empty = await testDeps();
  assertStringIncludes(
    await (await ask(empty, "/downloads")).text(),
    "No files have been built yet",
  );
});

Deno.test("pages and files are cited with the day of retrieval and the hash of the manifest", async () => {
  using deps = await built();
  const { release }: DownloadsAnswer = await (await ask(
    deps,
    "/downloads/index.json",
  )).json();
  const bib = await ask(deps, `${PARQUET}.bib`);
  assertEquals(bib.headers.get("Content-Type"), "application/x-bibtex");
  const text = await bib.text();
  assertStringIncludes(text, "urldate = {2026-11-21}");
  assertStringIncludes(text, `, ${PARQUET.split("/").at(-1)}`);
  assertStringIncludes(text, release!.manifestSha256);
  assertStringIncludes(
    await (await ask(deps, `${PARQUET}.txt`)).text(),
    `retrieved on 2026-11-21. Manifest http://localhost:8000${
      release!.manifest
    }, SHA-256 ${release!.manifestSha256}`,
  );
  const head = await ask(deps, PARQUET, { method: "HEAD" });
  assertStringIncludes(head.headers.get("Link")!, `<${PARQUET}.bib>`);
  for (const path of ["/downloads", "/?metric=txCount&range=30d"]) {
    const response = await ask(deps, path);
    const page = await (response.status === 302
      ? await ask(deps, response.headers.get("Location")!)
      : response).text();
    assertStringIncludes(page, release!.manifestSha256);
    assertStringIncludes(page, "@misc{firn-2026-11-21");
    assertStringIncludes(page, '"@type":"Dataset"');
  }
  assertEquals((await ask(deps, "/downloads/none.parquet.bib")).status, 404);
});
