/** `/openapi.json` keeps to what a strict linter knows of good descriptions, and explains every name. */
import { assertEquals } from "@std/assert";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { createApp } from "../../../routes/app.ts";
import {
  listOperations,
  type OpenApi,
  type Schema,
} from "../../../routes/docs/openapi_schema.ts";
import { testDeps } from "../../support/deps.ts";

/** Rules ask for a host that is no local one. */
const settings = { PUBLIC_URL: "https://firn.example" };

async function readText(): Promise<string> {
  using deps = await testDeps({ settings });
  const response = await createApp(deps).request("/openapi.json");
  return await response.text();
}

Deno.test("/openapi.json passes the strict rules of a linter", async () => {
  const problems = await lintFromString({
    source: await readText(),
    config: await createConfig({ extends: ["recommended-strict"] }),
  });
  const shown = problems.map(({ ruleId, message, location }) =>
    `${ruleId}: ${message} (${location[0]?.pointer})`
  );
  assertEquals(shown, []);
});

Deno.test("/openapi.json says what every parameter and every field means", async () => {
  const document: OpenApi = JSON.parse(await readText());
  const unexplained = Object.entries(document.components.schemas)
    .flatMap(([id, schema]) => listUnexplained(id, schema));
  for (const { operation } of listOperations(document)) {
    for (const { name, description } of operation.parameters ?? []) {
      if (description) continue;
      unexplained.push(`${operation.operationId}: ${name}`);
    }
  }
  assertEquals(unexplained, []);
});

Deno.test("/openapi.json says of each endpoint's units whose they are", async () => {
  const { components: { schemas } }: OpenApi = JSON.parse(await readText());
  const whole = {
    Usage: schemas.Usage!,
    Account: schemas.Account!.properties!.usage!,
  };
  for (const [id, { properties }] of Object.entries(whole)) {
    const { units } = properties!.days!.items!.properties!;
    const meanings = Object.entries(units!.properties!)
      .map(([name, { description }]) => [name, description]);
    assertEquals(Object.fromEntries(meanings), {
      score: "Requests for single scores",
      batch: "Addresses of batches",
      history: "Requests for histories",
      signed: "Requests for signed scores",
    }, id);
  }
});

Deno.test("/openapi.json names the default of every parameter that may be left out", async () => {
  const document: OpenApi = JSON.parse(await readText());
  const optional = listOperations(document).flatMap((
    { path, operation: { parameters = [] } },
  ) =>
    parameters.filter(({ required }) => !required)
      .map(({ name, schema }) => [`${path} ${name}`, schema.default] as const)
  );
  const defaults = new Map(optional);
  assertEquals(defaults.get("/api/chain-data/metrics chainId"), 43114);
  assertEquals(defaults.get("/chart/{metric}.svg chainId"), 43114);
  assertEquals(defaults.get("/api/v1/score/{address}/history days"), 30);
  assertEquals(defaults.get("/api/v1/score/{address}/signed ttl"), 604_800);
  const without = optional.filter(([, usual]) => usual === undefined)
    .map(([place]) => place.split(" ")[1]!);
  // Where these are left out, there is nothing in their place.
  assertEquals(
    [...new Set(without)].toSorted(),
    ["from", "include", "label", "to"],
  );
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

/** Lists the fields that nothing is said of; of a reference, what it leads to is said there. */
function listUnexplained(path: string, schema: Schema): string[] {
  const { properties = {}, items, additionalProperties, ...rest } = schema;
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description || field.$ref ? [] : [`${path}.${name}`]),
    ...listUnexplained(`${path}.${name}`, field),
  ]);
  const parts = [items, additionalProperties, rest.anyOf, rest.oneOf]
    .flat().filter((part) => typeof part === "object");
  return [
    ...fields,
    ...parts.flatMap((part) => listUnexplained(path, part)),
  ];
}
