/** How the SDK gives up: after its timeout, or when the caller aborts. */
import { assertEquals, assertRejects } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { Firn } from "../../sdk/mod.ts";
import { BASE_URL, type Scripted, scripted } from "../support/sdk/service.ts";
import { failureOf, refuse, settle, silence } from "../support/sdk/outcomes.ts";

Deno.test("an attempt without an answer in time is a TIMEOUT, and is sent again", async () => {
  using time = new FakeTime();
  const { firn, requests } = scripted([silence, silence], {
    timeoutMs: 1000,
    retries: 1,
  });
  const failed = failureOf(firn.chains());
  await settle(time, failed);
  const { code, status, message } = await failed;
  assertEquals([code, status, message], [
    "TIMEOUT",
    0,
    "No answer within 1000 ms",
  ]);
  assertEquals(requests.length, 2);
});

Deno.test("an attempt may take 15 seconds by default", async () => {
  using time = new FakeTime();
  const { firn } = scripted([silence], { retries: 0 });
  const failed = failureOf(firn.chains());
  await settle(time, failed);
  const { code, message } = await failed;
  assertEquals([code, message], ["TIMEOUT", "No answer within 15000 ms"]);
});

Deno.test("an infinite timeout does not end an attempt", async () => {
  using time = new FakeTime();
  const firn = new Firn({
    baseUrl: BASE_URL,
    timeoutMs: Infinity,
    retries: 0,
    fetch: (_, init) =>
      new Promise((resolve, reject) => {
        const signal = init!.signal!;
        signal.addEventListener("abort", () => reject(signal.reason));
        setTimeout(() => resolve(Response.json({ chains: [] })), 100_000);
      }),
  });
  const call = firn.chains();
  await settle(time, call);
  assertEquals((await call).chains, []);
});

Deno.test("the timeout includes the body", async () => {
  using time = new FakeTime();
  const firn = new Firn({
    baseUrl: BASE_URL,
    timeoutMs: 1000,
    retries: 0,
    // As of a real fetch, the body fails when the signal aborts.
    fetch: (_, init) => {
      const signal = init!.signal!;
      const body = new ReadableStream({
        start(controller) {
          signal.addEventListener("abort", () => {
            controller.error(signal.reason);
          });
        },
      });
      return Promise.resolve(new Response(body));
    },
  });
  const failed = failureOf(firn.chains());
  await settle(time, failed);
  assertEquals((await failed).code, "TIMEOUT");
});

Deno.test("an abort ends the request, and the wait for a retry, with its own reason", async (t) => {
  class Stopped extends Error {}
  const busy = refuse(503, { headers: { "Retry-After": "50" } });
  const states: [name: string, first: Scripted][] = [
    ["while the request runs", silence],
    ["while it waits for a retry", busy],
  ];
  for (const [name, first] of states) {
    await t.step(name, async () => {
      using time = new FakeTime();
      const { firn, requests } = scripted([first]);
      const controller = new AbortController();
      const call = firn.chains({ signal: controller.signal });
      const failed = assertRejects(() => call, Stopped);
      await time.tickAsync(10);
      controller.abort(new Stopped());
      await failed;
      assertEquals(requests.length, 1);
    });
  }
  await t.step("before the wait for a retry", async () => {
    using _time = new FakeTime();
    const controller = new AbortController();
    const { firn } = scripted([async () => {
      const text = () => {
        controller.abort(new Stopped());
        return Promise.resolve("{}");
      };
      return Object.assign(await busy(), { text });
    }]);
    const { signal } = controller;
    await assertRejects(() => firn.chains({ signal }), Stopped);
  });
  await t.step("before the request is sent", async () => {
    const { firn, requests } = scripted([]);
    const signal = AbortSignal.abort(new Stopped());
    await assertRejects(() => firn.chains({ signal }), Stopped);
    assertEquals(requests.length, 0);
  });
});

Deno.test("an abort ends a download whose body is read", async () => {
  class Stopped extends Error {}
  const firn = new Firn({
    baseUrl: BASE_URL,
    fetch: (_, init) => {
      const signal = init!.signal!;
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode("first"));
          signal.addEventListener("abort", () => {
            controller.error(signal.reason);
          });
        },
      });
      return Promise.resolve(new Response(body));
    },
  });
  const controller = new AbortController();
  const { body } = await firn.download("a.csv.gz", {
    signal: controller.signal,
  });
  const reader = body!.getReader();
  assertEquals((await reader.read()).done, false);
  controller.abort(new Stopped());
  await assertRejects(() => reader.read(), Stopped);
});
