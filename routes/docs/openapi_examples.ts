/** Examples of `/openapi.json`: answers that the service really gave. */
import {
  alternativesOf,
  listOperations,
  type OpenApi,
  resolve,
  type Schema,
} from "./openapi_schema.ts";

/** A request of one operation, and its answers by status. */
export interface OperationExample {
  readonly request: {
    /** With the query. */
    readonly path: string;
    readonly body?: unknown;
  };
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Examples by `operationId`. */
export type Examples = Readonly<Record<string, OperationExample>>;

/** Where the service was that gave the examples. */
const RECORDED_URL = "http://localhost:8000";

/**
 * Reads the examples that `tests/routes/docs/openapi_walk_test.ts` records, as the service
 * at `publicUrl` would give them.
 */
export async function readExamples(publicUrl: string): Promise<Examples> {
  const file = await import("./openapi_examples.json", {
    with: { type: "json" },
  });
  const text = JSON.stringify(file.default)
    .replaceAll(RECORDED_URL, publicUrl)
    .replaceAll(new URL(RECORDED_URL).host, new URL(publicUrl).host);
  return JSON.parse(text);
}

/**
 * Puts examples into a document: to each body, and from there to each field and
 * parameter that has none yet.
 */
export function addExamples(document: OpenApi, examples: Examples): void {
  for (const { operation } of listOperations(document)) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    const example = examples[operationId];
    if (example === undefined) continue;
    const { request, answers } = example;
    const asked = new URL(request.path, "http://localhost").searchParams;
    for (const { name, schema } of parameters) {
      if (schema.example !== undefined) continue;
      const text = asked.get(name);
      const isNumber = schema.type === "integer" && text !== null;
      const value = isNumber
        ? Number(text)
        : text ?? schema.default ?? schema.enum?.[0];
      if (value !== undefined) {
        schema.example = schema.type === "string" ? String(value) : value;
      }
    }
    const body = requestBody?.content["application/json"];
    if (body !== undefined && request.body !== undefined) {
      body.example = request.body;
      fill(document, body.schema, request.body);
    }
    for (const [status, answer] of Object.entries(answers)) {
      const json = responses[status]?.content?.["application/json"];
      if (json === undefined) continue;
      json.example = answer;
      fill(document, json.schema, answer);
    }
  }
}

/** Gives each field without an example the value that stands in its place. */
function fill(document: OpenApi, schema: Schema, value: unknown): void {
  if (value === null || value === undefined) return;
  for (const part of alternativesOf(document, schema)) {
    if (Array.isArray(value)) {
      for (const item of value) {
        if (part.items) fill(document, part.items, item);
      }
      continue;
    }
    if (typeof value !== "object" || !fits(part, value)) continue;
    for (const [name, held] of Object.entries(value)) {
      const rest = part.additionalProperties;
      const field = part.properties?.[name] ??
        (typeof rest === "object" ? rest : undefined);
      if (field === undefined) continue;
      if (isPlain(held) || isShortList(held)) {
        if (resolve(document, field) === field) field.example ??= held;
      } else fill(document, field, held);
    }
  }
}

/** Returns whether an alternative is the one that an object was made by. */
function fits({ properties = {} }: Schema, value: object): boolean {
  return Object.entries(value).every(([name, held]) => {
    const { const: only, enum: values } = properties[name] ?? {};
    const accepted = values ?? (only === undefined ? undefined : [only]);
    return accepted === undefined || accepted.includes(held) || held === null;
  });
}

/** Longest list that is shown as the example of its own field. */
const MOST_ITEMS = 5;

const isShortList = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.length <= MOST_ITEMS &&
  value.every(isPlain);

const isPlain = (value: unknown) =>
  ["string", "number", "boolean"].includes(typeof value);
