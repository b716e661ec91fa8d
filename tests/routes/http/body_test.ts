/** Limits of request bodies, to the byte, and what counts as JSON. */
import { assertEquals } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { createApp } from "../../../routes/app.ts";
import { newRouter } from "../../../routes/http/router.ts";
import { isJsonType, limitBody } from "../../../routes/http/body.ts";
import { onError } from "../../../routes/pages/on_error.ts";
import { testDeps } from "../../support/deps.ts";

/** A route that answers its body, which may have ten bytes. */
function echo() {
  const router = newRouter();
  router.onError(onError);
  router.use(limitBody(10));
  router.post("/", async (c) => c.text(await c.req.text()));
  return router;
}

/** A stream that sends texts one by one, and fails after the last one if asked to. */
const streamOf = (parts: readonly string[], fails = false) =>
  new ReadableStream({
    start(controller) {
      const encoder = new TextEncoder();
      for (const part of parts) controller.enqueue(encoder.encode(part));
      if (fails) controller.error(new Error("connection lost"));
      else controller.close();
    },
  });

Deno.test("limitBody() takes bodies up to the limit, whole or in parts, and refuses one byte more", async () => {
  const router = echo();
  const cases: readonly [
    parts: string[],
    length: string | null,
    status: number,
  ][] = [
    [["0123456789"], null, 200],
    [["0123456789a"], null, 413],
    [["01234", "56789"], null, 200],
    [["01234", "56789", "a"], null, 413],
    [["é".repeat(5)], null, 200],
    [["é".repeat(5), "a"], null, 413],
    [["0123456789"], "10", 200],
    [["0"], "11", 413],
    [[], null, 200],
  ];
  for (const [parts, length, status] of cases) {
    const init = {
      method: "POST",
      body: streamOf(parts),
      headers: length === null ? {} : { "Content-Length": length },
    };
    const response = await router.request("/", init);
    assertEquals(response.status, status, `${parts} ${length}`);
    if (status === 200) assertEquals(await response.text(), parts.join(""));
    else assertEquals((await response.json()).maxBytes, 10);
  }
  const bare = await router.request("/", { method: "POST" });
  assertEquals([bare.status, await bare.text()], [200, ""]);
});

Deno.test("limitBody() refuses a body that ends early", async () => {
  for (const headers of [{}, { "Content-Length": "5" }]) {
    const body = streamOf(["012"], true);
    const response = await echo().request("/", {
      method: "POST",
      body,
      headers,
    });
    assertEquals(response.status, 400);
    const { error } = await response.json();
    assertEquals(error, "Invalid body: it ended early");
  }
});

Deno.test("isJsonType() takes JSON with parameters, and no other type", () => {
  const types = {
    "application/json": true,
    "Application/JSON; charset=utf-8": true,
    "application/json;a=b;c=d": true,
    "application/json; charset": false,
    "application/jsonl": false,
    "text/plain, application/json": false,
    "": false,
  };
  for (const [type, expected] of Object.entries(types)) {
    assertEquals(isJsonType(type), expected, type);
  }
});

Deno.test("every route that takes a body has its limit, to the byte", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const limits = {
    "/api/account/challenges": 16_384,
    "/mcp": 16_384,
  };
  for (const [path, limit] of Object.entries(limits)) {
    const send = (bytes: number) =>
      app.request(path, {
        method: "POST",
        body: "x".repeat(bytes),
        headers: {
          "Content-Type": "application/json",
          Host: "localhost",
          Accept: "application/json, text/event-stream",
        },
      });
    const [most, more] = [await send(limit), await send(limit + 1)];
    assertEquals([most.status === 413, more.status], [false, 413], path);
  }
});

Deno.test("limitBody() waits ten seconds for a whole body", async () => {
  using time = new FakeTime();
  let status: number | undefined;
  const body = new ReadableStream();
  const asking = Promise.resolve(echo().request("/", { method: "POST", body }))
    .then((response) => status = response.status);
  await time.runMicrotasks();
  time.tick(9_999);
  await time.runMicrotasks();
  assertEquals(status, undefined);
  time.tick(1);
  await asking;
  assertEquals(status, 408);
});
