import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import type { OpenApi } from "../../../routes/docs/openapi_document.ts";
import { buildDownloads, PARQUET } from "../../support/chain_data/downloads.ts";
import { testDeps } from "../../support/deps.ts";
import { checkDaily } from "../../support/jobs.ts";

const BASE = "/api/chain-data";
const BADGE = "/api/tools/score-badge/{address}";
const FILE = "/downloads/{file}";
const MANIFEST = "/downloads/manifests/{date}.sha256";
const MANIFEST_KEY = "/.well-known/firn-manifest-key.json";

/** Returns the lower-case names of the headers of a documented response. */
function namesOf({ headers = {} }: { headers?: object }): Set<string> {
  return new Set(Object.keys(headers).map((name) => name.toLowerCase()));
}

/** Headers of data that depend on the request, or on whether there are data. */
const CONDITIONAL = new Set(["Age", "Content-Disposition", "Content-Encoding"]);

Deno.test("OpenAPI names the headers that open endpoints send, and no others", async () => {
  using deps = await buildDownloads();
  await checkDaily(deps, 2);
  const app = createApp(deps);
  const document: OpenApi = await (await app.request("/openapi.json")).json();
  const requests: [
    path: string,
    url: string,
    status: number,
    headers?: Record<string, string>,
  ][] = [
    ...["", "/chains", "/metrics", "/quality", "/disputes", "/validators"]
      .flatMap((path): [string, string, number][] => [
        [BASE + path, BASE + path, 200],
        [BASE + path, `${BASE}${path}?none=1`, 400],
      ]),
    [`${BASE}/metrics`, `${BASE}/metrics?chainId=999999`, 404],
    ["/chart/{metric}.svg", "/chart/txCount.svg", 200],
    ["/chart/{metric}.svg", "/chart/txCount.svg?range=none", 400],
    ["/chart/{metric}.csv", "/chart/txCount.csv", 200],
    ["/chart/{metric}.csv", "/chart/txCount.csv?chainId=999999", 404],
    ["/chart/{metric}.png", "/chart/txCount.png", 200],
    ["/chart/{metric}.png", "/chart/txCount.png?range=none", 400],
    ["/card/chain/{chainId}.png", "/card/chain/43114.png", 200],
    ["/card/chain/{chainId}.png", "/card/chain/999999.png", 404],
    ["/embed/chart/{metric}", "/embed/chart/txCount", 200],
    ["/embed/chart/{metric}", "/embed/chart/txCount?range=none", 400],
    [BADGE, BADGE.replace("{address}", `0x${"1".repeat(40)}`), 200],
    [BADGE, BADGE.replace("{address}", "0x12"), 400],
    ["/downloads/index.json", "/downloads/index.json", 200],
    ["/downloads/index.json", "/downloads/index.json?none=1", 400],
    [MANIFEST, MANIFEST.replace("{date}", "2026-11-21"), 200],
    [MANIFEST, MANIFEST.replace("{date}", "2020-01-01"), 404],
    [FILE, PARQUET, 200],
    [FILE, PARQUET, 206, { Range: "bytes=0-9" }],
    [FILE, PARQUET, 304, { "If-None-Match": "*" }],
    [FILE, PARQUET, 412, { "If-Match": '"x"' }],
    [FILE, PARQUET, 416, { Range: "bytes=999999999-" }],
    [FILE, `${PARQUET}x`, 404],
    [FILE, `${PARQUET}?none=1`, 400],
    [MANIFEST_KEY, MANIFEST_KEY, 200],
    [MANIFEST_KEY, `${MANIFEST_KEY}?none=1`, 400],
  ];
  for (const [path, url, status, headers = {}] of requests) {
    const response = await app.request(url, { headers });
    await response.body?.cancel();
    assertEquals(response.status, status, url);
    const described = document.paths[path]!.get!.responses[status]!;
    const unsent = Object.keys(described.headers ?? {})
      .filter((name) => !response.headers.has(name))
      .filter((name) => status >= 400 || !CONDITIONAL.has(name));
    assertEquals(unsent, [], url);
    const [all, listed] = [document.components, described].map(namesOf);
    const unnamed = Array.from(response.headers.keys())
      .filter((name) => all!.has(name) && !listed!.has(name));
    assertEquals(unnamed, [], url);
  }
});

Deno.test("OpenAPI names the headers of a 429", async () => {
  using deps = await testDeps();
  const document: OpenApi =
    await (await createApp(deps).request("/openapi.json")).json();
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (!path.startsWith(BASE)) continue;
    const { 429: refused } = get!.responses;
    const names = Object.keys(refused?.headers ?? {});
    for (const name of ["RateLimit", "RateLimit-Policy", "Retry-After"]) {
      assert(names.includes(name), `${path}: ${name}`);
    }
  }
});
