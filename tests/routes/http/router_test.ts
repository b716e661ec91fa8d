/** Routers: what they validate before a handler runs, and what they describe. */
import { assertEquals } from "@std/assert";
import { createRoute, z } from "@hono/zod-openapi";
import { NoQuery } from "../../../services/platform/wire_schema.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { checkQuery } from "../../../routes/http/query.ts";
import { json, jsonBody, newRouter } from "../../../routes/http/router.ts";

const responses = { 200: json(z.object({}), "Fine") };
const params = z.object({ id: z.string().regex(/^\d+$/, "digits") });

/** A router whose faults are answered as their message with 400. */
function open() {
  const router = newRouter();
  router.onError((error, c) =>
    error instanceof Fault ? c.text(error.message, 400) : c.text("defect", 500)
  );
  return router;
}

async function ask(
  router: ReturnType<typeof open>,
  path: string,
  init?: RequestInit,
): Promise<string> {
  const response = await router.request(path, init);
  return `${response.status} ${await response.text()}`;
}

Deno.test("a route without a query refuses one, and a route with a path checks it first", async () => {
  const router = open();
  const plain = createRoute({
    method: "get",
    path: "/plain",
    request: { query: NoQuery },
    responses,
  });
  router.openapi(plain, (c) => c.text("plain") as never);
  const item = createRoute({
    method: "get",
    path: "/items/{id}",
    request: { query: NoQuery, params },
    responses,
  });
  router.openapi(item, (c) => c.text(c.req.valid("param").id) as never);
  const free = createRoute({ method: "get", path: "/free", responses });
  router.openapi(free, (c) => c.text("free") as never);
  assertEquals(await ask(router, "/plain"), "200 plain");
  assertEquals(await ask(router, "/plain?"), "200 plain");
  assertEquals(
    await ask(router, "/plain?a=1"),
    '400 Unknown parameter "a": expected no parameters',
  );
  assertEquals(await ask(router, "/items/7"), "200 7");
  assertEquals(
    await ask(router, "/items/x"),
    '400 Invalid id "x": expected digits',
  );
  assertEquals(
    await ask(router, "/items/x?a=1"),
    '400 Unknown parameter "a": expected no parameters',
  );
  assertEquals(await ask(router, "/free?a=1"), "200 free");
});

Deno.test("a route with a body checks the path and the query before the body", async () => {
  const router = open();
  const body = z.object({ a: z.number("a number") });
  const route = createRoute({
    method: "post",
    path: "/items/{id}",
    middleware: [async (c, next) => {
      await next();
      c.header("X-Seen", "yes");
    }],
    request: { query: NoQuery, params, body: jsonBody(body) },
    responses,
  });
  router.openapi(route, (c) => c.text(`${c.req.valid("json").a}`) as never);
  const post = (path: string, body: string) =>
    ask(router, path, {
      method: "POST",
      body: new TextEncoder().encode(body),
      headers: { "Content-Type": "application/json" },
    });
  assertEquals(await post("/items/7", '{"a":5}'), "200 5");
  assertEquals(
    await post("/items/7", '{"a":"b"}'),
    '400 Invalid a "b": expected a number',
  );
  assertEquals(
    await post("/items/x", '{"a":"b"}'),
    '400 Invalid id "x": expected digits',
  );
  assertEquals(
    await post("/items/7?b=1", '{"a":"b"}'),
    '400 Unknown parameter "b": expected no parameters',
  );
  const seen = await router.request("/items/7", { method: "POST" });
  assertEquals(seen.headers.get("X-Seen"), "yes");
});

Deno.test("every route is described, except hidden ones", () => {
  const router = open();
  const add = (path: string, more: object) =>
    router.openapi(
      createRoute({ method: "get", path, responses, ...more }),
      (c) => c.text("") as never,
    );
  const query = z.object({ a: z.string() });
  add("/free", {});
  add("/hidden", { hide: true });
  add("/none", { request: { query: NoQuery } });
  add("/some", { request: { query } });
  const { paths } = router.getOpenAPIDocument({
    openapi: "3.0.0",
    info: { title: "Test", version: "1" },
  });
  assertEquals(Object.keys(paths!).sort(), ["/free", "/none", "/some"]);
});

Deno.test("checkQuery() takes each parameter once, and says what it expects", async () => {
  const router = open();
  const Query = z.strictObject({
    a: z.enum(["b", "c"]).default("b"),
    d: z.string().optional(),
  }, "expected a and d");
  router.get("/", (c) => c.text(JSON.stringify(checkQuery(c, Query))));
  const rows: [query: string, answer: string][] = [
    ["", '200 {"a":"b"}'],
    ["?a=c&d=e", '200 {"a":"c","d":"e"}'],
    ["?a=x", '400 Invalid a "x": expected one of b, c'],
    ["?a=b&a=c", '400 Invalid a "b", "c": expected one value'],
    ["?f=1", '400 Unknown parameter "f": expected a and d'],
  ];
  for (const [query, answer] of rows) {
    assertEquals(await ask(router, `/${query}`), answer);
  }
});
