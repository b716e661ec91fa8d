import { SERVICE } from "../../../../services/platform/rate_limit/call_budget.ts";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { z } from "zod";
import { Fault } from "../../../../services/platform/fault.ts";
import {
  getJson,
  type Http,
} from "../../../../services/platform/http/http_client.ts";

const NOW = new Date("2026-11-21T08:00:00Z");
const Shape = z.object({ value: z.number() });

/** Returns an Http that answers every call with one response, and records each pause. */
function httpThat(answer: (request: Request) => Response | Promise<Response>) {
  const pausesMs: number[] = [];
  const http: Http = {
    fetch: async (input, init) => {
      const aborted = Promise.withResolvers<Response>();
      const { signal } = init!;
      signal!.onabort = () => aborted.reject(signal!.reason);
      aborted.promise.catch(() => {});
      return await Promise.race([answer(input as Request), aborted.promise]);
    },
    now: () => NOW,
    timeoutMs: 30,
    rateLimiter: {
      name: "",
      waitMs: () => 0,
      acquire: () => Promise.resolve(),
      start: (options) => Promise.resolve(options),
      prepare: () => Promise.resolve(),
      reserve: (options) => Promise.resolve(options),
      pause: (forMs) => {
        pausesMs.push(forMs);
        return Promise.resolve();
      },
    },
  };
  return { http, pausesMs };
}

const read = (http: Http) =>
  getJson(http, new Request("http://up.test/path?x=1"), Shape, {
    priority: "reader",
    signal: new AbortController().signal,
    requester: SERVICE,
  });

Deno.test("getJson() returns the validated body, and whether it was simulated", async () => {
  const { http } = httpThat(() =>
    Response.json({ value: 1, more: 2 }, {
      headers: { "X-Simulated": "simnet" },
    })
  );
  assertEquals(await read(http), { body: { value: 1 }, simulated: true });
});

Deno.test("getJson() throws an upstreamDown fault for every failure", async (t) => {
  const failures: [
    name: string,
    answer: () => Response | Promise<Response>,
    reason: RegExp,
  ][] = [
    ["refused", () => {
      throw new TypeError("connection refused by 10.0.0.1");
    }, /no connection$/],
    ["slow", () => Promise.withResolvers<Response>().promise, /took too long$/],
    ["400", () => new Response("{}", { status: 400 }), /status is 400$/],
    ["404", () => new Response("{}", { status: 404 }), /status is 404$/],
    ["500", () => new Response("no", { status: 500 }), /status is 500$/],
    ["503", () => new Response(null, { status: 503 }), /status is 503$/],
    ["HTML", () => new Response("<!doctype html><p>1015"), /not JSON$/],
    ["broken JSON", () => new Response('{"value":'), /not JSON$/],
    ["empty body", () => new Response(""), /not JSON$/],
    ["wrong shape", () => Response.json({ value: "x" }), /another shape/],
    ["null", () => Response.json(null), /another shape/],
    ["an endless body", () =>
      new Response(
        new ReadableStream({
          pull: (stream) => stream.enqueue(new Uint8Array(2 ** 20).fill(32)),
        }),
      ), /too large$/],
  ];
  for (const [name, answer, reason] of failures) {
    await t.step(name, async () => {
      const fault = await assertRejects(
        () => read(httpThat(answer).http),
        Fault,
      );
      assertMatch(fault.message, /^Cannot read up\.test: /);
      assertMatch(fault.message, reason);
      assertEquals(fault.failure, {
        kind: "upstreamDown",
        upstream: "up.test",
        retryAfterMs: 30_000,
      });
    });
  }
});

Deno.test("getJson() pauses calls for the upstream's Retry-After, at most ten minutes", async () => {
  const cases: [status: number, retryAfter: string | null, ms: number[]][] = [
    [429, "7", [7_000]],
    [429, null, [30_000]],
    [429, "86400", [600_000]],
    [503, "Sat, 21 Nov 2026 08:00:05 GMT", [5_000]],
    [503, null, []],
  ];
  for (const [status, retryAfter, expected] of cases) {
    const headers = new Headers(
      retryAfter ? { "Retry-After": retryAfter } : {},
    );
    const { http, pausesMs } = httpThat(() =>
      new Response("{}", { status, headers })
    );
    const fault = await assertRejects(() => read(http), Fault);
    assertEquals(pausesMs, expected);
    assertEquals(
      "retryAfterMs" in fault.failure && fault.failure.retryAfterMs,
      expected[0] ?? 30_000,
    );
  }
});

Deno.test("getJson() reads the body of an error, so that its connection serves the next call", async () => {
  const response = new Response("no", { status: 500 });
  await assertRejects(() => read(httpThat(() => response).http), Fault);
  assertEquals(response.bodyUsed, true);
});

Deno.test("getJson() keeps the pause of an error whose body cannot be read", async () => {
  const bodies: [name: string, body: ReadableStream][] = [
    [
      "broken",
      new ReadableStream({ pull: (stream) => stream.error("no gzip") }),
    ],
    [
      "endless",
      new ReadableStream({
        pull: (stream) => stream.enqueue(new Uint8Array(2 ** 20)),
      }),
    ],
  ];
  for (const [name, body] of bodies) {
    const headers = { "Retry-After": "60" };
    const { http, pausesMs } = httpThat(() =>
      new Response(body, { status: 429, headers })
    );
    const { message } = await assertRejects(() => read(http), Fault);
    assertMatch(message, /asks all callers for a pause/, name);
    assertEquals(pausesMs, [60_000], name);
  }
});
