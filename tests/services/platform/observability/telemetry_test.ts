/**
 * Traces of requests, jobs and upstream calls, none without an exporter; how calls are
 * counted and timed.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createApp } from "../../../../routes/app.ts";
import { openTelemetry } from "../../../../services/platform/open/open_telemetry.ts";
import { SILENT } from "../../../../services/platform/observability/telemetry.ts";
import { instrumentCalls } from "../../../../services/platform/observability/process_metrics.ts";
import { testDeps } from "../../../support/deps.ts";
import { runNamed } from "../../../support/jobs.ts";
import { newTracer } from "../../../support/telemetry/tracer.ts";

Deno.test("openTelemetry() returns a silent tracer without an exporter", async () => {
  assertEquals(await openTelemetry((text) => text), SILENT);
  const done = await SILENT.trace(
    { name: "x", kind: "internal", attributes: {} },
    ({ set, fail }) => {
      set({ a: 1 });
      fail(new Error("no"));
      return Promise.resolve(7);
    },
  );
  assertEquals([done, SILENT.traceId()], [7, undefined]);
});

Deno.test("trace() of a job has its outcome, and a span for each upstream call", async () => {
  const { telemetry, spans, asked } = newTracer();
  using deps = await testDeps({ telemetry });
  await runNamed(deps, "snapshot-validators");
  const [job, call] = spans;
  assertEquals([job!.name, job!.kind], ["job snapshot-validators", "internal"]);
  assertEquals(job!.attributes, {
    "firn.job": "snapshot-validators",
    "firn.job.outcome": "snapshot taken",
    "firn.job.items": 0,
  });
  assertEquals(job!.errors, []);
  assertEquals([call!.name, call!.kind], [
    "pChain platform.getCurrentValidators",
    "client",
  ]);
  assertEquals(call!.attributes["server.address"], "p-chain.test");
  assert(asked.some(({ commits }) => commits === 1));
});

Deno.test("trace() of a failed job has the error, on the job and on the failed call", async () => {
  const { telemetry, spans } = newTracer();
  using deps = await testDeps({ telemetry });
  deps.upstreams.pChainRpc.switch.set({ mode: "html" });
  await runNamed(deps, "snapshot-validators");
  const [job, call] = spans;
  const told = "Cannot read p-chain.test: answer is not JSON";
  assertEquals(job!.attributes["firn.job.outcome"], told);
  assertEquals(job!.errors.map(String), [`Fault: ${told}`]);
  assert(call!.errors[0] instanceof SyntaxError);
  const { upstreams } = deps.processMetrics.read();
  const counted = upstreams.find(({ upstream }) => upstream === "pChain")!;
  assertEquals([counted.calls, counted.errors], [1, 1]);
});

Deno.test("trace() of a request names the route, never the path", async () => {
  const { telemetry, spans } = newTracer();
  using deps = await testDeps({ telemetry });
  const app = createApp(deps);
  const address = `0x${"12".repeat(20)}`;
  const asked: [method: string, path: string, name: string][] = [
    ["GET", "/api/chain-data/metrics?key=K", "GET /api/chain-data/metrics"],
    ["HEAD", "/api/chain-data/chains", "HEAD /api/chain-data/chains"],
    ["GET", `/api/v1/score/${address}`, "GET /api/v1/score/:address"],
    ["GET", "/nowhere/K", "GET"],
    ["POST", "/api/chain-data/metrics", "POST"],
    ["constructor", "/api/chain-data/metrics", "HTTP"],
  ];
  for (const [method, path, name] of asked) {
    spans.length = 0;
    const response = await app.request(path, { method });
    await response.body?.cancel();
    const [span] = spans;
    assertEquals([span!.name, span!.kind], [name, "server"]);
    assertEquals(
      span!.attributes["http.request.method"],
      method === "constructor" ? "_OTHER" : method,
    );
    assertEquals(
      span!.attributes["http.response.status_code"],
      response.status,
    );
    assertEquals(
      span!.attributes["firn.request_id"],
      response.headers.get("X-Request-Id") ?? undefined,
    );
    assert(!JSON.stringify(span).includes("K"), path);
  }
});

Deno.test("trace() of a request that fails without an error is failed", async () => {
  const { telemetry, spans } = newTracer();
  using deps = await testDeps({ telemetry });
  const store = { ...deps.store, ping: () => Promise.reject(new Error("no")) };
  const app = createApp({ ...deps, store });
  const response = await app.request("/api/v1/health");
  await response.body?.cancel();
  assertEquals(response.status, 503);
  assertEquals(spans[0]!.errors, [503]);
});

Deno.test("trace() of a call has the port of its upstream apart from the name", async () => {
  const { telemetry, spans } = newTracer();
  const processMetrics = { calls: { add() {} } } as never;
  const instrument = instrumentCalls({ telemetry, processMetrics })("pChain");
  const operation = () => "ask";
  for (const host of ["up.test", "up.test:8443", "[::1]:80", "[::1]"]) {
    await instrument({ host, operation }, () => Promise.resolve());
  }
  assertEquals(
    spans.map(({ attributes }) => [
      attributes["server.address"],
      attributes["server.port"],
    ]),
    [["up.test", undefined], ["up.test", 8443], ["[::1]", 80], [
      "[::1]",
      undefined,
    ]],
  );
});

Deno.test("a call is counted under its upstream with its time, and as failed only if it throws", async () => {
  const counted: [upstream: string, ms: number, failed: boolean][] = [];
  const instrument = instrumentCalls({
    telemetry: SILENT,
    processMetrics: {
      calls: {
        add: (upstream: string, ms: number, { failed }: { failed: boolean }) =>
          counted.push([upstream, ms, failed]),
      },
    } as unknown as Parameters<typeof instrumentCalls>[0]["processMetrics"],
  });
  const call = {
    host: "up.test",
    operation: () => {
      throw new Error("not needed without traces");
    },
  };
  const { now } = performance;
  let ms = 1_000;
  performance.now = () => ms;
  try {
    const answer = await instrument("pChain")(call, () => {
      ms += 7;
      return Promise.resolve("answer");
    });
    assertEquals(answer, "answer");
    await assertRejects(() =>
      instrument("metrics")(call, () => {
        ms += 9;
        return Promise.reject(new Error("down"));
      })
    );
  } finally {
    performance.now = now;
  }
  assertEquals(counted, [["pChain", 7, false], ["metrics", 9, true]]);
});
