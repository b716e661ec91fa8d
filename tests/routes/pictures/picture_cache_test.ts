/** How many pictures a network may have rendered. */
import { assert, assertEquals } from "@std/assert";
import { Hono } from "hono";
import { pictureCache } from "../../../routes/pictures/picture_cache.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { connectionFrom } from "../../support/clients.ts";
import { testDeps } from "../../support/deps.ts";

Deno.test("a network gets 30 new pictures a minute; kept ones and other networks are not limited by it", async () => {
  using deps = await testDeps();
  let rendered = 0;
  const send = pictureCache(
    deps,
    { run: (_client, work) => work() },
    () => Promise.resolve(Uint8Array.of(++rendered)),
  );
  const app = new Hono().get("/:name", (c) =>
    send(c, {
      key: c.req.param("name"),
      file: "picture",
      density: 1,
      draw: () => Promise.resolve("<svg/>"),
    })).onError((error, c) => {
      assert(error instanceof Fault, String(error));
      return c.text(error.message, 429);
    });
  const ask = async (name: string, from = "192.0.2.1") =>
    (await app.request(`/${name}`, {}, connectionFrom(from))).status;
  for (let nth = 0; nth < 30; nth++) assertEquals(await ask(`${nth}`), 200);
  assertEquals(await ask("30"), 429);
  assertEquals(await ask("0"), 200, "a kept picture");
  assertEquals(rendered, 30);
  assertEquals(await ask("30", "198.51.100.1"), 200, "another network");
  assertEquals(await ask("31"), 429, "what others made counts for them");
  deps.advance(2_000);
  assertEquals(await ask("31"), 200, "30 a minute are one in two seconds");
  assertEquals(await ask("32"), 429);
  assertEquals(rendered, 32);
});
