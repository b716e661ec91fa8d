/** The badge over HTTP: what it shows, and that a label never adds markup. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Element } from "xml-js";
import { badge, BadgeQuery } from "../../../routes/scores/badge.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";
import { fc } from "../../support/properties.ts";
import {
  ADDRESS,
  allOf,
  ask,
  parse,
  PATH,
  textsOf,
} from "../../support/scores/badges.ts";

const MINUTE_MS = 60_000;

/** The facts of an address that was never scored. */
const UNRATED = {
  headline: null,
  composite: null,
  verifiedHuman: null,
  strengths: [],
};

/** Maximum length of a label. */
const MAX_LABEL_CHARACTERS = 64;

/** Marks that change the order in which text is read. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Any text, with lone surrogates, control characters and markup. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom(..."<>&\"';/= ", "]]>", "<!--", "\u202e", "\u0000", "🏔️"),
  ),
  maxLength: MAX_LABEL_CHARACTERS,
}).filter(({ length }) => length <= MAX_LABEL_CHARACTERS);

/** The elements and attribute names of a badge. */
const shapeOf = (root: Element) =>
  allOf(root).filter(({ type }) => type === "element")
    .map(({ name, attributes = {} }) => [
      name,
      ...Object.keys(attributes).filter((name) => !OF_A_SCRIPT.includes(name)),
    ]);

/** Attributes that depend on the script of a label. Their values are constants. */
const OF_A_SCRIPT = ["lengthAdjust", "direction"];

Deno.test("an address that was never scored shows unrated, makes no upstream call, and is scored by a job", async () => {
  using deps = await testDeps();
  const { response, text } = await ask(deps, PATH);
  assertEquals(response.status, 200);
  assertEquals(textsOf(parse(text)).at(-1), "unrated");
  assertEquals(deps.upstreams.explorer.calls.length, 0);
  assertEquals(
    await succeed(deps, "score-waiting"),
    "1 addresses scored, 0 failed",
  );
  deps.advance(MINUTE_MS);
  const { headline } = await readScore(deps, ADDRESS, { requester: SERVICE });
  const { text: rated } = await ask(deps, PATH);
  assertEquals(
    textsOf(parse(rated)).at(-1),
    headline.tierLabel.toLowerCase(),
  );
});

Deno.test("every style shows every metric, with a title and the length of its text", async (t) => {
  using deps = await testDeps();
  const { headline } = await readScore(deps, ADDRESS, { requester: SERVICE });
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
  const facts = { ...UNRATED, verifiedHuman: 1204 };
  assertEquals(textsOf(parse(await badge(facts, query))).at(-1), "#1204");
});

Deno.test("an invalid request gets a 400 with a badge that shows the error", async (t) => {
  using deps = await testDeps();
  const tools = "/api/tools/score-badge";
  const refusals: [path: string, says: RegExp][] = [
    [
      `${tools}/0x12`,
      /^Invalid address "0x12": expected a C-Chain address: 0x and 40 hexa/,
    ],
    [`${tools}/${ADDRESS}0`, /^Invalid address "0x.*": expected a C-Chain/],
    [`${tools}/%3Csvg%3E`, /^Invalid address "<svg>": expected a C-Chain/],
    [
      `${PATH}?style=plastic`,
      /^Invalid style "plastic": expected one of flat, flat-square, for-the-badge$/,
    ],
    [
      `${PATH}?style=flat&style=flat`,
      /^Invalid style "flat", "flat": expected one value$/,
    ],
    [
      `${PATH}?metric=`,
      /^Invalid metric "": expected one of tier, score, human$/,
    ],
    [
      `${PATH}?metric=a&style=b`,
      /^Invalid style "b": expected one of flat, flat-square, for-the-badge$/,
    ],
    [
      `${PATH}?label=${"x".repeat(MAX_LABEL_CHARACTERS + 1)}`,
      /^Invalid label "x+…?": expected at most 64 characters$/,
    ],
    [
      `${PATH}?label=a&label=b`,
      /^Invalid label "a", "b": expected one value$/,
    ],
    [
      `${PATH}?style=%00%E2%80%AE%3Cb%3E`,
      /^Invalid style ".*<b>": expected one of flat/,
    ],
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

Deno.test("a label never adds markup, and its legal characters are shown", async () => {
  const shapes = await Promise.all(["x", ""].map(async (label) => {
    const query = BadgeQuery.parse({ label });
    return JSON.stringify(shapeOf(parse(await badge(UNRATED, query))));
  }));
  await fc.assert(
    fc.asyncProperty(anyText, async (given) => {
      const query = BadgeQuery.parse({ label: given });
      const label = query.label!;
      const root = parse(await badge(UNRATED, query));
      assertEquals(JSON.stringify(shapeOf(root)), shapes[label ? 0 : 1]);
      assertEquals(BIDI.test(label), false);
      // Within what the parser keeps of spaces, all of it is there.
      assertEquals(textsOf(root)[0], label || "unrated");
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("the label over HTTP equals that of the view", async () => {
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
