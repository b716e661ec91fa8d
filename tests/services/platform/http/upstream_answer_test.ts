/** Refusals of upstreams: the reason that is shown, the cooldown, and Retry-After. */
import { assertEquals } from "@std/assert";
import {
  callOf,
  describe,
  OTHER_SHAPE,
  parseRetryAfter,
  Refused,
  refusedByStatus,
  refusedInWords,
} from "../../../../services/platform/http/upstream_answer.ts";

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
    ["Max rate limit reached.", "its rate limit is reached", 30_000],
    ["Too many requests!", "its rate limit is reached", 30_000],
    ["quota limit exceeded", "its rate limit is reached", 30_000],
    ["Invalid API Key (QX7R)", "it refuses our access", null],
    ["execution reverted", "the contract reverted", null],
    ["the method eth_x does not exist", "it does not offer the call", null],
    ["header not found", "it lacks the data", null],
    ["request timed out", "it ran out of time", null],
    ["block range is too wide", "it finds the call too large", null],
    ["https://user:pass@host/key", "it refused the call", null],
    ["", "it refused the call", null],
  ];
  for (const [words, message, cooldownMs] of cases) {
    const refused = refusedInWords(words);
    assertEquals([refused.message, refused.cooldownMs], [message, cooldownMs]);
  }
});

Deno.test("refusedInWords() goes by the code of too many calls, whatever the words, but not for a call that is too large", () => {
  const cases: [code: number, words: string, cooldownMs: number | null][] = [
    [-32005, "project ID request rate exceeded", 30_000],
    [-32005, "daily request count exceeded, request rate limited", 30_000],
    [-32029, "please slow down", 30_000],
    [-32097, "upgrade your plan", 30_000],
    [429, "exceeded its compute units per second capacity", 30_000],
    [-32000, "exceeded its compute units per second capacity", 30_000],
    [-32005, "query returned more than 10000 results", null],
    [-32000, "please slow down", null],
  ];
  for (const [code, words, cooldownMs] of cases) {
    assertEquals(refusedInWords(words, code).cooldownMs, cooldownMs, words);
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
    [new Error("words"), "unknown failure"],
    ["text", "unknown failure"],
  ];
  for (const [cause, reason] of cases) assertEquals(describe(cause), reason);
});

const rpc = (method: unknown) =>
  new Request("https://node.test/rpc/TheKeyOfTheNode1", {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: ["0xab"] }),
  });

const OPERATIONS: readonly (readonly [Request, operation: string])[] = [
  [rpc("eth_getBalance"), "eth_getBalance"],
  [rpc("platform.getCurrentValidators"), "platform.getCurrentValidators"],
  [rpc("not a method"), "POST /rpc/*"],
  [rpc(7), "POST /rpc/*"],
  [
    new Request("https://i.test/api?module=account&action=txlist&apikey=KEY"),
    "txlist",
  ],
  [new Request("https://i.test/api?action=a%20b"), "GET /api"],
  [
    new Request("https://m.test/v2/chains/43114/metrics/txCount?pageToken=T"),
    "GET /v2/chains/*/metrics/txCount",
  ],
  [
    new Request("https://g.test/login/oauth/access_token", {
      method: "POST",
      body: "client_secret=S&code=C",
    }),
    "POST /login/oauth/access_token",
  ],
];

Deno.test("callOf() returns host and operation without parameters, and leaves the body unread", async () => {
  for (const [request, operation] of OPERATIONS) {
    const call = callOf(request);
    assertEquals(call.host, new URL(request.url).host);
    assertEquals(await call.operation(), operation);
    assertEquals(request.bodyUsed, false);
  }
});

Deno.test("parseRetryAfter() reads seconds and dates, returns at most ten minutes, and ignores other values", () => {
  const now = Date.parse("2026-11-21T08:00:00Z");
  const cases: [string | null, number | null][] = [
    ["7", 7_000],
    [" 0 ", 0],
    ["7200", 600_000],
    ["Sat, 21 Nov 2026 08:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 07:00:00 GMT", 0],
    ["soon", null],
    ["-5", null],
    ["1.5", null],
    ["", null],
    [null, null],
  ];
  for (const [value, ms] of cases) {
    assertEquals(parseRetryAfter(value, now), ms, String(value));
  }
});
