/** Caching of the badge: one entry for all spellings, validators, HEAD and expiry. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assertEquals, assertNotEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { testDeps } from "../../support/deps.ts";
import {
  ADDRESS,
  ask,
  parse,
  PATH,
  textsOf,
} from "../../support/scores/badges.ts";

const MINUTE_MS = 60_000;

Deno.test("its headers allow embedding on any page and forbid scripts", async () => {
  using deps = await testDeps();
  const { headers } = (await ask(deps, PATH)).response;
  const expected = {
    "Content-Type": "image/svg+xml; charset=utf-8",
    "Cache-Control": "public, max-age=300",
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept-Encoding",
  };
  const names = Object.keys(expected);
  assertEquals(
    Object.fromEntries(names.map((name) => [name, headers.get(name)])),
    expected,
  );
});

Deno.test("all spellings of an address, and unknown parameters, share one badge", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const upper = PATH.replace(ADDRESS, `0x${ADDRESS.slice(2).toUpperCase()}`);
  let reads = 0;
  const { findAll } = deps.store.signals;
  deps.store.signals.findAll = (...args) => {
    reads++;
    return findAll(...args);
  };
  const answers = await Promise.all(
    [PATH, upper, `${PATH}?v=7`, `${PATH}?style=flat`, PATH].map((path) =>
      app.fetch(new Request(`http://firn.test${path}`))
    ),
  );
  assertEquals(
    new Set(answers.map(({ headers }) => headers.get("ETag"))).size,
    1,
  );
  assertEquals(reads, 1);
  const other = await app.request(`${PATH}?label=other`);
  assertNotEquals(other.headers.get("ETag"), answers[0]!.headers.get("ETag"));
});

Deno.test("a client that has the badge gets 304, until it changes", async () => {
  using deps = await testDeps();
  const { response } = await ask(deps, PATH);
  const headers = { "If-None-Match": response.headers.get("ETag")! };
  const again = await ask(deps, PATH, { headers });
  assertEquals([again.response.status, again.text], [304, ""]);
  await readScore(deps, ADDRESS, { requester: SERVICE });
  deps.advance(MINUTE_MS);
  assertEquals((await ask(deps, PATH, { headers })).response.status, 200);
});

Deno.test("HEAD answers as GET does, without the body", async () => {
  using deps = await testDeps();
  const { response, text } = await ask(deps, PATH);
  const head = await ask(deps, PATH, { method: "HEAD" });
  assertEquals([head.response.status, head.text], [200, ""]);
  assertEquals(
    head.response.headers.get("Content-Length"),
    String(new TextEncoder().encode(text).length),
  );
  assertEquals(
    head.response.headers.get("ETag"),
    response.headers.get("ETag"),
  );
});

Deno.test("an outdated score stays on the badge", async () => {
  using deps = await testDeps();
  const { headline } = await readScore(deps, ADDRESS, { requester: SERVICE });
  deps.advance(20 * DAY_MS);
  const { text } = await ask(deps, `${PATH}?metric=score`);
  assertEquals(textsOf(parse(text)).at(-1), String(headline.score));
});
