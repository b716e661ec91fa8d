/** Traces through an exporter: spans, their redacted texts, and the database operations of each. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { type Context, ROOT_CONTEXT } from "@opentelemetry/api";
import { stub } from "@std/testing/mock";
import { openTelemetry } from "../../../../services/platform/open/open_telemetry.ts";

/** Replaces the runtime's exporter; records what it is told of each span, in order. */
function newExporter() {
  const told: unknown[][] = [];
  let active: Context = ROOT_CONTEXT;
  const startSpan = (
    name: string,
    options?: { kind: number; attributes: Record<string, unknown> },
  ) => {
    told.push(["start", name, options?.kind, options?.attributes]);
    return {
      setAttributes: (given: unknown) => told.push(["set", name, given]),
      setAttribute: (key: string, given: unknown) =>
        told.push(["set", name, { [key]: given }]),
      setStatus: (status: unknown) => told.push(["status", name, status]),
      addEvent: (event: string, facts: Record<string, unknown>) =>
        told.push(["event", name, event, {
          ...facts,
          "exception.stacktrace": typeof facts["exception.stacktrace"],
        }]),
      end: () => told.push(["end", name]),
      spanContext: () => ({ traceId: `trace of ${name}` }),
    };
  };
  const { tracerProvider, contextManager } = Deno.telemetry;
  const stubs = [
    stub(tracerProvider, "getTracer", (() => ({ startSpan })) as never),
    stub(contextManager, "active", () => active),
    stub(
      contextManager,
      "with",
      (async (context: Context, work: () => Promise<unknown>) => {
        const before = active;
        active = context;
        try {
          return await work();
        } finally {
          active = before;
        }
      }) as never,
    ),
  ];
  return {
    /** Returns what was told since the last time. */
    told: () => told.splice(0),
    [Symbol.dispose]: () => stubs.forEach((one) => one.restore()),
  };
}

const NO_OPERATIONS = {
  "firn.kv.reads": 0,
  "firn.kv.keys_read": 0,
  "firn.kv.commits": 0,
  "firn.kv.conflicts": 0,
  "firn.kv.mutations": 0,
};
const redact = (text: string) => text.replaceAll("secret", "***");

Deno.test("a span has its kind, redacted texts and the database operations of its work; a call of an upstream counts for the span around it", async () => {
  using exporter = newExporter();
  const telemetry = await openTelemetry(redact);
  exporter.told();
  assertEquals(telemetry.isExported, true);
  telemetry.countKv({ reads: 9 });
  assertEquals(telemetry.traceId(), undefined);
  const answer = await telemetry.trace({
    name: "GET secret",
    kind: "server",
    attributes: { text: "a secret", count: 2 },
  }, async ({ set }) => {
    telemetry.countKv({ reads: 1, keysRead: 3 });
    await telemetry.trace(
      { name: "call", kind: "client", attributes: {} },
      () => {
        telemetry.countKv({ reads: 1, commits: 1 });
        return Promise.resolve();
      },
    );
    set({ late: "secret" });
    return telemetry.traceId();
  });
  assertEquals(answer, "trace of GET ***");
  assertEquals(exporter.told(), [
    ["start", "GET ***", 1, { text: "a ***", count: 2 }],
    ["start", "call", 2, {}],
    ["end", "call"],
    ["set", "GET ***", { late: "***" }],
    ["set", "GET ***", {
      ...NO_OPERATIONS,
      "firn.kv.reads": 2,
      "firn.kv.keys_read": 3,
      "firn.kv.commits": 1,
    }],
    ["end", "GET ***"],
  ]);
});

Deno.test("a span of failed work has the error with its type and redacted message, and ends", async () => {
  using exporter = newExporter();
  const telemetry = await openTelemetry(redact);
  const failed = (name: string) => [
    ["set", name, { "error.type": "TypeError" }],
    ["status", name, { code: 2, message: "no ***" }],
    ["event", name, "exception", {
      "exception.type": "TypeError",
      "exception.message": "no ***",
      "exception.stacktrace": "string",
    }],
  ];
  exporter.told();
  const error = new TypeError("no secret");
  const thrown = await assertRejects(() =>
    telemetry.trace(
      { name: "job", kind: "internal", attributes: {} },
      () => Promise.reject(error),
    )
  );
  assertStrictEquals(thrown, error);
  assertEquals(exporter.told(), [
    ["start", "job", 0, {}],
    ...failed("job"),
    ["set", "job", NO_OPERATIONS],
    ["end", "job"],
  ]);
  telemetry.fail(error);
  assertEquals(exporter.told(), [], "outside of a span");
  await telemetry.trace(
    { name: "job", kind: "internal", attributes: {} },
    () => {
      telemetry.fail(error);
      return Promise.resolve();
    },
  );
  assertEquals(exporter.told().slice(1, 4), failed("job"));
  await telemetry.trace(
    { name: "request", kind: "server", attributes: {} },
    () => {
      telemetry.failBy(503);
      return Promise.resolve();
    },
  );
  assertEquals(exporter.told().slice(1, 3), [
    ["set", "request", { "error.type": "503" }],
    ["status", "request", { code: 2 }],
  ]);
});
