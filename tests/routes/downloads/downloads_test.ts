/** `/downloads` over HTTP: ranges, conditions, lists and documents. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  asyncBufferFromUrl,
  parquetMetadataAsync,
  parquetReadObjects,
} from "hyparquet";
import { createApp } from "../../../routes/app.ts";
import type { OpenApi } from "../../../routes/docs/openapi_document.ts";
import {
  CHUNK_BYTES,
  countChunks,
  type DownloadsAnswer,
} from "../../../services/downloads/downloads_schema.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { renderQueue } from "../../../routes/http/render_queue.ts";
import { hasTurn } from "../../../services/platform/cache.ts";
import { sha256Hex } from "../../../services/platform/bytes.ts";
import {
  askFor,
  buildDownloads,
  bytesOfFile,
  CHAINS,
  fileOf,
  fill,
  PARQUET,
} from "../../support/chain_data/downloads.ts";
import { askMetrics } from "../../support/chain_data/metrics_answers.ts";
import { endSweep, sweep } from "../../support/chain_data/swept.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";
import { DAY_MS } from "../../../services/platform/days.ts";

Deno.test("every listed file is served whole, with its size, hash and type", async () => {
  using deps = await buildDownloads();
  const list: DownloadsAnswer =
    await (await askFor(deps, "/downloads/index.json"))
      .json();
  assertEquals(list.release?.date, "2026-11-21");
  assertEquals(list.release?.dataThrough, "2026-11-20");
  assertEquals(list.release?.signedBy, null);
  const document: OpenApi = await (await askFor(deps, "/openapi.json")).json();
  const { content } = document.paths["/downloads/{file}"]!.get!.responses[200]!;
  const names = list.files.map(({ name }) => name);
  assertEquals(names, names.toSorted());
  assertEquals(names.filter((name) => name.startsWith("gasUsed")).length, 6);
  for (const { name, bytes, sha256, format } of list.files) {
    const response = await askFor(deps, `/downloads/${name}`, {
      headers: { "Accept-Encoding": "identity" },
    });
    const body = await response.bytes();
    assertEquals(response.status, 200, name);
    assertEquals(body.byteLength, bytes, name);
    assertEquals(sha256Hex(body), sha256, name);
    if (format !== "json") {
      assertEquals(response.headers.get("ETag"), `"${sha256}"`);
      // It is saved under the name that the manifest has.
      assertEquals(
        response.headers.get("Content-Disposition"),
        `attachment; filename="${name}"`,
      );
    }
    assertEquals(response.headers.get("Access-Control-Allow-Origin"), "*");
    const type = response.headers.get("Content-Type")!;
    assert(content![type], `${name}: ${type} is not documented`);
    assertStringIncludes(response.headers.get("Cache-Control")!, "max-age=600");
  }
});

Deno.test("a file is read in turns, from its opening to its last chunk", async () => {
  using deps = await buildDownloads();
  const { downloads } = deps.store;
  const inTurn: boolean[] = [];
  const store = {
    ...deps.store,
    downloads: {
      ...downloads,
      findChunk(...given: Parameters<typeof downloads.findChunk>) {
        inTurn.push(hasTurn());
        return downloads.findChunk(...given);
      },
    },
  };
  const app = createApp({ ...deps, store });
  const response = await app.request(PARQUET);
  assertEquals(response.status, 200);
  const { byteLength } = await response.bytes();
  assertEquals(inTurn, Array(countChunks(byteLength)).fill(true));
});

Deno.test("a file that has begun is sent whole, also while too much work of its network waits", async () => {
  using deps = await buildDownloads();
  const renders = renderQueue(deps);
  let chunks = 0;
  const app = createApp(deps, {
    ...renders,
    run(network, work, at) {
      // The first is the opening.
      if (at.route === "chunk" && chunks++ > 0 && chunks % 2 === 0) {
        return Promise.reject(
          new Fault("Too many answers are being made", {
            kind: "ipRateLimit",
            of: "renders",
            network: "network",
            most: 512,
            perSeconds: 1,
            retryAfterMs: 1_000,
          }),
        );
      }
      return renders.run(network, work, at);
    },
  });
  const response = await app.request(PARQUET);
  const { byteLength } = await response.bytes();
  assertEquals(byteLength, Number(response.headers.get("Content-Length")));
  assert(chunks > 2);
});

Deno.test("lists, manifests and files refuse a query", async () => {
  using deps = await buildDownloads();
  for (
    const path of [
      "/downloads/index.json",
      "/downloads/datapackage.json",
      "/downloads/manifests/2026-11-21.sha256",
      PARQUET,
      `${PARQUET}.bib`,
    ]
  ) {
    const response = await askFor(deps, `${path}?format=csv`);
    assertEquals(response.status, 400, path);
    assertEquals(
      (await response.json()).error,
      'Unknown parameter "format": expected no parameters',
    );
  }
});

Deno.test("files are never built for a reader: before the first release they are a 404 that says why", async () => {
  using deps = await testDeps();
  await fill(deps);
  const response = await askFor(deps, PARQUET);
  assertEquals(response.status, 404);
  const { error } = await response.json();
  assertStringIncludes(error, "no files have been built yet");
  const list = await (await askFor(deps, "/downloads/index.json")).json();
  assertEquals(list, { release: null, files: [] });
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

Deno.test("the sums of the files are those of the API", async () => {
  using deps = await buildDownloads();
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
  using deps = await buildDownloads();
  const app = createApp(deps);
  const read = async (): Promise<DownloadsAnswer> =>
    await (await app.request("/downloads/index.json")).json();
  assertEquals((await read()).release?.date, "2026-11-21");
  deps.advance(DAY_MS);
  await endSweep(deps, Math.floor(Date.parse("2026-11-21") / DAY_MS));
  await succeed(deps, "build-downloads");
  assertEquals((await read()).release?.date, "2026-11-22");
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
