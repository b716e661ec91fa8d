/** Every documented path, method and status is answered, and the answer matches its schema. */
import { assertEquals } from "@std/assert";
import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createApp } from "../../../routes/app.ts";
import {
  alternativesOf,
  listOperations,
  type OpenApi,
  type Schema,
} from "../../../routes/docs/openapi_document.ts";
import { testDeps } from "../../support/deps.ts";
import { permissionsOf } from "../../support/program_permissions.ts";
import type { Visit } from "../../support/walk/walk.ts";
import { listDocumented, walkAll } from "../../support/walk/walk_all.ts";

async function readDocument(): Promise<OpenApi> {
  using deps = await testDeps();
  const response = await createApp(deps).request("/openapi.json");
  return await response.json();
}

const nameOf = (
  { operationId, status }: Pick<Visit, "operationId" | "status">,
) => `${operationId} ${status}`;

Deno.test("every documented path, method and status", {
  // Every answer works with what the service may touch.
  permissions: permissionsOf("service"),
}, async (t) => {
  const document = await readDocument();
  const operations = new Map(
    listOperations(document)
      .map(({ operation }) => [operation.operationId, operation] as const),
  );
  const visits = await walkAll();

  await t.step("is answered, and no undocumented status is", () => {
    const answered = new Set(visits.map(nameOf));
    assertEquals([...answered].toSorted(), listDocumented(document));
  });

  await t.step("matches its schema", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    // Its types are of another copy of the library.
    addFormats.default(ajv as never);
    ajv.addSchema({ ...document, $id: "openapi" });
    const validators = new Map<string, ReturnType<typeof ajv.compile>>();
    const validatorOf = (schema: object) => {
      const text = rooted(schema);
      const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
      validators.set(text, validate);
      return validate;
    };
    const wrong = visits.flatMap((visit) => {
      const { operationId, status, answer } = visit;
      const content = operations.get(operationId)?.responses[status]?.content;
      const schema = content?.[typeOf(answer, content ?? {})]?.schema;
      if (schema === undefined) return [];
      const validate = validatorOf(schema);
      return validate(answer)
        ? []
        : [`${nameOf(visit)}: ${ajv.errorsText(validate.errors)}`];
    });
    assertEquals(wrong, []);
  });

  await t.step("has no undocumented fields", () => {
    const undocumented = visits.flatMap((visit) => {
      const { operationId, status, answer } = visit;
      const content = operations.get(operationId)?.responses[status]?.content;
      const schema = content?.[typeOf(answer, content ?? {})]?.schema;
      return schema === undefined
        ? []
        : listUndocumented(document, schema, answer)
          .map((path) => `${nameOf(visit)}: ${path}`);
    });
    assertEquals([...new Set(undocumented)], []);
  });
});

/** Returns the type of an answer: an error of an image may be JSON, too. */
function typeOf(answer: unknown, content: object): string {
  const image = "image/svg+xml";
  return typeof answer === "string" && image in content
    ? image
    : "application/json";
}

/** Returns a schema as JSON whose references lead into the document. */
function rooted(schema: object): string {
  return JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
}

/** Lists the fields of an answer that its schema does not name. */
function listUndocumented(
  document: OpenApi,
  schema: Schema,
  value: unknown,
  path = "",
): string[] {
  if (value === null || typeof value !== "object") return [];
  const parts = alternativesOf(document, schema);
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? []);
    return items.flatMap((item) =>
      value.flatMap((held) =>
        listUndocumented(document, item, held, `${path}[]`)
      )
    );
  }
  return Object.entries(value).flatMap(([name, held]) => {
    const here = `${path}.${name}`;
    const fields = parts.flatMap((part) =>
      part.properties?.[name] ?? part.additionalProperties ?? []
    );
    if (fields.length === 0) return [here];
    return fields.flatMap((field) =>
      typeof field === "object"
        ? listUndocumented(document, field, held, here)
        : []
    );
  });
}
