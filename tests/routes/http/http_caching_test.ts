import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const PATH = "/api/chain-data/metrics?range=all";
const MINUTE_MS = 60_000;

type App = ReturnType<typeof createApp>;

const ask = (app: App, headers: Record<string, string> = {}, path = PATH) =>
  app.request(path, { headers });

Deno.test("Cache-Control has the rest of the hour, warm or cold", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const cold = (await ask(app)).headers;
  assertEquals(
    cold.get("Cache-Control"),
    "public, max-age=3600, stale-if-error=86400",
  );
  deps.advance(20 * MINUTE_MS);
  const warm = (await ask(app)).headers;
  assertEquals(
    warm.get("Cache-Control"),
    "public, max-age=2400, stale-if-error=86400",
  );
  const elsewhere = (await ask(createApp(deps))).headers;
  assertEquals(elsewhere.get("Cache-Control"), warm.get("Cache-Control"));
  assertEquals(warm.get("Vary"), "Accept-Encoding");
  assertEquals(warm.get("Age"), null);
});

Deno.test("each encoding has an ETag that is equal in every process and gives 304", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const plain = (await ask(app)).headers.get("ETag")!;
  const gzip = (await ask(app, { "Accept-Encoding": "gzip" })).headers.get(
    "ETag",
  )!;
  assertNotEquals(plain, gzip);
  const opaque = plain.replace(/^W\//, "");
  assertEquals(plain, `W/${opaque}`, "the body also says when it was read");
  assertEquals((await ask(createApp(deps))).headers.get("ETag"), plain);
  for (const tag of [plain, gzip, opaque, `"x", ${gzip}`, "*"]) {
    const response = await ask(app, { "If-None-Match": tag });
    assertEquals(response.status, 304, tag);
    assertEquals(await response.text(), "");
    assertEquals(response.headers.get("ETag"), plain);
    assertEquals(response.headers.get("Vary"), "Accept-Encoding");
    assert(response.headers.get("Cache-Control"));
  }
  assertEquals((await ask(app, { "If-None-Match": '"other"' })).status, 200);
});

Deno.test("Last-Modified is the last change of the data or of the day, and gives 304", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const first = (await ask(app)).headers.get("Last-Modified");
  assertEquals(first, "Sat, 21 Nov 2026 08:00:00 GMT");
  deps.advance(61 * MINUTE_MS);
  const again = await ask(app);
  assertEquals(
    again.headers.get("Last-Modified"),
    first,
    "read anew, found the same",
  );
  const since = await ask(app, { "If-Modified-Since": first! });
  assertEquals(since.status, 304);
  const earlier = { "If-Modified-Since": "Sat, 21 Nov 2026 07:59:59 GMT" };
  assertEquals((await ask(app, earlier)).status, 200);
  const other = {
    ...earlier,
    "If-Modified-Since": first!,
    "If-None-Match": '"x"',
  };
  assertEquals((await ask(app, other)).status, 200, "the ETag decides");
});

Deno.test("complete days change at midnight, even with fresh data", async () => {
  using deps = await testDeps({ start: "2026-11-21T23:50:00Z" });
  const app = createApp(deps);
  const days = async () =>
    (await (await ask(app, {}, "/api/chain-data/metrics?range=30d")).json())
      .series[0].day;
  assertEquals(await days(), "2026-10-23");
  deps.advance(11 * MINUTE_MS);
  assertEquals(await days(), "2026-10-24");
  const { headers } = await ask(app, {}, "/api/chain-data/metrics?range=30d");
  assertEquals(headers.get("Last-Modified"), "Sun, 22 Nov 2026 00:00:00 GMT");
});

Deno.test("If-Match and If-Unmodified-Since give 412 for another version, cold and warm", async () => {
  using deps = await testDeps();
  const csv = `${PATH}&format=csv`;
  const { headers } = await ask(createApp(deps), {}, csv);
  const strong = headers.get("ETag")!;
  const weak = (await ask(createApp(deps))).headers.get("ETag")!;
  const day = (days: number) =>
    new Date(Date.parse(headers.get("Last-Modified")!) + days * 86_400_000)
      .toUTCString();
  const cases: [path: string, header: string, value: string, status: number][] =
    [
      [csv, "If-Match", strong, 200],
      [csv, "If-Match", `"other", ${strong}`, 200],
      [csv, "If-Match", "*", 200],
      [csv, "If-Match", `W/${strong}`, 412],
      [csv, "If-Match", '"other"', 412],
      [csv, "If-Match", "", 412],
      // JSON says when it was read, so its tag is weak, and equal tags are not equal bytes.
      [PATH, "If-Match", weak, 412],
      [PATH, "If-Match", weak.replace("W/", ""), 412],
      [PATH, "If-Match", "*", 200],
      [csv, "If-Unmodified-Since", day(0), 200],
      [csv, "If-Unmodified-Since", day(1), 200],
      [csv, "If-Unmodified-Since", day(-1), 412],
      [csv, "If-Unmodified-Since", "no date", 200],
    ];
  const warm = createApp(deps);
  for (const path of [PATH, csv]) await ask(warm, {}, path);
  for (const [path, header, value, status] of cases) {
    for (const app of [createApp(deps), warm]) {
      for (const accept of ["gzip", "identity"]) {
        const sent = { [header]: value, "Accept-Encoding": accept };
        const response = await ask(app, sent, path);
        assertEquals(response.status, status, `${path} ${header}: ${value}`);
        if (status === 200) await response.bytes();
        else {
          const { code, message } = await response.json();
          assertEquals(code, "PRECONDITION_FAILED");
          assertEquals(/weak/.test(message), value.startsWith("W/"), message);
        }
      }
    }
  }
  const both = { "If-Match": strong, "If-Unmodified-Since": day(-1) };
  assertEquals((await ask(warm, both, csv)).status, 200);
});

Deno.test("an error is never cached, and the next response is complete", async () => {
  using deps: TestDeps = await testDeps();
  const app = createApp(deps);
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  assertEquals((await ask(app)).status, 503);
  deps.upstreams.metricsApi.switch.set({ mode: "ok" });
  deps.advance(300);
  assertEquals((await ask(app)).status, 200);
});

Deno.test("a Host header that resembles a query does not poison the cache", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const path = "/api/chain-data/metrics?range=90d";
  const metricOf = async (url: string) =>
    (await (await app.fetch(new Request(url))).json()).metric;
  const evil = new Request("http://x/");
  Object.defineProperty(evil, "url", {
    value: `http://x?metric=gasUsed&=${path}`,
  });
  await (await app.fetch(evil)).body?.cancel();
  assertEquals(await metricOf(`http://good.test${path}`), "txCount");
});

Deno.test("equivalent queries share one cached answer", async () => {
  using deps = await testDeps();
  let reads = 0;
  const find = deps.store.series.find;
  const series = {
    ...deps.store.series,
    find: (...id: Parameters<typeof find>) => {
      reads++;
      return find(...id);
    },
  };
  const app = createApp({ ...deps, store: { ...deps.store, series } });
  const spellings = [
    "",
    "?range=1y",
    "?metric=txCount",
    "?range=1y&metric=txCount",
    "?metric=txCount&range=1y",
    "?metric=%74xCount",
    "?&&&range=1y",
    `?=${"a".repeat(3000)}`,
  ];
  const askFor = async (spelling: string) =>
    await (await ask(app, {}, `/api/chain-data/metrics${spelling}`)).text();
  const first = await askFor("");
  await askFor("?range=1y");
  const readsOfBoth = reads;
  for (const spelling of spellings) {
    assertEquals(await askFor(spelling), first, spelling);
  }
  assertEquals(reads, readsOfBoth);
});

Deno.test("a trailing slash redirects to the same path", async () => {
  using deps = await testDeps();
  const response = await ask(createApp(deps), {}, "/api/chain-data/");
  assertEquals(response.status, 301);
  assertEquals(response.headers.get("Location"), "/api/chain-data");
  assertEquals(response.headers.get("Cache-Control"), "no-store");
});

Deno.test("an unexpected error is logged in full, and its message is not sent", async () => {
  using deps = await testDeps();
  const broken = () => Promise.reject(new RangeError("secret of the store"));
  const chains = { ...deps.store.chains, find: broken };
  const app = createApp({ ...deps, store: { ...deps.store, chains } });
  const response = await ask(app);
  assertEquals(response.status, 500);
  assertEquals(response.headers.get("Cache-Control"), "no-store");
  assertEquals(await response.json(), {
    error: "internal error",
    message: "internal error",
    code: "INTERNAL",
    docs: "/docs/errors#INTERNAL",
  });
  assertEquals(deps.lines.length, 1);
  const { stack, ...line } = JSON.parse(deps.lines[0]!);
  assertEquals({ ...line, ms: 0 }, {
    time: "2026-11-21T08:00:00.000Z",
    level: "error",
    event: "request.failed",
    requestId: response.headers.get("X-Request-Id"),
    method: "GET",
    route: "/api/chain-data/metrics",
    status: 500,
    ms: 0,
    error: "secret of the store",
  });
  assertMatch(stack, /^RangeError: secret of the store\n +at/);
});
