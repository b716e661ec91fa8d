/** Kept pictures: for how long, how many, and what a network is charged for them. */
import { assertEquals } from "@std/assert";
import { Hono } from "hono";
import { pictureCache } from "../../../routes/pages/picture_cache.ts";
import { connectionFrom, NO_PROXIES } from "../../support/clients.ts";
import { testDeps } from "../../support/deps.ts";
import { rendererOf } from "../../support/pictures.ts";

Deno.test("a picture is charged to its network when it is made, and nothing when it is kept", async () => {
  using deps = await testDeps();
  const charged: unknown[] = [];
  const send = pictureCache(
    deps,
    {
      run: (client, work, { route }) => {
        charged.push([client, route]);
        return work();
      },
    },
    rendererOf(() => Promise.resolve(Uint8Array.of(1))),
  );
  const app = new Hono().get("/:name", (c) =>
    send(c, {
      key: c.req.param("name"),
      file: "picture",
      density: 1,
      draw: () => Promise.resolve("<svg/>"),
    }));
  const ask = async (name: string, from: string) =>
    (await app.request(`/${name}`, {}, connectionFrom(from))).status;
  for (const name of ["a", "b", "a"]) {
    assertEquals(await ask(name, "192.0.2.1"), 200);
  }
  assertEquals(await ask("a", "198.51.100.1"), 200);
  assertEquals(charged, [
    ["192.0.2.1", "picture"],
    ["192.0.2.1", "picture"],
  ]);
});

/** A sender whose pictures are their number, at a clock that the test moves. */
function open(start: string, { bytes = 1 } = {}) {
  let ms = Date.parse(start);
  let rendered = 0;
  const jobs: { svg: string; width: number; background?: string }[] = [];
  const send = pictureCache(
    {
      now: () => new Date(ms),
      proxies: NO_PROXIES,
    },
    { run: (_client, work) => work() },
    rendererOf((job) => {
      jobs.push(job);
      return Promise.resolve(new Uint8Array(bytes).fill(++rendered));
    }),
  );
  const ask = async (
    more: Partial<Parameters<typeof send>[1]> = {},
    headers: Record<string, string> = {},
  ) => {
    const app = new Hono().get("/", (c) =>
      send(c, {
        key: "a",
        file: "chain-7",
        density: 1,
        draw: () => Promise.resolve("<svg/>"),
        ...more,
      }));
    const response = await app.request("/", { headers });
    const body = await response.bytes();
    return { response, first: body[0], bytes: body.byteLength };
  };
  return { ask, jobs, advance: (byMs: number) => ms += byMs };
}

Deno.test("a picture is kept for ten minutes or as long as it says, at most until the UTC day ends", async () => {
  const usual = open("2026-11-21T08:00:00Z");
  const first = await usual.ask();
  assertEquals(
    first.response.headers.get("Cache-Control"),
    "public, max-age=600",
  );
  usual.advance(599_999);
  const last = await usual.ask();
  assertEquals(last.first, 1);
  assertEquals(last.response.headers.get("Cache-Control"), "public, max-age=1");
  usual.advance(1);
  assertEquals((await usual.ask()).first, 2);
  const short = open("2026-11-21T08:00:00Z");
  await short.ask({ heldMs: 60_000 });
  short.advance(59_999);
  assertEquals((await short.ask({ heldMs: 60_000 })).first, 1);
  short.advance(1);
  assertEquals((await short.ask({ heldMs: 60_000 })).first, 2);
  const late = open("2026-11-21T23:59:59Z");
  await late.ask();
  late.advance(999);
  assertEquals((await late.ask()).first, 1);
  late.advance(1);
  assertEquals((await late.ask()).first, 2);
  const slow = open("2026-11-21T23:59:59Z");
  const draw = () => {
    slow.advance(1_000);
    return Promise.resolve("<svg/>");
  };
  await slow.ask({ draw });
  assertEquals((await slow.ask()).first, 2, "drawn for the day before");
});
