import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { z } from "zod";
import { Fault } from "../../../../services/platform/fault.ts";
import {
  getJson,
  type Http,
} from "../../../../services/platform/http/http_client.ts";
import {
  assertFaults,
  CALL_OPTIONS,
  httpThat,
} from "../../../support/upstreams.ts";

const Shape = z.object({ value: z.number() });

const read = (http: Http) =>
  getJson(http, new Request("http://up.test/path?x=1"), Shape, CALL_OPTIONS);

Deno.test("getJson() returns the validated body, and whether it was simulated", async () => {
  const { http } = httpThat(() =>
    Response.json({ value: 1, more: 2 }, {
      headers: { "X-Simulated": "simnet" },
    })
  );
  assertEquals(await read(http), { body: { value: 1 }, simulated: true });
});

Deno.test("getJson() throws an upstreamDown fault for every failure", async (t) => {
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (stream) => stream.enqueue(new Uint8Array(2 ** 20).fill(32)),
      }),
    );
  await assertFaults(t, read, [
    ["404", () => new Response("{}", { status: 404 }), /status is 404$/],
    ["503", () => new Response(null, { status: 503 }), /status is 503$/],
    ["empty body", () => new Response(""), /not JSON$/],
    ["wrong shape", () => Response.json({ value: "x" }), /another shape/],
    ["an endless body", endless, /too large$/],
  ]);
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
    const { http, closedForMs } = httpThat(() =>
      new Response("{}", { status, headers })
    );
    const fault = await assertRejects(() => read(http), Fault);
    assertEquals(closedForMs, expected);
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
    const { http, closedForMs } = httpThat(() =>
      new Response(body, { status: 429, headers })
    );
    const { message } = await assertRejects(() => read(http), Fault);
    assertMatch(message, /asks all callers for a pause/, name);
    assertEquals(closedForMs, [60_000], name);
  }
});
