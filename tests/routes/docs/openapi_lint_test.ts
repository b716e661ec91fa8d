/** `/openapi.json` passes a strict linter, and describes every field and parameter. */
import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "@redocly/ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { RE2JS } from "re2js";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { createApp } from "../../../routes/app.ts";
import {
  listOperations,
  nameOf,
  type OpenApi,
  type Schema,
} from "../../../routes/docs/openapi_document.ts";
import { testDeps } from "../../support/deps.ts";

/** The linter rejects local hosts. */
const settings = { PUBLIC_URL: "https://firn.example" };

async function readText(): Promise<string> {
  using deps = await testDeps({ settings });
  const response = await createApp(deps).request("/openapi.json");
  return await response.text();
}

Deno.test("/openapi.json passes the strict rules of a linter, its examples included", async () => {
  const problems = await lintFromString({
    source: await readText(),
    config: await createConfig({ extends: ["recommended-strict"] }),
  });
  const shown = problems.map(({ ruleId, message, location }) =>
    `${ruleId}: ${message} (${location[0]?.pointer})`
  );
  assertEquals(shown, []);
});

Deno.test("/openapi.json has no errors and no warnings by the rules of another linter", async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas as never] });
  const text = await readText();
  // One run, which takes seconds: it finds what is broken here, and nothing else.
  const broken = JSON.parse(text);
  const { get } = broken.paths["/status.json"];
  assert(get.description);
  delete get.description;
  const problems = await linter.run(JSON.stringify(broken));
  assertEquals(
    problems.map(({ code, path }) => `${code}: ${path.join(".")}`),
    ["operation-description: paths./status.json.get"],
  );
});

Deno.test("/openapi.json describes every parameter and every field", async () => {
  const document: OpenApi = JSON.parse(await readText());
  const undescribed = Object.entries(document.components.schemas)
    .flatMap(([id, schema]) => listUndescribed(id, schema));
  for (const { operation } of listOperations(document)) {
    for (const { name, description } of operation.parameters ?? []) {
      if (description) continue;
      undescribed.push(`${operation.operationId}: ${name}`);
    }
  }
  assertEquals(undescribed, []);
});

Deno.test("/openapi.json has patterns that an engine without backtracking compiles", async () => {
  const patterns = new Set<string>();
  JSON.parse(await readText(), (name, value) => {
    if (name === "pattern" && typeof value === "string") patterns.add(value);
    return value;
  });
  const refused = [...patterns].filter((pattern) => {
    try {
      RE2JS.compile(pattern);
      return false;
    } catch {
      return true;
    }
  });
  assert(patterns.size >= 8, `${patterns.size} patterns`);
  assertEquals(refused, []);
});

Deno.test("/openapi.json has the examples of parameters where tools read them, and each is valid", async () => {
  const document: OpenApi = JSON.parse(await readText());
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv as never);
  const wrong: string[] = [];
  for (const { path, operation } of listOperations(document)) {
    for (const parameter of operation.parameters ?? []) {
      const { name, required, schema, example } = parameter;
      const sent = example ?? schema.default;
      const isWrong = "example" in schema ||
        (sent === undefined ? required : !ajv.validate(schema, sent));
      if (isWrong) wrong.push(`${path} ${name}`);
    }
  }
  assertEquals(wrong, []);
});

Deno.test("/openapi.json has an example of every JSON body but errors", async () => {
  const document: OpenApi = JSON.parse(await readText());
  const without = listOperations(document).flatMap(({ operation }) =>
    [operation.requestBody, ...Object.values(operation.responses)]
      .flatMap((body) => body?.content?.["application/json"] ?? [])
      .filter(({ schema, example }) =>
        nameOf(schema) !== "Error" && example === undefined
      )
      .map(() => operation.operationId)
  );
  assertEquals(without, []);
});

Deno.test("/openapi.json puts every operation under one of its tags", async () => {
  const document: OpenApi = JSON.parse(await readText());
  const known = document.tags.map(({ name }) => name);
  const stray = listOperations(document)
    .filter(({ operation: { tags = [] } }) =>
      tags.length !== 1 || !known.includes(tags[0]!)
    )
    .map(({ method, path }) => `${method} ${path}`);
  assertEquals(stray, []);
});

/** Lists the fields without a description. A reference is described by its component. */
function listUndescribed(path: string, schema: Schema): string[] {
  const { properties = {}, items, additionalProperties, ...rest } = schema;
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description || field.$ref ? [] : [`${path}.${name}`]),
    ...listUndescribed(`${path}.${name}`, field),
  ]);
  const parts = [items, additionalProperties, rest.anyOf, rest.oneOf]
    .flat().filter((part) => typeof part === "object");
  return [
    ...fields,
    ...parts.flatMap((part) => listUndescribed(path, part)),
  ];
}
