/** The content of the reference, read from an OpenAPI document. */
import { assertEquals } from "@std/assert";
import type {
  OpenApi,
  Operation,
  Schema,
} from "../../../routes/docs/openapi_document.ts";
import { operationsOf } from "../../../routes/docs/reference.ts";

const URL_OF_SITE = "https://firn.example";

const SCHEMAS: Record<string, Schema> = {
  Day: { type: "string", format: "date", description: "A UTC day" },
  Pair: {
    type: "object",
    required: ["day"],
    properties: {
      day: { $ref: "#/components/schemas/Day" },
      values: {
        type: "array",
        items: {
          type: "object",
          required: ["value"],
          properties: { value: { type: "number" } },
        },
      },
    },
  },
};

function documentOf(
  operation: Partial<Operation>,
  { path = "/api/x", method = "get" } = {},
): OpenApi {
  const whole: Operation = {
    operationId: "getX",
    summary: "Read X",
    tags: ["X"],
    responses: {},
    ...operation,
  };
  return {
    info: { title: "Firn", version: "1" },
    tags: [],
    paths: { [path]: { [method]: whole } },
    components: { schemas: SCHEMAS },
  };
}

const shownOf = (...given: Parameters<typeof documentOf>) =>
  operationsOf(documentOf(...given), "X", URL_OF_SITE)[0]!;

const exampleIn = (
  lang: string,
  ...given: Parameters<typeof documentOf>
) => shownOf(...given).examples.find((one) => one.lang === lang)!.text;

const curlOf = (...given: Parameters<typeof documentOf>) =>
  exampleIn("sh", ...given);

const schemaOf = (schema: Schema) => ({
  content: { "application/json": { schema } },
});

/** The fields of a body: name, type, whether it is required. */
const fieldsOf = (schema: Schema) =>
  shownOf({ requestBody: schemaOf(schema) }).body
    .map(({ name, type, isRequired }) => [name, type, isRequired]);

const parameterOf = (schema: Schema, example?: unknown) =>
  shownOf({ parameters: [{ name: "p", in: "query", schema, example }] })
    .parameters[0]!;

Deno.test("operationsOf() lists the operations of one tag, with what they need", () => {
  const document = documentOf({});
  assertEquals(operationsOf(document, "Y", URL_OF_SITE), []);
  assertEquals(shownOf({}), {
    id: "getX",
    method: "GET",
    path: "/api/x",
    summary: "Read X",
    needs: null,
    examples: [
      { lang: "sh", text: "curl 'https://firn.example/api/x'" },
      {
        lang: "ts",
        text: 'const response = await fetch("https://firn.example/api/x");\n' +
          "console.log(response.status, (await response.arrayBuffer()).byteLength);",
      },
      {
        lang: "py",
        text:
          'import urllib.request\n\nrequest = urllib.request.Request(\n    "https://firn.example/api/x",\n)\n' +
          "with urllib.request.urlopen(request) as response:\n    print(response.status, len(response.read()))",
      },
    ],
    trial: { fields: [], needsKey: false },
    parameters: [],
    body: [],
    answers: [],
    errors: [],
  });
  const needs = (name: string) => shownOf({ security: [{ [name]: [] }] }).needs;
  assertEquals(["ApiKey", "Session", "Other"].map(needs), [
    "needs an API key",
    "needs a signed-in wallet",
    null,
  ]);
});

Deno.test("nested fields follow their parent, with [] for items and * for the values of a record", () => {
  assertEquals(
    fieldsOf({
      required: ["pair"],
      properties: {
        pair: { $ref: "#/components/schemas/Pair" },
        open: { type: "object", additionalProperties: { type: "integer" } },
      },
    }),
    [
      ["pair", "Pair", true],
      ["pair.day", "Day", true],
      ["pair.values", "object[]", false],
      ["pair.values[].value", "number", true],
      ["open", "object", false],
      ["open.*", "integer", false],
    ],
  );
  assertEquals(
    fieldsOf({ items: { properties: { a: { type: "null" } } } }),
    [["[].a", "null", false]],
  );
});

Deno.test("a field of alternatives is required if all of them require it, and accepts the values of all", () => {
  const part = (kind: Schema, required: string[] = []): Schema => ({
    properties: { kind },
    required,
  });
  const both = (one: Schema, other: Schema) =>
    shownOf({ requestBody: schemaOf({ anyOf: [one, other] }) }).body
      .map(({ accepted, isRequired }) => [accepted, isRequired]);
  assertEquals(
    both(part({ const: "a" }, ["kind"]), part({ const: "b" }, ["kind"])),
    [["One of a, b", true]],
  );
  assertEquals(
    both(part({ enum: ["a", "b"] }, ["kind"]), part({ enum: ["b", "c"] })),
    [["One of a, b, c", false]],
  );
  assertEquals(
    both(part({ const: "a" }), part({ type: "string" })),
    [["Always a", false]],
  );
});

Deno.test("a field shows its type, what it accepts, its default, its example and its description", () => {
  const types: [schema: Schema, type: string][] = [
    [{ type: "string" }, "string"],
    [{ type: "string", format: "date" }, "string (date)"],
    [{ type: ["string", "null"] }, "string or null"],
    [{ items: { type: "integer" } }, "integer[]"],
    [{ $ref: "#/components/schemas/Day" }, "Day"],
    [{}, "any"],
    [
      {
        anyOf: [{ type: "string" }, { type: "null" }, { type: "string" }],
      },
      "string or null",
    ],
  ];
  for (const [schema, type] of types) {
    assertEquals(parameterOf(schema).type, type);
  }
  const accepted: [schema: Schema, words: string][] = [
    [{}, ""],
    [{ enum: ["a", 1] }, "One of a, 1"],
    [{ const: 0 }, "Always 0"],
    [{ const: false }, "Always false"],
    [{ minimum: 0, maximum: 9 }, "From 0 to 9"],
    [{ minimum: 1 }, ""],
    [{ maximum: 1 }, ""],
    [{ minimum: -1e15, maximum: 9 }, ""],
    [{ minimum: 0, maximum: 1e15 }, ""],
    [{ enum: ["a"], minimum: 0, maximum: 1 }, "One of a. From 0 to 1"],
  ];
  for (const [schema, words] of accepted) {
    assertEquals(parameterOf(schema).accepted, words, JSON.stringify(schema));
  }
  const example = (value: unknown) => parameterOf({}, value).example;
  assertEquals(example(undefined), null);
  assertEquals(example("a"), "a");
  assertEquals(example({ a: [1] }), '{"a":[1]}');
  assertEquals(example("x".repeat(120)), "x".repeat(120));
  assertEquals(example("x".repeat(121)), `${"x".repeat(120)}…`);
  assertEquals(parameterOf({ default: 7 }).defaultValue, "7");
  const [field] = shownOf({
    requestBody: schemaOf({
      properties: { day: { $ref: "#/components/schemas/Day" } },
    }),
  }).body;
  assertEquals(field!.description, "A UTC day");
  const required = { name: "p", in: "query", required: true } as const;
  const [parameter] = shownOf({
    parameters: [{ ...required, description: "Words", schema: {} }],
  }).parameters;
  assertEquals([parameter!.description, parameter!.isRequired], [
    "Words",
    true,
  ]);
  assertEquals(parameterOf({}).isRequired, false);
});

Deno.test("answers below 400 list their fields, and errors do not", () => {
  const answer = (example?: unknown) => ({
    description: "Words",
    content: {
      "application/json": {
        schema: { properties: { a: { type: "string" } } },
        ...example === undefined ? {} : { example },
      },
    },
  });
  const { answers, errors } = shownOf({
    responses: {
      200: answer({ a: "b" }),
      304: { description: "Not modified" },
      399: answer(),
      400: answer(),
      503: { description: "Down" },
    },
  });
  assertEquals(
    [...answers, ...errors].map(({ status, fields, example }) => [
      status,
      fields.length,
      example,
    ]),
    [
      ["200", 1, '{\n  "a": "b"\n}'],
      ["304", 0, null],
      ["399", 1, null],
      ["400", 0, null],
      ["503", 0, null],
    ],
  );
  assertEquals([answers.length, errors.length], [3, 2]);
});

Deno.test("the curl command has the path, the required query, the credentials, the origin and the body", () => {
  const parameters: Operation["parameters"] = [
    { name: "id", in: "path", required: true, schema: {}, example: 7 },
    { name: "day", in: "query", required: true, schema: { default: "a b" } },
    { name: "more", in: "query", schema: {}, example: 1 },
  ];
  assertEquals(
    curlOf({ parameters }, { path: "/api/x/{id}" }),
    "curl 'https://firn.example/api/x/7?day=a+b'",
  );
  const secured = (name: string) =>
    curlOf({ security: [{ [name]: [] }] }).split("\n").slice(1);
  assertEquals(secured("ApiKey"), ['  -H "X-Api-Key: $FIRN_KEY"']);
  assertEquals(secured("Session"), ['  -b "$FIRN_SESSION"']);
  assertEquals(secured("Other"), []);
  const body = {
    content: { "application/json": { schema: {}, example: { a: 1 } } },
  };
  const account = { path: "/api/account/keys", method: "post" };
  assertEquals(curlOf({ requestBody: body }, account).split(" \\\n  "), [
    "curl -X POST 'https://firn.example/api/account/keys'",
    "-H 'Origin: https://firn.example'",
    "-H 'Content-Type: application/json'",
    `-d '{"a":1}'`,
  ]);
  assertEquals(
    curlOf({}, { ...account, method: "get" }),
    "curl 'https://firn.example/api/account/keys'",
  );
  assertEquals(
    curlOf({}, { path: "/api/v1/x", method: "delete" }),
    "curl -X DELETE 'https://firn.example/api/v1/x'",
  );
});

Deno.test("the same request is written in TypeScript and in Python, with secrets from the environment", () => {
  const given = {
    security: [{ ApiKey: [] }],
    requestBody: {
      content: {
        "application/json": {
          schema: {},
          example: { a: [1, true, null], b: 'it\'s "x"' },
        },
      },
    },
    responses: { 200: { description: "", ...schemaOf({}) } },
  };
  const post = { method: "post" };
  assertEquals(
    exampleIn("ts", given, post),
    `const response = await fetch("https://firn.example/api/x", {
  method: "POST",
  headers: {
    "X-Api-Key": process.env.FIRN_KEY!,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({"a":[1,true,null],"b":"it's \\"x\\""}),
});
console.log(response.status, await response.json());`,
  );
  assertEquals(
    exampleIn("py", given, post),
    `import json
import os
import urllib.request

request = urllib.request.Request(
    "https://firn.example/api/x",
    method="POST",
    headers={
      "X-Api-Key": os.environ["FIRN_KEY"],
      "Content-Type": "application/json",
    },
    data=json.dumps({"a": [1, True, None], "b": "it's \\"x\\""}).encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`,
  );
});

Deno.test("what needs no wallet has a form with its parameters, required ones filled in, and a key apart", () => {
  const parameters: Operation["parameters"] = [
    { name: "id", in: "path", required: true, schema: {}, example: 7 },
    { name: "many", in: "query", schema: { type: "array" }, example: "a" },
  ];
  const trialOf = (...given: Parameters<typeof documentOf>) =>
    shownOf(...given).trial;
  assertEquals(trialOf({ parameters, security: [{ ApiKey: [] }] }), {
    needsKey: true,
    fields: [
      {
        in: "path",
        name: "id",
        isRequired: true,
        isList: false,
        value: "7",
        placeholder: "",
      },
      {
        in: "query",
        name: "many",
        isRequired: false,
        isList: true,
        value: "",
        placeholder: "a",
      },
    ],
  });
  assertEquals(trialOf({ security: [{ Session: [] }] }), null);
  assertEquals(trialOf({}, { method: "delete" }), null);
  assertEquals(trialOf({}, { method: "post" }), null);
});
