/** The badge over HTTP: what it shows, that nothing breaks out of it, and how it is kept. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import fc from "fast-check";
import { type Element, xml2js } from "xml-js";
import { createApp } from "../../../routes/app.ts";
import { badge } from "../../../routes/views/scores/badge.ts";
import { BadgeQuery } from "../../../services/scores/badge_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";

const ADDRESS = exampleOf("ordinary");
const PATH = `/api/tools/score-badge/${ADDRESS}`;
const MINUTE_MS = 60_000;

/** Maximum length of a label. */
const MAX_LABEL_CHARACTERS = 64;

/** XML 1.0, section 2.2: all that a document may hold. */
const LEGAL =
  /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;

/** Marks that change the order in which text is read. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Any text at all: half surrogates, controls and what markup is made of among it. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom(..."<>&\"';/= ", "]]>", "<!--", "\u202e", "\u0000", "🏔️"),
  ),
  maxLength: MAX_LABEL_CHARACTERS,
}).filter(({ length }) => length <= MAX_LABEL_CHARACTERS);

/** Asks a service for a badge through all of it, as the server does. */
async function ask(deps: TestDeps, path: string, init?: RequestInit) {
  const response = await createApp(deps).fetch(
    new Request(`http://firn.test${path}`, init),
  );
  return { response, text: await response.text() };
}

/** Parses strictly: what is no well-formed document throws. */
function parse(svg: string): Element {
  assertMatch(svg, LEGAL);
  const [root] = (xml2js(svg) as Element).elements!;
  return root!;
}

/** Every element below and with one, the outermost first. */
const allOf = (element: Element): Element[] => [
  element,
  ...(element.elements ?? []).flatMap(allOf),
];

const textsOf = (root: Element) =>
  allOf(root).filter(({ name }) => name === "text")
    .map(({ elements }) => elements![0]!.text as string);

/** What a badge is made of: elements and attributes, whatever their values. */
const shapeOf = (root: Element) =>
  allOf(root).filter(({ type }) => type === "element")
    .map(({ name, attributes = {} }) => [
      name,
      ...Object.keys(attributes).filter((name) => !OF_A_SCRIPT.includes(name)),
    ]);

/** Attributes that depend on the script of a label. Their values are constants. */
const OF_A_SCRIPT = ["lengthAdjust", "direction"];

Deno.test("an address that was never scored is unrated, costs no call, and is scored in time", async () => {
  using deps = await testDeps();
  const { response, text } = await ask(deps, PATH);
  assertEquals(response.status, 200);
  assertEquals(textsOf(parse(text)).at(-1), "unrated");
  assertEquals(deps.upstreams.explorer.calls.length, 0);
  assertEquals(await succeed(deps, "score-waiting"), "1 addresses scored");
  deps.advance(MINUTE_MS);
  const { headline } = await readScore(deps, ADDRESS);
  const { text: rated } = await ask(deps, PATH);
  assertEquals(
    textsOf(parse(rated)).at(-1),
    headline.tierLabel.toLowerCase(),
  );
});

Deno.test("headers let any page show it and nothing in it run", async () => {
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

Deno.test("every style shows every metric, with a title and the length of its text", async (t) => {
  using deps = await testDeps();
  const { headline } = await readScore(deps, ADDRESS);
  const shown = {
    tier: ["Firn tier", headline.tierLabel.toLowerCase()],
    score: ["Firn score", String(headline.score)],
    human: ["Verified Human", "not verified"],
  };
  for (const style of ["flat", "flat-square", "for-the-badge"]) {
    for (const [metric, words] of Object.entries(shown)) {
      await t.step(`${style} ${metric}`, async () => {
        const query = `style=${style}&metric=${metric}`;
        const { text } = await ask(deps, `${PATH}?${query}`);
        const root = parse(text);
        const isLoud = style === "for-the-badge";
        const [label, message] = words.map((word) =>
          isLoud ? word.toUpperCase() : word
        );
        const { role, "aria-label": name } = root.attributes!;
        assertEquals([role, name], ["img", `${label}: ${message}`]);
        const title = allOf(root).find(({ name }) => name === "title")!;
        assertEquals(title.elements![0]!.text, name);
        assertEquals(new Set(textsOf(root)), new Set([label, message]));
        for (const { name, attributes } of allOf(root)) {
          if (name === "text") assert(Number(attributes!.textLength) > 0);
        }
      });
    }
  }
});

Deno.test("a label in a joined script or from right to left keeps the shapes of its letters", async (t) => {
  using deps = await testDeps();
  const cases: [
    label: string,
    lengthAdjust: string | undefined,
    direction: string | undefined,
  ][] = [
    ["نقاط", "spacingAndGlyphs", "rtl"],
    ["1. ניקוד", "spacingAndGlyphs", "rtl"],
    ["अंक", "spacingAndGlyphs", undefined],
    ["score نقاط", "spacingAndGlyphs", undefined],
    ["Очки 分数 점수 – score", undefined, undefined],
  ];
  for (const style of ["flat", "flat-square", "for-the-badge"]) {
    for (const [label, lengthAdjust, direction] of cases) {
      await t.step(`${style} ${label}`, async () => {
        const query = new URLSearchParams({ style, label });
        const { text } = await ask(deps, `${PATH}?${query}`);
        const texts = allOf(parse(text)).filter(({ name }) => name === "text");
        const labels = texts.filter(({ elements }) =>
          String(elements![0]!.text).toLowerCase() === label.toLowerCase()
        );
        assert(labels.length > 0 && labels.length < texts.length);
        for (const { attributes } of labels) {
          assertEquals(attributes!.lengthAdjust, lengthAdjust);
          assertEquals(attributes!.direction, direction);
        }
        for (
          const { attributes } of texts.filter((one) => !labels.includes(one))
        ) {
          assertEquals(attributes!.lengthAdjust, undefined);
        }
      });
    }
  }
});

Deno.test("a Verified Human number is shown whether or not there is a score", async () => {
  const query = BadgeQuery.parse({ metric: "human" });
  const facts = { headline: null, verifiedHuman: 1204 };
  assertEquals(textsOf(parse(await badge(facts, query))).at(-1), "#1204");
});

Deno.test("what is not accepted is a badge that says so, with 400", async (t) => {
  using deps = await testDeps();
  const tools = "/api/tools/score-badge";
  const refusals: [path: string, says: RegExp][] = [
    [`${tools}/0x12`, /^address: a C-Chain address: 0x and 40 hex/],
    [`${tools}/${ADDRESS}0`, /^address: a C-Chain address/],
    [`${tools}/%3Csvg%3E`, /^address: a C-Chain address/],
    [`${PATH}?style=plastic`, /^style: flat, flat-square, for-the-badge$/],
    [`${PATH}?style=flat&style=flat`, /^style: flat/],
    [`${PATH}?metric=`, /^metric: tier, score, human$/],
    [
      `${PATH}?label=${"x".repeat(MAX_LABEL_CHARACTERS + 1)}`,
      /^label: at most 64/,
    ],
    [`${PATH}?label=a&label=b`, /^label: at most 64/],
  ];
  for (const [path, says] of refusals) {
    await t.step(path, async () => {
      const { response, text } = await ask(deps, path);
      assertEquals(response.status, 400);
      const { headers } = response;
      assertEquals(headers.get("Content-Type"), "image/svg+xml; charset=utf-8");
      assertEquals(headers.get("Cache-Control"), "no-store");
      assertMatch(textsOf(parse(text)).at(-1)!, says);
    });
  }
});

Deno.test("no label breaks out of a badge, and what is fit of it stands there", async () => {
  const facts = { headline: null, verifiedHuman: null };
  const shapes = await Promise.all(["x", ""].map(async (label) => {
    const query = BadgeQuery.parse({ label });
    return JSON.stringify(shapeOf(parse(await badge(facts, query))));
  }));
  await fc.assert(
    fc.asyncProperty(anyText, async (given) => {
      const query = BadgeQuery.parse({ label: given });
      const label = query.label!;
      const root = parse(await badge(facts, query));
      assertEquals(JSON.stringify(shapeOf(root)), shapes[label ? 0 : 1]);
      assertEquals(BIDI.test(label), false);
      // Within what the parser keeps of spaces, all of it is there.
      assertEquals(textsOf(root)[0], label || "unrated");
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("the label of a request is the same as that of a view", async () => {
  using deps = await testDeps();
  await fc.assert(
    fc.asyncProperty(anyText, async (label) => {
      const query = new URLSearchParams({ label });
      const { response, text } = await ask(deps, `${PATH}?${query}`);
      assertEquals(response.status, 200, label);
      parse(text);
    }),
    { numRuns: 200 },
  );
});

Deno.test("a badge is one for every spelling of its address and for unknown parameters", async () => {
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

Deno.test("a score that is out of date stays on the badge", async () => {
  using deps = await testDeps();
  const { headline } = await readScore(deps, ADDRESS);
  deps.advance(20 * DAY_MS);
  const { text } = await ask(deps, `${PATH}?metric=score`);
  assertEquals(textsOf(parse(text)).at(-1), String(headline.score));
});
