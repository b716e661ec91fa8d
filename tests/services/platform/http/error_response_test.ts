/** Refusals of upstreams: the reason that is shown, and the cooldown. */
import { assertEquals } from "@std/assert";
import {
  describe,
  OTHER_SHAPE,
  Refused,
  refusedByStatus,
  refusedInWords,
} from "../../../../services/platform/http/error_response.ts";

const named = (name: string) => Object.assign(new Error("words"), { name });

Deno.test("refusedByStatus() and refusedInWords() start a cooldown if the upstream asks for one", () => {
  const byStatus = (status: number, headers: HeadersInit = {}) => {
    const { message, cooldownMs } = refusedByStatus(
      new Response(null, { status, headers }),
      0,
    );
    return [message, cooldownMs];
  };
  assertEquals(byStatus(500), ["status is 500", null]);
  assertEquals(byStatus(429), ["status is 429", 30_000]);
  assertEquals(byStatus(503, { "Retry-After": "7" }), ["status is 503", 7_000]);
  assertEquals(byStatus(429, { "Retry-After": "7" }), ["status is 429", 7_000]);
  const cases: [words: string, message: string, cooldownMs: number | null][] = [
    ["Max rate limit reached.", "Max rate limit reached", 30_000],
    ["Too many requests!", "Too many requests", 30_000],
    ["quota limit exceeded", "quota limit exceeded", 30_000],
    ["No\n\u0007transactions found. ! ", "No transactions found", null],
    ["", "no reason given", null],
    ["x".repeat(101), "x".repeat(100), null],
    ["\u00fc ok", "ok", null],
  ];
  for (const [words, message, cooldownMs] of cases) {
    const refused = refusedInWords(words);
    assertEquals([refused.message, refused.cooldownMs], [message, cooldownMs]);
  }
});

Deno.test("describe() gives a reason that reveals nothing of this machine", () => {
  const cases: [cause: unknown, reason: string][] = [
    [new Refused("status is 500"), "status is 500"],
    [new SyntaxError("at 7"), "answer is not JSON"],
    [named("AbortError"), "answer took too long"],
    [named("TimeoutError"), "answer took too long"],
    [new TypeError("127.0.0.1"), "no connection"],
    [named("ZodError"), OTHER_SHAPE],
    [named("$ZodError"), OTHER_SHAPE],
    [new Error("words"), "words"],
    ["text", "unknown failure"],
  ];
  for (const [cause, reason] of cases) assertEquals(describe(cause), reason);
});
