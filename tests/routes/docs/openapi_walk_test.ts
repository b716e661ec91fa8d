/** Every path, method and status that `/openapi.json` documents is answered, and as it says. */
import { assertEquals } from "@std/assert";
import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createApp } from "../../../routes/app.ts";
import type { Examples } from "../../../routes/docs/openapi_examples.ts";
import {
  listOperations,
  type OpenApi,
} from "../../../routes/docs/openapi_schema.ts";
import { testDeps } from "../../support/deps.ts";
import type { Visit } from "../../support/walk/walk.ts";
import { listDocumented, walkAll } from "../../support/walk/walk_all.ts";

const EXAMPLES = new URL(
  "../../../routes/docs/openapi_examples.json",
  import.meta.url,
);

async function readDocument(): Promise<OpenApi> {
  using deps = await testDeps();
  const response = await createApp(deps).request("/openapi.json");
  return await response.json();
}

const nameOf = (
  { operationId, status }: Pick<Visit, "operationId" | "status">,
) => `${operationId} ${status}`;

Deno.test("every documented path, method and status", async (t) => {
  const document = await readDocument();
  const operations = listOperations(document)
    .map(({ operation }) => operation);
  const visits = await walkAll();

  await t.step("is answered, and no status that is not documented", () => {
    const answered = new Set(visits.map(nameOf));
    assertEquals([...answered].toSorted(), listDocumented(document));
  });

  await t.step("answers what its schema says", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ ...document, $id: "openapi" });
    const wrong = visits.flatMap((visit) => {
      const { operationId, status, answer } = visit;
      const operation = operations.find((operation) =>
        operation.operationId === operationId
      );
      const content = operation?.responses[status]?.content;
      const schema = content?.["application/json"]?.schema;
      if (schema === undefined) return [];
      const validate = ajv.compile(rooted(schema));
      return validate(answer)
        ? []
        : [`${nameOf(visit)}: ${ajv.errorsText(validate.errors)}`];
    });
    assertEquals(wrong, []);
  });

  await t.step("is the example that the document shows", async () => {
    const examples = examplesOf(visits);
    if (Deno.env.has("RECORD_EXAMPLES")) {
      const text = JSON.stringify(examples, null, 2);
      await Deno.writeTextFile(EXAMPLES, `${text}\n`);
    }
    const recorded = JSON.parse(await Deno.readTextFile(EXAMPLES));
    assertEquals(
      withoutTimings(recorded),
      withoutTimings(examples),
      "record them anew: RECORD_EXAMPLES=1 deno task test tests/routes/docs/openapi_walk_test.ts",
    );
  });
});

/** References of a schema lead into the document. */
function rooted(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
}

/** The first answer of each status, and the request of the first that was good. */
function examplesOf(visits: readonly Visit[]): Examples {
  const examples: Record<
    string,
    { request: Visit["request"]; answers: Record<string, unknown> }
  > = {};
  const good = new Set<string>();
  for (const { operationId, status, request, answer } of visits) {
    const example = examples[operationId] ??= { request, answers: {} };
    const isGood = status < 300;
    if (isGood && !good.has(operationId)) example.request = request;
    if (isGood) good.add(operationId);
    if (answer === null || typeof answer === "string") continue;
    example.answers[status] ??= answer;
  }
  return examples;
}

/**
 * Takes out what is another each time: how long a read took, what waiting for
 * one's turn at an upstream, to the millisecond, does to an attestation, and what
 * the process counted of all the work until then.
 */
function withoutTimings(examples: Examples): unknown {
  return JSON.parse(
    JSON.stringify(examples)
      .replaceAll(/"pingMs":[\d.]+/g, '"pingMs":0')
      .replaceAll(/"nonce":"\d{16}"/g, '"nonce":"0"')
      .replaceAll(/"(digest|signature)":"0x\w+"/g, '"$1":"0x"'),
    (name, value) => name === "process" ? undefined : value,
  );
}
