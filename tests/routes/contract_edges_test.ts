/** Edges of both contracts: what a client sends that is only just out of range, or in another spelling. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { Proof } from "../../services/accounts/account_schema.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { MINUTE_MS } from "../../services/platform/days.ts";
import { enrol } from "../support/callers.ts";
import { limited } from "../support/clients.ts";
import { testDeps } from "../support/deps.ts";

Deno.test("a batch of too many addresses is a 400, whatever it weighs", async () => {
  using deps = await testDeps();
  const { key } = await enrol(deps, { plan: "builder" });
  const app = createApp(deps);
  for (const count of [51, 400, 1_400]) {
    const response = await app.request("/api/v1/score/batch", {
      method: "POST",
      headers: { "X-Api-Key": key, "Content-Type": "application/json" },
      body: JSON.stringify({
        addresses: Array.from(
          { length: count },
          (_, nth) => `0x${nth.toString(16).padStart(40, "0")}`,
        ),
      }),
    });
    const text = await response.text();
    assertEquals(response.status, 400, `${count}: ${text}`);
    assertStringIncludes(text, "50");
  }
});

Deno.test("every answer says nosniff: of both APIs, cached or refused, of files and of pages", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const address = exampleOf("ordinary");
  const paths = [
    "/api/v1",
    "/api/v1/health",
    "/api/v1/nothing",
    `/api/v1/score/${address}`,
    "/api/chain-data/metrics",
    "/api/chain-data/metrics",
    "/api/chain-data/metrics?format=csv",
    "/api/chain-data/metrics?metric=x",
    "/api/account",
    `/api/tools/score-badge/${address}`,
    "/api/tools/score-badge/x",
    `/api/profiles/${address}`,
    "/mcp",
    "/status.json",
    "/openapi.json",
    "/chart/txCount.svg",
    "/downloads/index.json",
    "/static/firn.svg",
    "/embed/chart/txCount",
    "/",
    "/",
    "/nothing",
  ];
  for (const path of paths) {
    const response = await app.request(path);
    await response.body?.cancel();
    assertEquals(
      response.headers.get("X-Content-Type-Options"),
      "nosniff",
      `${path} ${response.status}`,
    );
  }
});

Deno.test("/mcp answers every Accept that clients send", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const accepts = [
    undefined,
    "*/*",
    "application/json",
    "application/*",
    "text/event-stream",
    "application/json, text/plain, */*",
  ];
  for (const accept of accepts) {
    const response = await app.request("/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...accept !== undefined && { Accept: accept },
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    const text = await response.text();
    assertEquals(response.status, 200, `${accept}: ${text}`);
    assertEquals(response.headers.get("Content-Type"), "application/json");
  }
});

Deno.test("a signature of no bytes is a matter for the contract of the account", () => {
  const proof = { nonce: "abcdefgh12345678", signature: "0x" };
  assertEquals(Proof.safeParse(proof).success, true);
  const odd = { ...proof, signature: "0x1" };
  assertEquals(Proof.safeParse(odd).success, false);
});

Deno.test("an error of a badge is JSON where JSON is asked for, and else an image", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const cases: [accept: string | undefined, isJson: boolean][] = [
    [undefined, false],
    ["*/*", false],
    // GitHub's proxy of pictures, and a browser's img.
    ["image/*", false],
    ["image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8", false],
    ["text/html,application/xhtml+xml,*/*;q=0.8", false],
    ["image/*, application/json;q=0.1", false],
    ["application/json", true],
    ["application/json, text/plain, */*", true],
    ["image/*;q=0.5, application/json", true],
  ];
  for (const path of ["0x12", `${exampleOf("heavy")}?metric=x`]) {
    for (const [accept, isJson] of cases) {
      const response = await app.request(
        `/api/tools/score-badge/${path}`,
        accept === undefined ? {} : { headers: { Accept: accept } },
      );
      const text = await response.text();
      const { headers } = response;
      assertEquals(response.status, 400, `${accept}`);
      assertEquals(headers.get("Vary"), "Accept");
      assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
      assertEquals(
        headers.get("Content-Type"),
        isJson ? "application/json" : "image/svg+xml; charset=utf-8",
        `${accept}`,
      );
      if (isJson) assertEquals(typeof JSON.parse(text).error, "string");
      else assertStringIncludes(text, "<svg");
    }
  }
});

Deno.test("every answer of /api/v1 has X-RateLimit: without a quota, those of the client's address", async () => {
  using service = await limited(10);
  const { deps, ask } = service;
  const { key } = await enrol(deps, { plan: "builder" });
  const score = `/api/v1/score/${exampleOf("ordinary")}`;
  const limitsOf = (response: Response) => {
    const read = (name: string) => response.headers.get(`X-RateLimit-${name}`);
    return [read("Limit"), read("Remaining"), read("Reset")];
  };
  const now = deps.now().getTime();
  const resetAfter = (used: number) =>
    new Date(now + used * MINUTE_MS / 10).toISOString();
  const keyless: [path: string, status: number][] = [
    ["/api/v1", 200],
    ["/api/v1/health", 200],
    ["/api/v1/nothing", 404],
    [score, 401],
    [`${score}/history`, 401],
    ["/api/v1/usage", 401],
    ["/api/v1?x=1", 400],
  ];
  for (const [nth, [path, status]] of keyless.entries()) {
    const response = await ask(path);
    await response.body?.cancel();
    assertEquals(response.status, status, path);
    const left = 9 - nth;
    assertEquals(
      limitsOf(response),
      ["10", String(left), resetAfter(nth + 1)],
      path,
    );
  }
  // A wrong key counts separately, and its answer says nothing about a wallet.
  const wrong = await ask(score, {
    headers: { "X-Api-Key": `${key.slice(0, -1)}!` },
  });
  await wrong.body?.cancel();
  assertEquals([wrong.status, ...limitsOf(wrong)], [
    401,
    "10",
    "9",
    resetAfter(1),
  ]);
  // Another address has its own; a key has its wallet's.
  const other = await ask("/api/v1", { from: "192.0.2.2" });
  await other.body?.cancel();
  assertEquals(limitsOf(other)[1], "9");
  const keyed = await ask(score, { headers: { "X-Api-Key": key } });
  await keyed.body?.cancel();
  assertEquals([keyed.status, limitsOf(keyed)[0]], [200, "25000"]);
  for (let nth = 0; nth < 3; nth++) await (await ask("/api/v1")).body?.cancel();
  const refused = await ask("/api/v1");
  await refused.body?.cancel();
  assertEquals([refused.status, ...limitsOf(refused)], [
    429,
    "10",
    "0",
    resetAfter(10),
  ]);
});

Deno.test("every answer of /api/v1 has X-RateLimit and every error a text in error, whatever its status", async (t) => {
  using deps = await testDeps();
  const down = await testDeps();
  using _ = down;
  down.upstreams.explorer.switch.set({ mode: "refuse" });
  down.upstreams.cChainRpc.switch.set({ mode: "refuse" });
  const failing = await testDeps();
  using __ = failing;
  const signals = {
    ...failing.store.signals,
    findAll: () => Promise.reject(new Error("disk I/O error")),
  };
  const broken = { ...failing, store: { ...failing.store, signals } };
  const address = exampleOf("ordinary");
  const score = `/score/${address}`;
  const addresses = JSON.stringify({ addresses: [address] });
  const batch = (body: string): RequestInit => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  /** Which quota or allowance limits the answer. */
  const LIMITS = { free: "2500", builder: "25000", growth: "250000" } as const;
  const cases: [
    status: number,
    plan: keyof typeof LIMITS | null,
    path: string,
    init?: RequestInit,
    deps?: typeof deps,
  ][] = [
    [200, null, ""],
    [200, null, "/health"],
    [200, "free", score],
    [200, "free", score, { method: "HEAD" }],
    [200, "builder", "/score/batch", batch(addresses)],
    [200, "builder", `${score}/history`],
    [301, "free", `${score}/`],
    [400, "free", "/score/0x12"],
    [400, "builder", "/score/batch", batch("{")],
    [400, "builder", `${score}/history?days=91`],
    [400, null, "/health?x=1"],
    [400, null, "", { headers: { Host: "a b" } }],
    [401, null, score],
    [401, null, "/score/batch", batch(addresses)],
    [401, null, score, { method: "OPTIONS" }],
    [402, "free", "/score/batch", batch(addresses)],
    [402, "free", `${score}/history`],
    [402, "builder", `${score}/signed`],
    [404, "free", `${score}/nothing`],
    [404, null, "/nothing"],
    [405, "free", score, { method: "POST" }],
    [405, null, "/health", { method: "POST" }],
    [413, "builder", "/score/batch", batch("x".repeat(70_000))],
    [500, "free", score, {}, down],
    [500, "builder", "/score/batch", batch(addresses), broken],
    [501, "growth", `${score}/signed`],
  ];
  for (const [status, plan, path, init = {}, of = deps] of cases) {
    await t.step(`${init.method ?? "GET"} ${path}: ${status}`, async () => {
      const headers = new Headers(init.headers);
      const wallet = `0x${String(plan).padStart(40, "a")}`;
      if (plan !== null) {
        headers.set("X-Api-Key", (await enrol(of, { plan, wallet })).key);
      }
      const response = await createApp(of)
        .request(`/api/v1${path}`, { ...init, headers });
      const text = await response.text();
      assertEquals(response.status, status, text);
      const read = (name: string) =>
        response.headers.get(`X-RateLimit-${name}`);
      assertEquals(read("Limit"), plan === null ? "6000" : LIMITS[plan]);
      const remaining = read("Remaining") ?? "";
      assert(/^\d+$/.test(remaining), remaining);
      const reset = read("Reset") ?? "";
      assertEquals(new Date(reset).toISOString(), reset);
      // A shared cache would give one client's allowance to another.
      assertMatch(
        response.headers.get("Cache-Control") ?? "",
        /\b(private|no-store)\b/,
      );
      if (status < 400) return;
      assertEquals(response.headers.get("Content-Type"), "application/json");
      const { error } = JSON.parse(text);
      assert(typeof error === "string" && error !== "", text);
    });
  }
});

/** Paths of routes with a parameter. Each answers with data. */
const EXAMPLES: Readonly<Record<string, string>> = {
  "/downloads/:path{.+}": "/downloads/index.json",
  "/static/:path{.+}": "/static/firn.svg",
  "/chart/:file{[^]+\\.(?:svg|png|csv)}": "/chart/txCount.svg",
  "/card/chain/:file{[^/]+\\.png}": "/card/chain/43114.png",
  "/card/score/:file{[^/]+\\.png}": `/card/score/${exampleOf("heavy")}.png`,
};

/** Data that are for our own pages, and for programs that are no page. */
const NOT_FOR_SCRIPTS = /^\/(?:docs\/|llms|robots|sitemap|favicon|live$)/;

Deno.test("scripts of other origins may read all public data, with the headers that their libraries add", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const asked = "content-type,traceparent,sentry-trace,if-none-match,range";
  let checked = 0;
  for (const { method, path } of app.routes) {
    if (method !== "GET" || NOT_FOR_SCRIPTS.test(path)) continue;
    const example = EXAMPLES[path] ??
      path.replace(":address", exampleOf("heavy"));
    const response = await app.request(example);
    await response.body?.cancel();
    const type = response.headers.get("Content-Type") ?? "";
    // Keyed and private routes refuse; pages are for their own origin.
    if (response.status !== 200 || type.startsWith("text/html")) continue;
    checked++;
    const preflight = await app.request(example, {
      method: "OPTIONS",
      headers: {
        "Origin": "https://page.test",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": asked,
      },
    });
    const read = (name: string) =>
      preflight.headers.get(`Access-Control-${name}`);
    assertEquals(preflight.status, 204, example);
    assertEquals(
      [read("Allow-Origin"), read("Allow-Methods"), read("Allow-Headers")],
      ["*", "GET,HEAD", asked],
      example,
    );
    assertEquals(
      response.headers.get("Access-Control-Allow-Origin"),
      "*",
      example,
    );
  }
  assert(checked > 20, `${checked} routes`);
  for (
    const path of [
      "/chart/txCount.png",
      "/chart/txCount.csv",
      "/api/profiles/nobody",
    ]
  ) {
    const { status } = await app.request(path, { method: "OPTIONS" });
    assertEquals(status, 204, path);
  }
  // What a cookie or a key protects, no other origin reads.
  const { key } = await enrol(deps, { plan: "growth" });
  const score = `/api/v1/score/${exampleOf("heavy")}`;
  for (
    const path of [
      ...["/api/account", "/dashboard", score, `${score}/history`],
      ...[`${score}/signed`, "/api/v1/score/batch", "/api/v1/usage"],
    ]
  ) {
    for (const method of ["OPTIONS", "GET"]) {
      const response = await app.request(path, {
        method,
        headers: {
          "Origin": "https://page.test",
          "Access-Control-Request-Headers": "x-api-key",
          ...method === "GET" && { "X-Api-Key": key },
        },
      });
      await response.body?.cancel();
      for (const name of ["Allow-Origin", "Allow-Headers"]) {
        assertEquals(response.headers.get(`Access-Control-${name}`), null);
      }
    }
  }
});
