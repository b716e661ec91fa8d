/** Example bodies of `/openapi.json`, composed from the examples of their fields. */
import {
  listOperations,
  nameOf,
  type OpenApi,
  resolve,
  type Schema,
} from "./openapi_document.ts";

/** Adds an example to each JSON body. Error bodies share the example of their schema. */
export function addExamples(document: OpenApi): void {
  for (const { operation } of listOperations(document)) {
    const bodies = [
      operation.requestBody,
      ...Object.values(operation.responses),
    ];
    for (const body of bodies) {
      const json = body?.content?.["application/json"];
      if (json === undefined || nameOf(json.schema) === "Error") continue;
      json.example = exampleOf(document, json.schema);
    }
  }
}

/**
 * Returns a schema's own example, or one composed from its required parts; undefined
 * if a part has none.
 */
function exampleOf(document: OpenApi, schema: Schema): unknown {
  const resolved = resolve(document, schema);
  const { example, enum: values, items, properties } = resolved;
  const { anyOf, oneOf, allOf, required = [] } = resolved;
  if (example !== undefined) return example;
  if (values !== undefined) return values[0];
  const alternative = anyOf?.[0] ?? oneOf?.[0];
  if (alternative !== undefined) return exampleOf(document, alternative);
  if (allOf !== undefined) {
    return Object.assign({}, ...allOf.map((part) => exampleOf(document, part)));
  }
  if (items !== undefined) return [exampleOf(document, items)];
  if (properties === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, field]) => [name, exampleOf(document, field)] as const),
  );
}
