/** Generated values: those that a schema accepts, almost accepted ones, and hostile ones. */
import {
  alternativesOf,
  type OpenApi,
  type Schema,
} from "../../../routes/docs/openapi_document.ts";
import { fc } from "../properties.ts";

/** A header that no answer may have. */
export const INJECTED = "X-Injected";

/** Names of inherited object members, and names that no endpoint accepts. */
export const HOSTILE_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "__defineGetter__",
  "then",
  "toJSON",
  "length",
  "0",
  "",
  " ",
  "\0",
  "metric[]",
  "metric[$ne]",
  "Metric",
  "öäü",
  "x".repeat(300),
] as const;

const LONG = [255, 256, 257, 4_096, 20_000];

/** Texts that have broken services before. */
const HOSTILE_TEXTS: readonly string[] = [
  ...HOSTILE_NAMES,
  "null",
  "undefined",
  "true",
  "NaN",
  "Infinity",
  "-1",
  "-0",
  "0",
  "00",
  "1e309",
  "0x10",
  "1.5",
  "9007199254740993",
  "9".repeat(400),
  "0x",
  `0x${"g".repeat(40)}`,
  `0X${"a".repeat(40)}`,
  `0x${"a".repeat(39)}`,
  `0x${"a".repeat(41)}`,
  `0x${"a".repeat(39)}\n`,
  `0x${"а".repeat(40)}`,
  "0000-00-00",
  "2026-02-30",
  "9999-12-31",
  "+275760-09-14",
  "2026-11-21T08:00:00Z",
  "2026-11-21T07:59:59.999999999Z",
  "2026-11-21T08:00:00+14:00",
  "1970-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "../../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "/./././",
  "//evil.test/",
  "https://evil.test/",
  "javascript:alert(1)",
  `\r\n${INJECTED}: 1\r\n\r\n`,
  `\n${INJECTED}: 1`,
  `%0d%0a${INJECTED}:%201`,
  "<script>alert(1)</script>",
  `"><img src=x onerror=alert(1)>`,
  "]]><!--",
  "=cmd|' /C calc'!A0",
  "+1+1",
  "-1+1",
  "@SUM(1,1)",
  "\t=1",
  "'; DROP TABLE scores; --",
  "${7*7}",
  "{{7*7}}",
  "%",
  "%%",
  "%zz",
  "%00",
  "%c0%ae%c0%ae/",
  "%ff",
  "%ed%a0%80",
  "%u0041",
  "\u202egnp.exe",
  "\ufeff",
  "\u200b",
  "\ud800",
  "\udc00\ud800",
  "é",
  "e\u0301",
  "ﬁ",
  "İıſK",
  "𝟜𝟛𝟙𝟙𝟜",
  "٤٣١١٤",
  "👨‍👩‍👧‍👦",
  "a" + "\u0301".repeat(500),
  "[]",
  "{}",
  "[object Object]",
  "a,b",
  "a;b",
  "a b",
  "a+b",
  "xn--a",
  "localhost",
  "127.0.0.1",
  "169.254.169.254",
  ...LONG.map((length) => "a".repeat(length)),
];

/** Generates a hostile text. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 50 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
);

/** Changes that make a valid text almost valid. */
const NEAR: readonly ((text: string) => string)[] = [
  (text) => ` ${text}`,
  (text) => `${text} `,
  (text) => `${text}\n`,
  (text) => `${text}\0`,
  (text) => `+${text}`,
  (text) => `-${text}`,
  (text) => `${text},${text}`,
  (text) => `${text}${text}`,
  (text) => `'${text}'`,
  (text) => `["${text}"]`,
  (text) => text.slice(1),
  (text) => text.slice(0, -1),
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => `${text}\u200d`,
  (text) => `\u202e${text}`,
  (text) => text.replace(/[aeo]/, (letter) => `${letter}\u0301`),
  (text) => text.replace(/\d/, "٣"),
  (text) => text.replace(/[a-z]/, "\u0430"),
  (text) => encodeURIComponent(encodeURIComponent(text.toWellFormed())),
  (text) => text.split("").join("\0"),
];

/** Generates a text by changing a valid one. */
export function nearText(accepted: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(accepted, fc.constantFrom(...NEAR))
    .map(([text, change]) => change(text));
}

/** Generates hostile JSON as text, which may contain what no JavaScript object can represent. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "null",
      "true",
      "false",
      "0",
      "-0",
      "-1",
      "1.5",
      "1e400",
      "-1e400",
      "9007199254740993",
      "9".repeat(2_000),
      '""',
      '"\\u0000"',
      '"\\ud800"',
      "[]",
      "{}",
      "[null]",
      "[[]]",
      '{"__proto__":{"isAdmin":true}}',
      '{"constructor":{"prototype":{"isAdmin":true}}}',
      '{"toString":null,"valueOf":null}',
      '{"toJSON":1}',
      '{"length":-1}',
      nested("[", "]", 50),
      nested("[", "]", 7_000),
      nested('{"a":', "}", 2_500),
      `[${"0,".repeat(5_000)}0]`,
      `[${"null,".repeat(60)}null]`,
    ),
  },
  { weight: 2, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);

function nested(open: string, close: string, depth: number): string {
  return `${open.repeat(depth)}0${close.repeat(depth)}`;
}

/** Generates a value that a schema accepts, as far as JSON Schema describes it. */
export function acceptedBy(
  document: OpenApi,
  schema: Schema,
): fc.Arbitrary<unknown> {
  const parts = alternativesOf(document, schema);
  return fc.oneof(...parts.map((part) => acceptedByPart(document, part)));
}

function acceptedByPart(
  document: OpenApi,
  schema: Schema,
): fc.Arbitrary<unknown> {
  const { type = "string", properties = {}, required = [] } = schema;
  const types = [type].flat();
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (types.includes("object")) {
    const fields = Object.entries(properties)
      .map(([name, field]) => [name, acceptedBy(document, field)] as const);
    const requiredKeys = required.filter((name) => name in properties);
    return fc.record(Object.fromEntries(fields), { requiredKeys });
  }
  if (types.includes("array")) {
    const { minItems: minLength = 0, maxItems = 5 } = schema;
    const item = acceptedBy(document, schema.items ?? {});
    return fc.array(item, { minLength, maxLength: Math.min(maxItems, 5) });
  }
  if (types.includes("integer") || types.includes("number")) {
    const { minimum: min = -1_000, maximum: max = 1_000_000 } = schema;
    return fc.integer({ min, max });
  }
  if (types.includes("boolean")) return fc.boolean();
  const text = acceptedText(schema);
  return types.includes("null") ? fc.option(text) : text;
}

/** Look-around, for which the generator has no support. */
const LOOK_AROUND = /\(\?/;

function acceptedText(schema: Schema): fc.Arbitrary<string> {
  const { pattern, format, example, maxLength = 40 } = schema;
  const texts: fc.Arbitrary<string>[] = [schema.default, example]
    .filter((given) => given !== undefined)
    .map((given) => fc.constant(String(given)));
  if (format === "uuid") texts.push(fc.uuid());
  else if (format === "date") texts.push(dayText);
  else if (pattern !== undefined && !LOOK_AROUND.test(pattern)) {
    texts.push(fc.stringMatching(new RegExp(pattern), { size: "small" }));
  } else if (texts.length === 0) {
    texts.push(fc.string({ minLength: 1, maxLength: Math.min(maxLength, 40) }));
  }
  return fc.oneof(...texts);
}

const dayText = fc.date({
  min: new Date("2015-01-01"),
  max: new Date("2030-12-31"),
  noInvalidDate: true,
}).map((date) => date.toISOString().slice(0, 10));

/** Percent-encodes any text; lone surrogates as the bytes that UTF-8 would not allow. */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
