/** That what no cache answers is made in the turn of its network. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { renderQueue } from "../../../routes/http/render_queue.ts";
import { connectionFrom } from "../../support/clients.ts";
import { testDeps } from "../../support/deps.ts";

/** Routes that are not queued, with the reason. */
const BESIDE_THE_QUEUE: Readonly<Record<string, string>> = {
  "/api/v1": "the quota of a key limits it",
  "/static": "a file in memory",
  "/.well-known": "a constant",
  "/robots.txt": "a constant",
  "/favicon.ico": "a constant",
  "/live": "tells the platform whether the process answers",
  "/account/link": "a redirection",
};

/** A value of each parameter of a path. */
const PARAMETERS: Readonly<Record<string, string>> = {
  address: "0x52908400098527886e0f7030069857d2e4169ee7",
  addressOrSlug: "0x52908400098527886e0f7030069857d2e4169ee7",
  chainId: "43114",
  metric: "txCount",
  series: "txCount",
  day: "2026-01-01",
  kind: "github",
  tag: "chain-data",
};

/** A picture of each kind. */
const FILES: Readonly<Record<string, string>> = {
  "chain": "43114.png",
  "score": "0x52908400098527886e0f7030069857d2e4169ee7.png",
  "profile": "0x52908400098527886e0f7030069857d2e4169ee7.png",
};

/** Returns a path of a route's pattern. */
const pathOf = (pattern: string) =>
  pattern.replace(
    /:(\w+)(\{[^}]*\})?/g,
    (_, name, form = "") =>
      form.includes("png")
        ? FILES[pattern.split("/")[2]!]!
        : PARAMETERS[name] ?? "x",
  );

Deno.test("every route but those with a reason is answered in the turn of the client's network", async () => {
  using deps = await testDeps();
  const queue = renderQueue(deps);
  const clients: unknown[] = [];
  const app = createApp(deps, {
    ...queue,
    run: (client, work, options) => {
      clients.push(client);
      return queue.run(client, work, options);
    },
  });
  const beside: string[] = [];
  // Middleware of a route is listed with its path, too.
  const routes = new Map(
    app.routes.map((route) => [`${route.method} ${route.path}`, route]),
  );
  for (const { method, path } of routes.values()) {
    const start = Object.keys(BESIDE_THE_QUEUE)
      .find((start) => path.startsWith(start));
    if (method === "ALL" || start !== undefined) continue;
    clients.length = 0;
    const request = new Request(`${deps.publicUrl}${pathOf(path)}`, {
      method,
      ...method !== "GET" && method !== "DELETE" && { body: "{}" },
      headers: { "Content-Type": "application/json", "Origin": deps.publicUrl },
    });
    const response = await app.fetch(
      request,
      connectionFrom("192.0.2.7") as never,
    );
    await response.body?.cancel();
    if (!clients.includes("192.0.2.7")) {
      beside.push(`${method} ${path}: ${response.status}`);
    }
  }
  assertEquals(beside, []);
});
