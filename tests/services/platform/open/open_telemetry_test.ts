import { assert, assertRejects, assertStringIncludes } from "@std/assert";
import { stub } from "@std/testing/mock";
import { ROOT_CONTEXT } from "@opentelemetry/api";
import { openTelemetry } from "../../../../services/platform/open/open_telemetry.ts";

Deno.test("no text of a span has a secret: neither its name, its attributes nor its error", async () => {
  const told: unknown[][] = [];
  const tell = (...given: unknown[]) => {
    told.push(given);
    return span;
  };
  const span: object = new Proxy({}, { get: () => tell });
  const { tracerProvider, contextManager } = Deno.telemetry;
  const startSpan = () => ({ startSpan: tell });
  using _tracer = stub(tracerProvider, "getTracer", startSpan as never);
  using _active = stub(contextManager, "active", () => ROOT_CONTEXT);
  const run = (_: unknown, work: () => unknown) => work();
  using _with = stub(contextManager, "with", run as never);
  const redact = (text: string) => text.replaceAll("secret", "***");
  const telemetry = await openTelemetry(redact);
  const attributes = { text: "a secret" };
  await assertRejects(() =>
    telemetry.trace(
      { name: "GET secret", kind: "server", attributes },
      ({ set }) => {
        set({ late: "later secret" });
        return Promise.reject(new TypeError("no secret"));
      },
    )
  );
  const text = JSON.stringify(told);
  assert(!text.includes("secret"), text);
  for (const shown of ["GET ***", "a ***", "later ***", "no ***"]) {
    assertStringIncludes(text, shown);
  }
});
