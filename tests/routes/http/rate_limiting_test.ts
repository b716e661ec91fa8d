/** Rate limits of requests without a key, by network. */
import { assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import type { KeyKind } from "../../../services/accounts/account_schema.ts";
import { ErrorBody } from "../../../services/platform/wire_schema.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import { enrol, WALLET } from "../../support/callers.ts";
import { type Asked, connectionFrom, limited } from "../../support/clients.ts";
import { testDeps } from "../../support/deps.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";
const METRICS = "/api/chain-data/metrics?range=30d";

Deno.test("a client beyond its limit is refused, and others are served", async () => {
  using service = await limited(20);
  const { ask, deps } = service;
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => ask(METRICS)),
  );
  const count = (wanted: number) =>
    answers.filter(({ status }) => status === wanted).length;
  assertEquals([count(200), count(429)], [20, 30]);
  assertEquals((await ask(METRICS, { from: B })).status, 200);
  deps.advance(3_000);
  assertEquals((await ask(METRICS)).status, 200);
  assertEquals((await ask(METRICS)).status, 429);
});

Deno.test("a bad request counts four times, since no cache answers it", async () => {
  using service = await limited(8);
  const { ask } = service;
  const bad = `${METRICS}&interval=year`;
  for (const status of [400, 400, 429]) {
    const response = await ask(bad);
    await response.body?.cancel();
    assertEquals(response.status, status);
  }
});

Deno.test("a refusal names the limit and Retry-After on every surface, and is not cacheable", async (t) => {
  const cases: [path: string, accept: string, type: RegExp][] = [
    [METRICS, "*/*", /^application\/json/],
    ["/api/v1", "text/html", /^application\/json/],
    ["/api/v1/health", "*/*", /^application\/json/],
    ["/api/account", "*/*", /^application\/json/],
    [`/api/profiles/${exampleOf("heavy")}`, "*/*", /^application\/json/],
    [
      `/api/tools/score-badge/${exampleOf("heavy")}`,
      "*/*",
      /^application\/json/,
    ],
    ["/chart/txCount.svg", "image/*", /^application\/json/],
    ["/status.json", "*/*", /^application\/json/],
    ["/static/firn.css", "text/css", /^application\/json/],
    ["/", "text/html", /^text\/html/],
    ["/docs", "text/html", /^text\/html/],
    ["/nowhere", "*/*", /^application\/json/],
  ];
  for (const [path, accept, type] of cases) {
    await t.step(path, async () => {
      using service = await limited(1);
      const { ask } = service;
      const headers = { Accept: accept };
      await (await ask(path, { headers })).body?.cancel();
      const refused = await ask(path, { headers });
      const text = await refused.text();
      assertEquals(refused.status, 429);
      assertMatch(refused.headers.get("Content-Type")!, type);
      assertMatch(
        text,
        /Rate limit of this network exceeded: expected at most 1 requests outside the quota of a plan a minute; try again in 60 seconds/,
      );
      const expected = {
        "Cache-Control": "no-store",
        "Access-Control-Allow-Origin": "*",
        "Retry-After": "60",
        "RateLimit-Policy": '"requests";q=1;w=60',
        "RateLimit": '"requests";r=0;t=60',
        "ETag": null,
      };
      for (const [name, value] of Object.entries(expected)) {
        assertEquals(refused.headers.get(name), value, name);
      }
      assertEquals(
        refused.headers.has("Content-Security-Policy"),
        !path.startsWith("/api/"),
      );
      if (!type.source.includes("json")) return;
      const body = ErrorBody.parse(JSON.parse(text));
      assertEquals(body, {
        error: body.message,
        message: body.message,
        code: "RATE_LIMITED",
        docs: "/docs/errors#RATE_LIMITED",
        of: "requests",
        network: A,
        most: 1,
        perSeconds: 60,
        retryAfterMs: 60_000,
      });
    });
  }
});

Deno.test("requests of any method count and can be refused", async (t) => {
  for (const method of ["HEAD", "POST", "OPTIONS", "constructor"]) {
    await t.step(method, async () => {
      using service = await limited(1);
      const { ask } = service;
      await ask(METRICS);
      const { status, body } = await ask(METRICS, { method });
      assertEquals(status, method === "OPTIONS" ? 204 : 429);
      if (method === "HEAD") assertEquals(body, null);
    });
  }
});

Deno.test("addresses of one IPv6 network share a limit", async () => {
  using service = await limited(2);
  const { ask } = service;
  const statuses = [];
  for (
    const from of [
      "2001:db8::1",
      "2001:db8::2",
      "2001:db8::3",
      "2001:db8:0:1::1",
    ]
  ) {
    statuses.push((await ask(METRICS, { from })).status);
  }
  assertEquals(statuses, [200, 200, 429, 200]);
});

Deno.test("requests without a network address are not limited", async () => {
  using deps = await testDeps({ settings: { FAIR_USE_PER_MINUTE: "1" } });
  const app = createApp(deps);
  for (let nth = 0; nth < 3; nth++) {
    assertEquals((await app.request(METRICS)).status, 200);
  }
});

Deno.test("requests with a valid key do not count, and invalid keys have their own limit", async () => {
  using service = await limited(2);
  const { ask, deps } = service;
  const { key } = await enrol(deps, { plan: "builder" });
  const path = `/api/v1/score/${exampleOf("ordinary")}`;
  const good = { headers: { "X-Api-Key": key } };
  const bad = { headers: { "X-Api-Key": `${key.slice(0, -1)}~` } };
  const status = async (asked: Asked) => (await ask(path, asked)).status;
  for (let nth = 0; nth < 5; nth++) assertEquals(await status(good), 200);
  assertEquals([await status({}), await status({}), await status({})], [
    401,
    401,
    429,
  ]);
  assertEquals(await status(good), 200, "open requests are another matter");
  assertEquals([await status(bad), await status(bad), await status(bad)], [
    401,
    401,
    429,
  ]);
  const refused = await ask(path, bad);
  assertMatch(
    (await refused.json()).error,
    /2 requests with a key that are refused/,
  );
  assertEquals((await ask(path, { ...bad, from: B })).status, 401);
});

Deno.test("requests outside of a quota count, with any key", async (t) => {
  const score = `/api/v1/score/${exampleOf("ordinary")}`;
  const cases: [path: string, kind: KeyKind | null, status: number][] = [
    ["/api/v1/health", null, 200],
    ["/api/v1", "live", 200],
    ["/api/v1/nowhere", "live", 404],
    ["/api/v1/usage", "live", 200],
    [score, "test", 400],
    ["/api/v1/scores", "live", 404],
  ];
  for (const [path, kind, expected] of cases) {
    await t.step(`${path}, ${kind ?? "no such key"}`, async () => {
      using service = await limited(1);
      const { ask, deps } = service;
      const order = kind && { wallet: WALLET, name: "test", kind };
      const created = order && await createApiKey(deps, order);
      const headers = { "X-Api-Key": created?.key ?? "x" };
      assertEquals((await ask(path, { headers })).status, expected);
      const refused = await ask(path, { headers });
      assertEquals(refused.status, 429);
      assertEquals((await refused.json()).of, "requests");
    });
  }
});

Deno.test("behind trusted proxies the client is the address from the outermost one", async (t) => {
  const cases: [
    hops: number,
    forwarded: readonly [first: string, second: string],
    isOne: boolean,
  ][] = [
    [0, ["203.0.113.1", "203.0.113.2"], true],
    [1, ["203.0.113.1", "203.0.113.2"], false],
    [1, ["203.0.113.1, 198.51.100.1", "203.0.113.2, 198.51.100.1"], true],
    [2, ["203.0.113.1, 198.51.100.1", "203.0.113.2, 198.51.100.1"], false],
    [1, ["invalid", "unknown"], true],
    [2, ["203.0.113.1", "203.0.113.2"], true],
  ];
  for (const [hops, [first, second], isOne] of cases) {
    await t.step(`${hops} of ${first}`, async () => {
      using service = await limited(1, {
        settings: { TRUSTED_PROXY_HOPS: String(hops) },
      });
      const from = (header: string) =>
        service.ask(METRICS, { headers: { "X-Forwarded-For": header } });
      assertEquals((await from(first)).status, 200);
      assertEquals((await from(second)).status, isOne ? 429 : 200);
    });
  }
});

Deno.test("sign-in messages count for the client that a trusted proxy names", async () => {
  using deps = await testDeps({ settings: { TRUSTED_PROXY_HOPS: "1" } });
  const app = createApp(deps);
  const ask = async (client: string) => {
    const { status } = await app.request("/api/account/challenges", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Origin": deps.publicUrl,
        "X-Forwarded-For": client,
      },
      body: JSON.stringify({ address: exampleOf("heavy"), action: "session" }),
    }, connectionFrom("127.0.0.1"));
    return status;
  };
  for (let nth = 0; nth < 12; nth++) assertEquals(await ask(A), 200);
  assertEquals(await ask(A), 429);
  assertEquals(await ask(B), 200);
});

Deno.test("refusals are delayed by a second, and those of a network at once by up to two, one after the other", async () => {
  using deps = await testDeps({ settings: { FAIR_USE_PER_MINUTE: "1" } });
  const slept: number[] = [];
  const app = createApp({
    ...deps,
    async sleep(ms) {
      slept.push(ms);
      await new Promise((resolve) => setTimeout(resolve, 50));
    },
  });
  const ask = () => app.request(METRICS, {}, connectionFrom(A));
  await ask();
  slept.length = 0;
  assertEquals((await ask()).status, 429);
  await Promise.all(Array.from({ length: 40 }, ask));
  assertEquals(slept.splice(0, 3), [1_000, 1_000, 1_031.25]);
  assertEquals(slept.at(-1), 1_968.75);
});
