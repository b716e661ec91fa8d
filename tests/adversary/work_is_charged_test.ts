/** Limits count work: what no cache answers waits in the render queue, and nobody who reads the site is refused. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { stub } from "@std/testing/mock";
import { createApp } from "../../routes/app.ts";
import { renderQueue } from "../../routes/http/render_queue.ts";
import { workIn } from "../../services/platform/cache.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { connectionFrom } from "../support/clients.ts";
import { testDeps } from "../support/deps.ts";

/** Routes that need no turn, by reason. */
const NEED_NO_TURN: Readonly<Record<string, readonly string[]>> = {
  "it sends a text that is in memory": [
    "/static/:path{.+}",
    "/.well-known/firn-manifest-key.json",
    "/.well-known/score-attestation.json",
    "/.well-known/security.txt",
    "/robots.txt",
    "/favicon.ico",
    "/live",
    "/api/v1",
  ],
  "it is the probe of the database, which must answer under any load": [
    "/api/v1/health",
  ],
  "a plan's quota limits it": [
    "/api/v1/score/:address",
    "/api/v1/score/batch",
    "/api/v1/score/:address/history",
    "/api/v1/score/:address/signed",
    "/api/v1/usage",
  ],
  "it is a redirection": ["/account/link/github"],
};

/** A path of each route that has parameters. */
const EXAMPLES: Readonly<Record<string, string>> = {
  "/chains/:chainId": "/chains/43114",
  "/charts/:metric": "/charts/txCount",
  "/days/:series/:chainId/:day": "/days/txCount/43114/2026-11-19",
  "/downloads/:path{.+}": "/downloads/index.json",
  "/chart/:file{[^]+\\.(?:svg|png|csv)}": "/chart/txCount.csv",
  "/embed/chart/:metric": "/embed/chart/txCount",
  "/card/chain/:file{[^/]+\\.png}": "/card/chain/43114.png",
  "/card/score/:file{[^/]+\\.png}": `/card/score/${exampleOf("ordinary")}.png`,
  "/card/profile/:file{[^/]+\\.png}": `/card/profile/${
    exampleOf("ordinary")
  }.png`,
  "/api/tools/score-badge/:address": `/api/tools/score-badge/${
    exampleOf("ordinary")
  }`,
  "/tools/score/:address": `/tools/score/${exampleOf("ordinary")}`,
  "/profiles/:addressOrSlug": `/profiles/${exampleOf("ordinary")}`,
  "/api/profiles/:addressOrSlug": `/api/profiles/${exampleOf("ordinary")}`,
  "/docs/reference/:tag": "/docs/reference/status",
  "/dashboard/receipts/:id": `/dashboard/receipts/0x${"ab".repeat(32)}`,
};

Deno.test("every route that no cache answers works in the turn of its network, or says why not", async () => {
  using deps = await testDeps();
  const queue = renderQueue(deps);
  let turns = 0;
  const run: typeof queue.run = (client, work, options) => {
    turns++;
    return queue.run(client, work, options);
  };
  const app = createApp(deps, { ...queue, run });
  // Middleware of a route is listed with its path, too.
  const routes = new Map(
    app.routes.filter(({ method }) => method !== "ALL")
      .map((route) => [`${route.method} ${route.path}`, route]),
  );
  const paths = new Set([...routes.values()].map(({ path }) => path));
  const exempt = Object.values(NEED_NO_TURN).flat();
  const outside: string[] = [];
  for (const [route, { method, path }] of routes) {
    if (exempt.includes(path)) continue;
    const example = EXAMPLES[path] ?? path;
    // What an account changes is asked for with any value, since nobody is signed in.
    assert(
      method !== "GET" || !example.includes(":"),
      `an example of ${path} is missing`,
    );
    const before = turns;
    const request = new Request(`${deps.publicUrl}${example}`, {
      method,
      headers: { "Content-Type": "application/json", "Origin": deps.publicUrl },
      ...method !== "GET" && method !== "DELETE" && { body: "{}" },
    });
    const response = await app.fetch(
      request,
      connectionFrom("192.0.2.1") as never,
    );
    await response.text();
    // A route without a row of ROUTE_COSTS is answered 500.
    if (turns === before || response.status === 500) {
      outside.push(`${route} ${response.status}`);
    }
    assert(turns <= before + 1, `${route} waits for a turn within its turn`);
  }
  turns = 0;
  for (const path of ["/nowhere", "/api/nowhere", "/docs/nowhere"]) {
    const url = `${deps.publicUrl}${path}`;
    await app.fetch(new Request(url), connectionFrom("192.0.2.1") as never);
  }
  assertEquals(turns, 3, "paths without a route");
  assertEquals(outside, []);
  assertEquals(exempt.filter((path) => !paths.has(path)), [], "is no route");
});

Deno.test("a request has no turn of another one, with which the runtime may start it", async () => {
  using deps = await testDeps();
  const charged: string[] = [];
  const queue = renderQueue(deps);
  const app = createApp(deps, {
    ...queue,
    run: (network, work, options) => {
      charged.push(options.route);
      return queue.run(network, work, options);
    },
  });
  const turn = {
    outside: () => Promise.reject(new Error("the turn of another one")),
    noteRead: () => charged.push("a read"),
  };
  const request = new Request(`${deps.publicUrl}/nowhere`);
  const chains = new Request(`${deps.publicUrl}/api/chain-data/chains`);
  const network = connectionFrom("192.0.2.1") as never;
  assertEquals(
    await workIn(turn, async () => [
      (await app.fetch(request, network)).status,
      (await app.fetch(chains, network)).status,
    ]),
    [404, 200],
  );
  assertEquals(charged, ["/*", "/api/chain-data/chains"]);
});

Deno.test("a text that no cache keeps is compressed in its turn, not by a stream after it", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const ask = (path: string, encoding: string) =>
    app.fetch(
      new Request(`${deps.publicUrl}${path}`, {
        headers: { "Accept": "text/html", "Accept-Encoding": encoding },
      }),
      connectionFrom("192.0.2.1") as never,
    );
  using _ = stub(globalThis, "CompressionStream", () => {
    throw new Error("a stream compresses it");
  });
  for (const path of ["/docs/limits", "/llms.txt", "/tools/score"]) {
    const plain = await (await ask(path, "identity")).bytes();
    const { headers, body } = await ask(path, "br, gzip");
    assertEquals(headers.get("Content-Encoding"), "gzip", path);
    assertStringIncludes(headers.get("Vary")!, "Accept-Encoding");
    assertEquals(
      await new Response(
        body!.pipeThrough(new DecompressionStream("gzip")),
      ).bytes(),
      plain,
    );
  }
});

Deno.test("a message of MCP works in the turn of its network, and pays for the request of its tool", async () => {
  using deps = await testDeps();
  const queue = renderQueue(deps);
  const ran: string[] = [];
  const app = createApp(deps, {
    ...queue,
    run: (client, work, options) => {
      ran.push(options.route);
      return queue.run(client, work, options);
    },
  });
  async function send(method: string, params: object): Promise<string[]> {
    ran.length = 0;
    const response = await app.fetch(
      new Request(`${deps.publicUrl}/mcp`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      }),
      connectionFrom("192.0.2.1") as never,
    );
    assertEquals(response.status, 200);
    assert((await response.json()).result);
    return [...ran];
  }
  assertEquals(await send("tools/list", {}), ["/mcp"]);
  const call = { name: "get_metrics", arguments: { range: "30d" } };
  assertEquals(await send("tools/call", call), [
    "/mcp",
    "/api/chain-data/metrics",
  ]);
});

Deno.test("who crawls the site at five connections, and polls all series, meets no 429", async () => {
  using deps = await testDeps({ chains: 8 });
  const app = createApp(deps);
  const statuses: Record<number, number> = {};
  const seen = new Set<string>();
  const waiting: string[] = ["/", "/chains", "/docs", "/status", "/downloads"];
  for (const metric of ["txCount", "activeAddresses", "avgTps", "gasUsed"]) {
    for (let day = 1; day <= 28; day++) {
      const from = `2026-01-${String(day).padStart(2, "0")}`;
      waiting.push(
        `/api/chain-data/metrics?metric=${metric}&from=${from}&to=2026-06-01`,
        `/chart/${metric}.svg?from=${from}&to=2026-06-01`,
        `/?metric=${metric}&chainId=43114&from=${from}&to=2026-06-01&interval=day`,
      );
    }
  }
  async function crawl(): Promise<void> {
    for (let path = waiting.shift(); path; path = waiting.shift()) {
      if (seen.has(path) || seen.size >= 420) continue;
      seen.add(path);
      const response = await app.fetch(
        new Request(`${deps.publicUrl}${path}`, {
          headers: { Accept: "text/html" },
        }),
        connectionFrom("192.0.2.1") as never,
      );
      const text = await response.text();
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      for (const [, link] of text.matchAll(/href="(\/[^"#]*)"/g)) {
        waiting.push(link!.replaceAll("&amp;", "&"));
      }
    }
  }
  await Promise.all(Array.from({ length: 5 }, crawl));
  assert(seen.size >= 400, `${seen.size} paths`);
  assertEquals(statuses[429] ?? 0, 0, JSON.stringify(statuses));
  assertEquals(statuses[500] ?? 0, 0, JSON.stringify(statuses));
});
