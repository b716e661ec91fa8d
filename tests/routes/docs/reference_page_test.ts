/** The reference pages: operations, their fields, their responses, and the index. */
import { assertEquals } from "@std/assert";
import { html } from "hono/html";
import {
  type FieldProps,
  type OperationProps,
  referenceHome,
  referenceOf,
} from "../../../routes/docs/reference.ts";
import { outlineOf } from "../../support/outline.ts";

const field = (name: string, more: Partial<FieldProps> = {}): FieldProps => ({
  name,
  type: "string",
  isRequired: false,
  description: `About ${name}`,
  accepted: "",
  defaultValue: null,
  example: null,
  ...more,
});

const OPERATION: OperationProps = {
  id: "getX",
  method: "GET",
  path: "/api/x",
  summary: "Read X",
  needs: null,
  examples: [{ lang: "sh", text: "curl /api/x" }],
  trial: null,
  parameters: [],
  body: [],
  answers: [],
  errors: [],
};

const linesOf = (more: Partial<OperationProps>) =>
  outlineOf(
    String(referenceOf({
      title: "X",
      description: "All of X",
      operations: [{ ...OPERATION, ...more }],
      codeBlock: (text, lang) => html`<pre>${lang}: ${text}</pre>`,
    })),
    /^method-/,
  );

Deno.test("an operation without parameters and responses has only its head", () => {
  assertEquals(linesOf({}), [
    "h1 X",
    "p All of X",
    "h2 Read X",
    "p .method-get GET /api/x",
    "p curl",
    "pre curl /api/x",
    "button[hidden] Copy",
    "h3 Responses",
  ]);
});

Deno.test("an operation lists what it needs, what is sent and what is answered", () => {
  const answer = { status: "200", description: "The X", example: null };
  assertEquals(
    linesOf({
      method: "POST",
      needs: "needs an API key",
      parameters: [
        field("a", { isRequired: true, accepted: "One of b, c" }),
        field("d", { defaultValue: "7", example: "8" }),
        field("e", { example: "f" }),
      ],
      body: [field("g")],
      answers: [
        { ...answer, fields: [field("h", { example: "i" })] },
        {
          status: "202",
          description: "Later",
          fields: [field("j", { defaultValue: "k" }), field("l")],
          example: "{}",
        },
        { status: "304", description: "Not modified", fields: [], example: "" },
      ],
      errors: [
        { ...answer, status: "400", description: "Wrong", fields: [] },
        { ...answer, status: "404", description: "None", fields: [] },
      ],
    }),
    [
      "h1 X",
      "p All of X",
      "h2 Read X",
      "p .method-post POST /api/x needs an API key",
      "p curl",
      "pre curl /api/x",
      "button[hidden] Copy",
      "h3 Parameters",
      "tr Name | Type | Meaning | Default or example",
      "tr a / required | string | About a / One of b, c | –",
      "tr d | string | About d | default 7",
      "tr e | string | About e | e.g. f",
      "h3 Body",
      "tr Name | Type | Meaning | Default or example",
      "tr g | string | About g | –",
      "h3 Responses",
      "p 200 The X.",
      "summary 1 field",
      "tr Name | Type | Meaning | Example",
      "tr h | string | About h | i",
      "p 202 Later.",
      "summary Example",
      "pre : {}",
      "summary 2 fields",
      "tr Name | Type | Meaning | Example",
      "tr j | string | About j | –",
      "tr l | string | About l | –",
      "p 304 Not modified.",
      "summary Example",
      "pre :",
      "summary 2 errors",
      "tr Status | When",
      "tr 400 | Wrong",
      "tr 404 | None",
    ],
  );
  const one = { ...answer, status: "400", description: "Wrong", fields: [] };
  assertEquals(linesOf({ errors: [one] }).slice(-3), [
    "summary 1 error",
    "tr Status | When",
    "tr 400 | Wrong",
  ]);
});

Deno.test("the index of the reference links each tag and each operation", () => {
  const page = referenceHome([{
    label: "X",
    description: "All of X",
    href: "/docs/reference/x",
    operations: [
      { ...OPERATION, href: "/docs/reference/x#getX" },
      {
        ...OPERATION,
        method: "DELETE",
        path: "/api/x/{id}",
        summary: "Remove X",
        href: "/docs/reference/x#removeX",
      },
    ],
  }]);
  assertEquals(outlineOf(String(page), /^method-/), [
    "h1 Reference",
    "p Every endpoint, generated from [href=/openapi.json]the OpenAPI document. The schemas in it also validate your requests.",
    "h2 [href=/docs/reference/x]X",
    "p All of X",
    "li .method-get GET [href=/docs/reference/x#getX]/api/x Read X",
    "li .method-delete DELETE [href=/docs/reference/x#removeX]/api/x/{id} Remove X",
  ]);
});
