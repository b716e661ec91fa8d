/** Answers in gzip and brotli: chosen by the client, with equal content. */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { testDeps } from "../../support/deps.ts";

type App = ReturnType<typeof createApp>;

const ask = (app: App, headers: Record<string, string>, path: string) =>
  app.request(path, { headers });

Deno.test("small answers are sent in gzip to clients that accept it, with the same content", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const path = "/api/chain-data/metrics?range=30d";
  const plain = await (await ask(app, {}, path)).bytes();
  const cases: [accept: string, encoding: string | null][] = [
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "gzip"],
    ["br;q=1.0, gzip;q=0.5", "gzip"],
    ["GZIP", "gzip"],
    ["gzip;q=0", null],
    ["identity", null],
    ["br", null],
    ["", null],
  ];
  for (const [accept, encoding] of cases) {
    const response = await ask(app, { "Accept-Encoding": accept }, path);
    assertEquals(response.headers.get("Content-Encoding"), encoding, accept);
    assertEquals(response.headers.get("Vary"), "Accept-Encoding");
    const stream = encoding
      ? response.body!.pipeThrough(new DecompressionStream("gzip"))
      : response.body!;
    assertEquals(await new Response(stream).bytes(), plain);
  }
});

Deno.test("big answers are sent in brotli to clients that prefer it, with the same content and ETags that are current for all encodings", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const path = "/api/chain-data/metrics?range=all";
  const get = (headers: Record<string, string> = {}) => ask(app, headers, path);
  const plain = await (await get()).bytes();
  assert(plain.byteLength > 16_384, `${plain.byteLength}`);
  const cases: [accept: string, encoding: string | null][] = [
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["BR;q=0.5, gzip;q=0.5", "br"],
    ["br;q=0.4, gzip;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0", null],
  ];
  const sizes = new Map<string | null, number>();
  const tags = new Set<string>();
  for (const [accept, encoding] of cases) {
    const response = await get({ "Accept-Encoding": accept });
    assertEquals(response.headers.get("Content-Encoding"), encoding, accept);
    assertEquals(response.headers.get("Vary"), "Accept-Encoding");
    tags.add(response.headers.get("ETag")!);
    const bytes = await response.bytes();
    sizes.set(encoding, bytes.byteLength);
    const content = {
      br: () => new Uint8Array(brotliDecompressSync(bytes)),
      gzip: () => new Uint8Array(gunzipSync(bytes)),
      identity: () => bytes,
    }[encoding ?? "identity"]!();
    assertEquals(content, plain);
  }
  assert(sizes.get("br")! < sizes.get("gzip")!, `${[...sizes]}`);
  assertEquals(tags.size, 3);
  for (const tag of tags) {
    for (const accept of ["br", "gzip", ""]) {
      const headers = { "If-None-Match": tag, "Accept-Encoding": accept };
      assertEquals((await get(headers)).status, 304, `${tag} ${accept}`);
    }
  }
});

Deno.test("/openapi.json is sent in brotli, and refuses a condition that names another version", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const get = (headers: Record<string, string>) =>
    ask(app, headers, "/openapi.json");
  const plain = await (await get({})).bytes();
  const packed = await get({ "Accept-Encoding": "gzip, br" });
  assertEquals(packed.headers.get("Content-Encoding"), "br");
  assertEquals(packed.headers.get("Cache-Control"), "public, max-age=300");
  const tag = packed.headers.get("ETag")!;
  assertEquals(brotliDecompressSync(await packed.bytes()), Buffer.from(plain));
  assertEquals((await get({ "If-None-Match": tag })).status, 304);
  assertEquals((await get({ "If-Match": tag })).status, 200);
  assertEquals((await get({ "If-Match": '"other"' })).status, 412);
});
