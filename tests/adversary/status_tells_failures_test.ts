/** The status says when requests fail too often, and what each of the last 90 days was like. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { StatusAnswer } from "../../services/status/status_schema.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { HISTORY_DAYS } from "../../services/platform/observability/traffic_schema.ts";
import { FAILED_FIXTURES } from "../../services/scores/test_addresses_schema.ts";
import { createApiKey } from "../../services/accounts/api_keys.ts";
import { WALLET } from "../support/callers.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";

type App = ReturnType<typeof createApp>;

/** Sends requests. Some get a 503, since their source is down. */
function newVisitor(deps: TestDeps) {
  deps.upstreams.metricsApi.switch.set({ mode: "status", status: 502 });
  return async (app: App, { good = 0, failed = 0 }) => {
    for (let nth = 0; nth < good; nth++) {
      assertEquals((await app.request("/live")).status, 200);
    }
    for (let nth = 0; nth < failed; nth++) {
      const { status } = await app.request("/api/chain-data/metrics");
      assertEquals(status, 503);
    }
  };
}

async function readStatus(app: App) {
  const body = await (await app.request("/status.json")).json();
  const page = await app.request("/status", {
    headers: { Accept: "text/html" },
  });
  return { body: StatusAnswer.parse(body), page: await page.text() };
}

Deno.test("the status is degraded while one request in a hundred fails, and says how many did", async () => {
  for (
    const [failed, status] of [[21, "degraded"], [1, "ok"], [2, "ok"]] as const
  ) {
    using deps = await testDeps();
    const app = createApp(deps);
    const visit = newVisitor(deps);
    await visit(app, { good: 79, failed });
    const { body, page } = await readStatus(app);
    assertEquals(body.status, status);
    assertEquals(
      body.traffic.families.reduce(
        (sum, { serverErrors }) => sum + serverErrors,
        0,
      ),
      failed,
    );
    const headline = status === "ok"
      ? "No source has been read yet."
      : "% of requests failed in the last hour.";
    assertStringIncludes(page, headline);
  }
});

Deno.test("what a client asks for is no failure: features that are not enabled, and simulated errors", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const order = { wallet: WALLET, name: "test", kind: "test" } as const;
  const { key } = (await createApiKey(deps, order))!;
  const { scoringDown } = FAILED_FIXTURES;
  const call = (name: string, address: string) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: { address } },
  });
  const asked: [path: string, status: number, body?: object][] = [
    ["/account/link/github?code=x", 501],
    [`/api/v1/score/${scoringDown.address}`, 500],
    ["/mcp", 200, call("get_score", scoringDown.address)],
  ];
  for (const [path, status, body] of asked) {
    const headers = {
      "X-Api-Key": key,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const init = body && { method: "POST", body: JSON.stringify(body) };
    const response = await app.request(path, { ...init, headers });
    const text = await response.text();
    assertEquals(response.status, status, text);
    if (status === 200) assertStringIncludes(text, "UPSTREAM_UNAVAILABLE");
    if (status === 500) {
      assertEquals(response.headers.get("X-Simulated"), "true");
    }
  }
  const { body } = await readStatus(app);
  // On a busy machine a part of the status may take longer than its second.
  const reasons = body.reasons.filter((text: string) =>
    !text.endsWith("unknown") && !text.startsWith("the database")
  );
  assertEquals(reasons, []);
  assertEquals(body.traffic.serverErrorPct, 0);
  assertEquals(body.history!.at(-1)!.serverErrors, 0);
  // On a busy machine a request may be slow.
  const failed = deps.lines.filter((line) => !line.includes("request.slow"));
  assertEquals(failed, []);
});

Deno.test("one surface that fails degrades the status, though most requests go elsewhere", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const visit = newVisitor(deps);
  await visit(app, { good: 900, failed: 6 });
  const { body } = await readStatus(app);
  assert(body.traffic.serverErrorPct < 1);
  assertEquals(body.status, "degraded");
});

Deno.test("the history adds up the requests of all processes by day, and drops days after 90 days", async () => {
  using deps = await testDeps();
  const apps = [createApp(deps), createApp(deps)] as const;
  const visit = newVisitor(deps);
  // Both processes write at once.
  const visitAll = (counts: { good?: number; failed?: number }) =>
    Promise.all(apps.map((app) => visit(app, counts)));
  await visitAll({ good: 50 });
  deps.advance(DAY_MS);
  await visitAll({ good: 40, failed: 10 });
  deps.advance(2 * DAY_MS);
  await visitAll({ good: 1 });

  const { body, page } = await readStatus(apps[1]);
  const history = body.history!;
  assertEquals(history.length, HISTORY_DAYS);
  assertEquals(history.slice(-4).map(({ requests: _, ...day }) => day), [
    { date: "2026-11-21", status: "ok", serverErrors: 0, serverErrorPct: 0 },
    {
      date: "2026-11-22",
      status: "degraded",
      serverErrors: 20,
      serverErrorPct: 20,
    },
    { date: "2026-11-23", status: null, serverErrors: 0, serverErrorPct: 0 },
    { date: "2026-11-24", status: "ok", serverErrors: 0, serverErrorPct: 0 },
  ]);
  assertEquals(history.slice(-4).map(({ requests }) => requests).slice(0, 3), [
    100,
    100,
    0,
  ]);
  assertStringIncludes(page, "2026-11-22: 20 % of 100 requests failed");

  deps.advance(HISTORY_DAYS * DAY_MS);
  await visitAll({ good: 1 });
  const later = await readStatus(createApp(deps));
  assertEquals(later.body.history!.length, HISTORY_DAYS);
  assert(later.body.history!.every(({ serverErrors }) => serverErrors === 0));
});

Deno.test("counts that cannot be written wait, and none is lost", async () => {
  using deps = await testDeps();
  let isDown = true;
  const { trafficDays } = deps.store;
  const store = {
    ...deps.store,
    trafficDays: {
      ...trafficDays,
      add: (...args: Parameters<typeof trafficDays.add>) =>
        isDown ? Promise.reject(new Error("down")) : trafficDays.add(...args),
    },
  };
  const app = createApp({ ...deps, store });
  const visit = newVisitor(deps);
  await visit(app, { good: 5 });
  deps.advance(301_000);
  await visit(app, { good: 5 });
  isDown = false;
  const { body } = await readStatus(app);
  assertEquals(body.history!.at(-1)!.requests, 10);
});
