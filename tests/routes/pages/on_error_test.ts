/** Headers of the answers to faults. */
import { assertEquals } from "@std/assert";
import { Hono } from "hono";
import { onError } from "../../../routes/pages/on_error.ts";
import { type Failure, Fault } from "../../../services/platform/fault.ts";

/** Returns the answer to a fault. */
function answerTo(failure: Failure): Response | Promise<Response> {
  const router = new Hono();
  router.onError(onError);
  router.get("/", () => {
    throw new Fault("Cannot serve it", failure);
  });
  return router.request("/");
}

Deno.test("Retry-After is the wait in whole seconds, rounded up and at least one", async () => {
  const rows: [retryAfterMs: number, seconds: string][] = [
    [0, "1"],
    [1, "1"],
    [1_000, "1"],
    [1_001, "2"],
    [59_999.5, "60"],
    [3_600_000, "3600"],
  ];
  for (const [retryAfterMs, seconds] of rows) {
    const failure = { kind: "tooManyChanges", retryAfterMs } as const;
    const { headers } = await answerTo(failure);
    assertEquals(headers.get("Retry-After"), seconds, `${retryAfterMs} ms`);
  }
  const { headers } = await answerTo({ kind: "badInput" });
  assertEquals(headers.get("Retry-After"), null);
});
