/** What no route of the app answers. */
import { assert, assertEquals } from "@std/assert";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { UnsupportedPathError } from "hono/router";
import { createApp } from "../../routes/app.ts";
import { enrol } from "../support/callers.ts";
import { testDeps } from "../support/deps.ts";

Deno.test("an unknown path is a 404 that names where its own surface is listed", async (t) => {
  using deps = await testDeps();
  const app = createApp(deps);
  const { key } = await enrol(deps);
  const lists: [path: string, list: string][] = [
    ["/api/chain-data/prices", "/api/chain-data"],
    ["/api/v1/nope", "/api/v1"],
    ["/api/v1/score/0x12/nope/nope", "/api/v1"],
    ["/api/v10", "/openapi.json"],
    ["/api/account/nope", "/openapi.json"],
    ["/api/profiles", "/openapi.json"],
    ["/api/tools/nope", "/openapi.json"],
    ["/api/nope", "/openapi.json"],
    ["/nope", "/docs"],
    ["/.well-known/nope", "/docs"],
  ];
  for (const [path, list] of lists) {
    await t.step(path, async () => {
      const headers = { "X-Api-Key": key };
      const response = await app.request(path, { headers });
      assertEquals(response.status, 404);
      const { error, code } = await response.json();
      assertEquals(code, "NOT_FOUND");
      assertEquals(error, `Cannot find ${path}: see ${list}`);
      assertEquals((await app.request(list)).status, 200, list);
    });
  }
});

Deno.test("no route conflicts with those before it, so Hono serves them by its fastest router", async () => {
  using deps = await testDeps();
  let compatible: Route[] = [];
  for (const { method, path } of createApp(deps).routes) {
    const next = [...compatible, { method, path }];
    assert(canRoute(next), `${method} ${path} conflicts with an earlier route`);
    compatible = next;
  }
  assert(!canRoute([...compatible, { method: "GET", path: "/docs/:slug" }]));
});

/** A route's method and pattern. */
interface Route {
  readonly method: string;
  readonly path: string;
}

/** Returns whether the router for one regular expression accepts the routes. */
function canRoute(routes: readonly Route[]): boolean {
  const router = new RegExpRouter<null>();
  try {
    for (const { method, path } of routes) router.add(method, path, null);
    router.match("GET", "/");
    return true;
  } catch (error) {
    if (error instanceof UnsupportedPathError) return false;
    throw error;
  }
}

Deno.test("a preflight is answered for a day, with what scripts of other origins may send and read", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const files =
    "Accept-Ranges,Content-Length,Content-Range,ETag,Link,Retry-After";
  const conditions =
    "If-Match,If-Modified-Since,If-None-Match,If-Unmodified-Since";
  const surfaces: readonly [
    path: string,
    headers: string,
    exposed: string | null,
  ][] = [
    ["/api/chain-data/chains", `Cache-Control,${conditions}`, null],
    [
      "/downloads/manifest.json",
      `Range,${conditions},If-Range`,
      files,
    ],
  ];
  for (const [path, headers, exposed] of surfaces) {
    const ask = (method: string) =>
      app.request(path, {
        method,
        headers: {
          Origin: "https://site.test",
          "Access-Control-Request-Method": "GET",
          "Access-Control-Request-Headers": headers,
        },
      });
    const { status, headers: given } = await ask("OPTIONS");
    const cors = ["Origin", "Methods", "Headers"].map((name) =>
      given.get(`Access-Control-Allow-${name}`)
    );
    assertEquals([status, ...cors], [204, "*", "GET,HEAD", headers], path);
    assertEquals(given.get("Access-Control-Max-Age"), "86400", path);
    if (exposed === null) continue;
    const answer = await ask("GET");
    await answer.body?.cancel();
    assertEquals(
      answer.headers.get("Access-Control-Expose-Headers"),
      exposed,
    );
  }
});
