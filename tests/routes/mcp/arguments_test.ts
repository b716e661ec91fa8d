/** The arguments of tools. */
import { assertEquals, assertThrows } from "@std/assert";
import { z } from "@hono/zod-openapi";
import type { OpenApi } from "../../../routes/docs/openapi_document.ts";
import {
  readBody,
  readQuery,
  requireKnown,
  schemaOf,
  splitCursor,
} from "../../../routes/mcp/arguments.ts";

Deno.test("splitCursor() takes a text or none, and shows the first 60 characters of anything else", () => {
  assertEquals(splitCursor({ a: 1 }), { cursor: undefined, rest: { a: 1 } });
  assertEquals(splitCursor({ a: 1, cursor: "x" }), {
    cursor: "x",
    rest: { a: 1 },
  });
  assertThrows(
    () => splitCursor({ cursor: ["x".repeat(70)] }),
    Error,
    `Invalid cursor "["${"x".repeat(58)}…": expected nextCursor`,
  );
});

const TEXT = { type: "string" };

/** A document of two operations: one with a path and a query, one with a body. */
const DOCUMENT = {
  info: { title: "Test", version: "1" },
  tags: [],
  components: {
    schemas: { Body: { properties: { a: TEXT, b: TEXT }, required: ["b"] } },
  },
  paths: {
    "/x/{id}": {
      get: {
        operationId: "getX",
        parameters: [
          { name: "id", in: "path", required: true, schema: TEXT },
          { name: "day", in: "query", schema: TEXT },
          { name: "format", in: "query", schema: TEXT },
        ],
        responses: {},
      },
      post: {
        operationId: "postX",
        requestBody: {
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Body" },
            },
          },
        },
        responses: {},
      },
    },
  },
} as unknown as OpenApi;

Deno.test("schemaOf() joins the parameters and bodies of operations, but for the format and what is left out", () => {
  assertEquals(schemaOf(DOCUMENT, ["getX"]), {
    type: "object",
    properties: { id: TEXT, day: TEXT },
    required: ["id"],
    additionalProperties: false,
  });
  assertEquals(
    schemaOf(DOCUMENT, ["getX", "postX"], {
      omit: ["id", "a"],
      add: { more: TEXT },
      required: ["more"],
    }),
    {
      type: "object",
      properties: { day: TEXT, b: TEXT, more: TEXT },
      required: ["b", "more"],
      additionalProperties: false,
    },
  );
  assertEquals(schemaOf(DOCUMENT, ["getX"], { omit: ["id", "day"] }), {
    type: "object",
    properties: {},
    additionalProperties: false,
  });
});

Deno.test("requireKnown() names the argument that is unknown, shortened, and those that are known", () => {
  const schema = schemaOf(DOCUMENT, ["getX"]);
  requireKnown({}, schema);
  requireKnown({ id: 1, day: 2 }, schema);
  const error = assertThrows(
    () => requireKnown({ day: 2, ["x".repeat(61)]: 1 }, schema),
    Error,
    `Unknown argument "${"x".repeat(60)}…": expected one of id, day`,
  );
  assertEquals(
    (error as unknown as { failure: object }).failure,
    { kind: "badInput", parameter: `${"x".repeat(60)}…` },
  );
  assertThrows(
    () => requireKnown({ a: 1 }, { ...schema, properties: {} }),
    Error,
    'Unknown argument "a": expected no arguments',
  );
});

Deno.test("readQuery() reads arguments as text, and readBody() as they are", () => {
  const Query = z.object({ day: z.string("a day").regex(/^\d+$/, "digits") });
  assertEquals(readQuery(Query, { day: 7 }), { day: "7" });
  assertEquals(readQuery(Query, { day: "7" }), { day: "7" });
  assertThrows(
    () => readQuery(Query, { day: ["x"] }),
    Error,
    'Invalid day "["x"]": expected digits',
  );
  assertThrows(
    () => readQuery(Query, {}),
    Error,
    "Missing day: expected a day",
  );
  const Body = z.object({ list: z.array(z.string(), "a list") });
  assertEquals(readBody(Body, { list: ["a"] }), { list: ["a"] });
  assertThrows(
    () => readBody(Body, { list: "a" }),
    Error,
    'Invalid list "a": expected a list',
  );
});
