/** Requests in the log: which are there, and how one is found by the id of its answer. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import { Hono } from "hono";
import { requestId } from "hono/request-id";
import { createApp } from "../../../routes/app.ts";
import { onCrash } from "../../../routes/pages/on_error.ts";
import { requestLog } from "../../../routes/http/dispatcher.ts";
import type { Deps } from "../../../services/deps.ts";
import { enrol } from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";
import { logged } from "../../support/logged.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ADDRESS = `0x${"12".repeat(20)}`;

Deno.test("every error of every surface carries an id", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const refused: [path: string, status: number, method?: string][] = [
    ["/api/chain-data/metrics?range=x", 400],
    ["/api/chain-data/metrics", 405, "POST"],
    ["/api/chain-data/nothing", 404],
    [`/api/v1/score/${ADDRESS}`, 401],
    ["/api/v1/nothing", 404],
    ["/api/account", 401],
    ["/api/account/challenge", 403, "POST"],
    [`/api/profiles/${ADDRESS}`, 404],
    ["/api/tools/score-badge/0x1", 400],
    ["/chart/nothing.svg", 400],
    ["/account/link/github?code=x", 501],
    ["/static/nothing.js", 404],
    ["/nowhere", 404],
    ["/status.json?x=1", 400],
  ];
  for (const [path, status, method = "GET"] of refused) {
    const response = await app.request(path, { method });
    assertEquals(response.status, status, path);
    assertMatch(response.headers.get("X-Request-Id") ?? "", UUID, path);
    await response.body?.cancel();
  }
  assertEquals(deps.lines, [], "refusals are the client's doing");
});

Deno.test("an error is found in the log by the id that its client knows", async (t) => {
  const surfaces: [path: string, status: number, route: string][] = [
    ["/api/chain-data/metrics", 503, "/api/chain-data/metrics"],
    [`/api/v1/score/${ADDRESS}`, 500, "/api/v1/score/:address"],
  ];
  for (const [path, status, route] of surfaces) {
    await t.step(path, async () => {
      using deps = await testDeps();
      const { key } = await enrol(deps);
      for (const upstream of Object.values(deps.upstreams)) {
        upstream.switch.set({ mode: "status", status: 502 });
      }
      const headers = { "X-Api-Key": key, "X-Request-Id": "of-the_client=1" };
      const response = await createApp(deps).request(path, { headers });
      assertEquals(response.status, status);
      assertEquals(response.headers.get("X-Request-Id"), "of-the_client=1");
      const [line] = logged(deps.lines, "request.unavailable");
      assertEquals(
        [line!.requestId, line!.method, line!.route, line!.status],
        ["of-the_client=1", "GET", route, status],
      );
      assertMatch(String(line!.error), /Cannot/);
      assert(!deps.lines.join().includes(ADDRESS), "the route is its pattern");
    });
  }
});

Deno.test("an id that a client makes up is taken over only if it is well-formed", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const ids = [
    "a b",
    "x".repeat(256),
    '","level":"info',
    "é",
    "",
    "%0a",
    "<b>",
  ];
  for (const id of ids) {
    const headers = { "X-Request-Id": id };
    const { headers: answered } = await app.request("/nowhere", { headers });
    assertNotEquals(answered.get("X-Request-Id"), id);
    assertMatch(answered.get("X-Request-Id")!, UUID);
  }
});

Deno.test("answers that caches keep carry no id, cold or warm", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  for (const path of ["/api/chain-data/metrics", "/docs", "/static/firn.css"]) {
    for (const when of ["cold", "warm"]) {
      const response = await app.request(path);
      assertEquals(response.status, 200);
      assertEquals(response.headers.has("X-Request-Id"), false, path + when);
      await response.body?.cancel();
    }
  }
});

/** An app that takes so long for each request. */
function slowApp(
  deps: Pick<Deps, "log" | "telemetry" | "processMetrics">,
  ms: number,
) {
  let clock = 0;
  const elapsed = () => clock;
  return new Hono()
    .use(requestId(), requestLog({ ...deps, elapsed }))
    .get("/api/v1/:slow", (c) => {
      clock += ms;
      return c.text("done");
    });
}

Deno.test("a slow answer is in the log, and every one among the timings", async () => {
  using deps = await testDeps();
  for (const ms of [20, 1_999, 2_000]) {
    await slowApp(deps, ms).request("/api/v1/secret-of-the-path");
  }
  const [line, ...others] = logged(deps.lines, "request.slow");
  assertEquals(others, []);
  assertEquals(
    [line!.route, line!.status, line!.ms],
    ["/api/v1/:slow", 200, 2_000],
  );
  const { latency } = deps.processMetrics.read();
  const scoring = latency.find(({ family }) => family === "scoring")!;
  assertEquals([scoring.requests, scoring.p99Ms], [3, 2_000]);
});

Deno.test("an error that the app itself throws is answered with the id in the log", async () => {
  using deps = await testDeps();
  const response = onCrash(deps)(new Error("secret detail"));
  assertEquals(response.status, 500);
  assertEquals(response.headers.get("Cache-Control"), "no-store");
  const [line] = logged(deps.lines, "request.failed");
  assertEquals(line!.requestId, response.headers.get("X-Request-Id"));
  assertEquals(line!.error, "secret detail");
  assertEquals((await response.json()).message, "internal error");
});
