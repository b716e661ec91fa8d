/** The status says when requests fail too often, and what each of the last 90 days was like. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { StatusAnswer } from "../../services/status/status_schema.ts";
import { FAILED_FIXTURES } from "../../services/scores/test_key_answers.ts";
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
