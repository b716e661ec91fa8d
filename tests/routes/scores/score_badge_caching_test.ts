/** Caching of the badge: one entry for all spellings, validators, HEAD and expiry. */
import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { type Element, xml2js } from "xml-js";
import { createApp } from "../../../routes/app.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const ADDRESS = exampleOf("ordinary");
const PATH = `/api/tools/score-badge/${ADDRESS}`;
const MINUTE_MS = 60_000;

/** The characters that a document may contain: XML 1.0, section 2.2. */
const LEGAL =
  /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;

/** Requests a badge from the whole app, as the server does. */
async function ask(deps: TestDeps, path: string, init?: RequestInit) {
  const response = await createApp(deps).fetch(
    new Request(`http://firn.test${path}`, init),
  );
  return { response, text: await response.text() };
}

/** Parses strictly: throws unless the document is well-formed. */
function parse(svg: string): Element {
  assertMatch(svg, LEGAL);
  const [root] = (xml2js(svg) as Element).elements!;
  return root!;
}

/** Returns an element and all its descendants, outermost first. */
const allOf = (element: Element): Element[] => [
  element,
  ...(element.elements ?? []).flatMap(allOf),
];

const textsOf = (root: Element) =>
  allOf(root).filter(({ name }) => name === "text")
    .map(({ elements }) => elements![0]!.text as string);

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
  await readScore(deps, ADDRESS);
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
  const { headline } = await readScore(deps, ADDRESS);
  deps.advance(20 * DAY_MS);
  const { text } = await ask(deps, `${PATH}?metric=score`);
  assertEquals(textsOf(parse(text)).at(-1), String(headline.score));
});
