/** A request whose body never ends is answered 408. */
import { assertEquals } from "@std/assert";
import { limitBody } from "../../routes/http/body.ts";
import { newRouter } from "../../routes/http/router.ts";
import { onError } from "../../routes/pages/on_error.ts";

Deno.test("a body that does not arrive in time is a 408, and its handler is not called", async (t) => {
  let calls = 0;
  const router = newRouter();
  router.onError(onError);
  router.use(limitBody(1_000, { maxMs: 20 }));
  router.post("/", (c) => {
    calls++;
    return c.text("ok");
  });
  const first = new TextEncoder().encode('{"address":');
  for (const headers of [{}, { "Content-Length": "500" }]) {
    await t.step(JSON.stringify(headers), async () => {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(first),
      });
      const init = { method: "POST", body, headers };
      const response = await router.request("/", init);
      assertEquals(response.status, 408);
      assertEquals((await response.json()).code, "REQUEST_TIMEOUT");
    });
  }
  assertEquals(calls, 0);
  const whole = await router.request("/", { method: "POST", body: "{}" });
  assertEquals([whole.status, await whole.text()], [200, "ok"]);
});
