import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { HOUR_MS } from "../../../services/platform/days.ts";
import { BASE } from "../../support/checked_answers.ts";
import { testDeps } from "../../support/deps.ts";

/** Every chain data endpoint, with a query. */
const PATHS = [
  "",
  "/metrics?range=30d",
  "/chains",
  "/monthly-transactions?range=1y",
  "/transaction-fees?range=1y",
  "/block-production?range=30d",
  "/validators?range=30d",
  "/quality",
  "/disputes",
  "/revisions",
].map((path) => BASE + path);

Deno.test("the ETag of an answer stays when only the instant of its read changes", async () => {
  using deps = await testDeps();
  for (const path of [`${BASE}/metrics?range=30d`, `${BASE}/chains`]) {
    const read = async (tag = "") => {
      const headers = { "If-None-Match": tag };
      const response = await createApp(deps).request(path, { headers });
      const text = await response.text();
      return {
        status: response.status,
        text,
        tag: response.headers.get("ETag")!,
      };
    };
    const first = await read();
    deps.advance(HOUR_MS);
    const second = await read();
    assertEquals(second.tag, first.tag, path);
    assert(second.text !== first.text, "it says when it was read");
    assertEquals((await read(first.tag)).status, 304);
  }
});

Deno.test("scripts of other origins may read ETag, Age and Retry-After of every answer", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const keyless = ["/api/v1", "/api/v1/health"];
  const paths = [...PATHS, ...keyless, `${BASE}/metrics?range=2y`];
  // The second answer of a path comes from the cache.
  for (const path of [...paths, ...paths]) {
    const { headers, body } = await app.request(path, {
      headers: { Origin: "https://elsewhere.example" },
    });
    await body?.cancel();
    assertEquals(headers.get("Access-Control-Allow-Origin"), "*", path);
    const exposed = headers.get("Access-Control-Expose-Headers") ?? "";
    for (const name of ["ETag", "Age", "Retry-After"]) {
      assert(exposed.split(",").includes(name), `${path}: ${exposed}`);
    }
  }
});

Deno.test("HEAD has the headers and the length of GET, and no body", async () => {
  using deps = await testDeps();
  const warm = createApp(deps);
  const others = ["/", "/docs", "/api/v1", "/openapi.json", "/nope"];
  for (const path of [...PATHS, `${BASE}/metrics?range=2y`, ...others]) {
    // The first request of a series reads it from its source, which takes time.
    await (await warm.request(path)).body?.cancel();
    for (const app of [() => createApp(deps), () => warm]) {
      const head = await app().request(path, { method: "HEAD" });
      const get = await app().request(path);
      const { byteLength } = await get.arrayBuffer();
      assertEquals(head.status, get.status, path);
      const length = head.headers.get("Content-Length");
      assertEquals(length, String(byteLength), path);
      for (const name of ["Content-Type", "ETag", "Cache-Control"]) {
        assertEquals(head.headers.get(name), get.headers.get(name), path);
      }
      assertEquals(await head.text(), "");
    }
  }
});

Deno.test("a CSV is downloaded under a name that says what it holds", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const cases: [path: string, name: string][] = [
    [
      "/metrics?from=2026-10-01&to=2026-10-31&metric=gasUsed&interval=week",
      "43114-gasUsed-2026-10-01-2026-10-31",
    ],
    ["/metrics?range=30d", "43114-txCount-2026-10-23-2026-11-21"],
    [
      "/monthly-transactions?from=2026-01-01&to=2026-06-30",
      "43114-monthly-transactions-2026-01-01-2026-06-30",
    ],
    [
      "/transaction-fees?to=2026-06-30",
      "43114-transaction-fees-2020-09-23-2026-06-30",
    ],
    [
      "/block-production?range=30d",
      "43114-block-production-2026-10-23-2026-11-21",
    ],
    [
      "/validators?range=30d",
      "primary-network-validators-2026-10-23-2026-11-21",
    ],
    ["/chains", "chains"],
    ["/disputes", "disputes"],
    ["/revisions", "43114-revisions"],
  ];
  for (const [path, name] of cases) {
    const mark = path.includes("?") ? "&" : "?";
    const { headers, body } = await app.request(
      `${BASE}${path}${mark}format=csv`,
    );
    await body?.cancel();
    assertEquals(
      headers.get("Content-Disposition"),
      `attachment; filename="firn-${name}.csv"`,
    );
  }
});

Deno.test("every documented default is accepted together with from and to", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const document = await (await app.request("/openapi.json")).json();
  for (const path of PATHS.map((path) => path.split("?")[0]!)) {
    const { parameters = [] } = document.paths[path].get;
    const query = new URLSearchParams();
    for (const { name, schema } of parameters) {
      if (schema.default !== undefined) query.set(name, String(schema.default));
      if (name === "from" || name === "to") query.set(name, "2026-11-03");
    }
    const response = await app.request(`${path}?${query}`);
    const text = await response.text();
    assertEquals(response.status, 200, `${query} ${text.slice(0, 200)}`);
    if (query.has("from") && query.has("range")) {
      const { range, from, to } = JSON.parse(text);
      assertEquals([range, from, to], [null, "2026-11-03", "2026-11-03"]);
    }
  }
});

Deno.test("/block-production says how old its data are", async () => {
  using deps = await testDeps();
  const lagHours = async () => {
    const response = await createApp(deps).request(`${BASE}/block-production`);
    return (await response.json()).lagHours;
  };
  assertEquals(await lagHours(), 0);
  deps.advance(30 * HOUR_MS);
  assertEquals(await lagHours(), 30);
});
