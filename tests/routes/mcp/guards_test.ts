/** What `/mcp` refuses before a tool is called: hosts, origins, bodies, methods, floods. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { connectionFrom, limited } from "../../support/clients.ts";
import { testDeps } from "../../support/deps.ts";

const PUBLIC_URL = "https://firn.test";
const ADDRESS = `0x${"11".repeat(20)}`;

/** A message that every server answers. */
const PING = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" });

const HEADERS = {
  "Host": "firn.test",
  "Content-Type": "application/json",
  "Accept": "application/json, text/event-stream",
};

type App = ReturnType<typeof createApp>;

async function post(
  app: App,
  { body = PING, headers = {} }: {
    readonly body?: string;
    readonly headers?: Record<string, string>;
  } = {},
) {
  const response = await app.fetch(
    new Request(`${PUBLIC_URL}/mcp`, {
      method: "POST",
      body: new TextEncoder().encode(body),
      headers: { ...HEADERS, ...headers },
    }),
    connectionFrom("192.0.2.1"),
  );
  const text = await response.text();
  return { response, text, body: text === "" ? null : JSON.parse(text) };
}

Deno.test("/mcp answers only under its own host and loopback, so that DNS rebinding reaches nothing", async (t) => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  const cases: [headers: Record<string, string>, status: number][] = [
    [{}, 200],
    [{ Host: "firn.test:443" }, 200],
    [{ Host: "localhost:8000" }, 200],
    [{ Host: "127.0.0.1" }, 200],
    [{ Host: "[::1]:8000" }, 200],
    [{ Host: "evil.test" }, 403],
    [{ Host: "firn.test.evil.test" }, 403],
    [{ Host: "localhost.evil.test" }, 403],
    [{ Origin: PUBLIC_URL }, 200],
    [{ Origin: "http://localhost:6274" }, 200],
    [{ Origin: "https://evil.test" }, 403],
    [{ Origin: "https://firn.test.evil.test" }, 403],
    [{ Origin: "null" }, 403],
    [{ Origin: "" }, 403],
  ];
  for (const [headers, status] of cases) {
    await t.step(JSON.stringify(headers), async () => {
      const { response, body } = await post(app, { headers });
      assertEquals(response.status, status, JSON.stringify(body));
      if (status === 403) assertEquals(body.code, "CROSS_SITE");
      const allowed = response.headers.get("Access-Control-Allow-Origin");
      assertEquals(allowed, status === 200 ? headers["Origin"] ?? null : null);
    });
  }
});

Deno.test("a page of a known origin may send the protocol's headers and the key", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const response = await createApp(deps).request("/mcp", {
    method: "OPTIONS",
    headers: {
      Host: "firn.test",
      Origin: "http://localhost:6274",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "mcp-protocol-version,x-api-key",
    },
  });
  assertEquals(response.status, 204);
  const allowed = response.headers.get("Access-Control-Allow-Headers")!;
  for (const name of ["Mcp-Protocol-Version", "Mcp-Method", "X-Api-Key"]) {
    assertStringIncludes(allowed, name);
  }
});

Deno.test("a body that is no message is an error of the protocol; a large one is a 413", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  const broken = await post(app, { body: "{" });
  assertEquals([broken.response.status, broken.body.error.code], [400, -32700]);
  const many = await post(app, { body: `[${PING},${PING}]` });
  assertEquals([many.response.status, many.body.error.code], [400, -32600]);
  const large = await post(app, { body: JSON.stringify("x".repeat(16_384)) });
  assertEquals([large.response.status, large.body.code], [
    413,
    "PAYLOAD_TOO_LARGE",
  ]);
  const text = await post(app, { headers: { "Content-Type": "text/plain" } });
  assertEquals(text.response.status, 415);
});

Deno.test("/mcp streams nothing: other methods are a 405 that names POST", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  for (const method of ["GET", "DELETE", "PUT"]) {
    const response = await app.request("/mcp", {
      method,
      headers: { Host: "firn.test", Accept: "text/event-stream" },
    });
    assertEquals(response.status, 405, method);
    assertStringIncludes(response.headers.get("Allow")!, "POST");
    await response.body?.cancel();
  }
});

Deno.test("a subscription ends at once, since nothing is announced", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const method = "subscriptions/listen";
  const notifications = { toolsListChanged: true, resourcesListChanged: true };
  const response = await createApp(deps).request("/mcp", {
    method: "POST",
    headers: {
      ...HEADERS,
      "Mcp-Method": method,
      "Mcp-Protocol-Version": "2026-07-28",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { notifications, _meta: meta },
    }),
  });
  // Reading to the end would not return if the stream were held open.
  const text = await response.text();
  assertStringIncludes(text, "subscriptions/acknowledged");
  assertStringIncludes(text, '"resultType":"complete"');
});

Deno.test("requests to /mcp count against the rate limit of their network, with a key or without", async () => {
  using client = await limited(3);
  const statuses = [];
  for (let nth = 0; nth < 5; nth++) {
    const response = await client.ask("/mcp", {
      method: "POST",
      headers: { ...HEADERS, Host: "localhost", "X-Api-Key": "firn_live_x" },
    });
    statuses.push(response.status);
    await response.body?.cancel();
  }
  assertEquals(statuses, [400, 400, 400, 429, 429]);
});

Deno.test("a key in the URL or in Authorization is refused, and not repeated", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  const key = `firn_live_${"a".repeat(38)}`;
  for (
    const [address, headers, says] of [
      [key, {}, "in the path"],
      [ADDRESS, { Authorization: `Bearer ${key}` }, "Authorization"],
    ] as const
  ) {
    const { text, body } = await post(app, {
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_score", arguments: { address } },
      }),
      headers,
    });
    const { structuredContent } = body.result;
    assertEquals(structuredContent.code, "UNAUTHORIZED");
    assertStringIncludes(structuredContent.message, says);
    assert(!text.includes(key));
  }
});
