/** Arguments of tools: their JSON schemas, from the OpenAPI document, and their validation. */
import type { z } from "@hono/zod-openapi";
import { Fault, invalidParameter } from "../../services/platform/fault.ts";
import { shortened } from "../../services/platform/quoted_text.ts";
import {
  listOperations,
  type OpenApi,
  resolve,
  type Schema,
} from "../docs/openapi_document.ts";
import { invalidInput, textOf } from "../http/validation_errors.ts";
import type { Arguments, InputSchema } from "./tool.ts";

/** Describes the argument that continues a long answer. */
export const CURSOR: Schema = {
  type: "string",
  description: "nextCursor of the previous answer, with the same arguments",
};

/** HTTP parameters that tools do not have. */
const OMITTED: readonly string[] = ["format"];

/**
 * Returns the JSON schema of a tool's arguments: the parameters of HTTP operations
 * and the fields of their bodies, without `omit`, and `add`.
 */
export function schemaOf(
  document: OpenApi,
  operationIds: readonly string[],
  { omit = [], add = {}, required = [] }: {
    readonly omit?: readonly string[];
    readonly add?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  } = {},
): InputSchema {
  const inherited = operationIds.flatMap((id) => fieldsOf(document, id))
    .filter(([name]) => !OMITTED.includes(name) && !omit.includes(name));
  const properties = { ...Object.fromEntries(inherited), ...add };
  const mandatory = [
    ...inherited.filter(([, , isRequired]) => isRequired)
      .map(([name]) => name),
    ...required,
  ];
  return {
    type: "object",
    properties,
    ...(mandatory.length === 0 ? {} : { required: mandatory }),
    additionalProperties: false,
  };
}

function fieldsOf(
  document: OpenApi,
  id: string,
): (readonly [name: string, schema: Schema, isRequired: boolean])[] {
  const { operation } = listOperations(document)
    .find(({ operation: { operationId } }) => operationId === id)!;
  const { parameters = [], requestBody } = operation;
  const content = requestBody?.content["application/json"];
  const body = content && resolve(document, content.schema);
  return [
    ...parameters.map(({ name, required = false, schema }) =>
      [name, schema, required] as const
    ),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) =>
      [name, schema, body?.required?.includes(name) ?? false] as const
    ),
  ];
}

/** Throws a fault if a call has an argument that the tool does not have. */
export function requireKnown(
  given: Arguments,
  { properties }: InputSchema,
): void {
  const names = Object.keys(properties);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const expected = names.length === 0
    ? "no arguments"
    : `one of ${names.join(", ")}`;
  throw new Fault(
    `Unknown argument "${shortened(unknown)}": expected ${expected}`,
    { kind: "badInput", parameter: shortened(unknown) },
  );
}

/** Validates arguments by the schema of a query, in which every value is text. */
export function readQuery<S extends z.ZodType>(
  schema: S,
  given: Arguments,
): z.output<S> {
  const data = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, textOf(value)]),
  );
  const { success, data: read, error } = schema.safeParse(data);
  if (success) return read;
  const queries = (name: string) => name in data ? [data[name]!] : [];
  throw invalidInput({ target: "query", data, error, queries });
}

/** Validates arguments by the schema of a body. */
export function readBody<S extends z.ZodType>(
  schema: S,
  given: Arguments,
): z.output<S> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  const queries = () => [];
  throw invalidInput({ target: "json", data: given, error, queries });
}

/** Splits the cursor from the other arguments. */
export function splitCursor(
  { cursor, ...rest }: Arguments,
): { cursor: string | undefined; rest: Arguments } {
  if (cursor === undefined || typeof cursor === "string") {
    return { cursor, rest };
  }
  const expected = "nextCursor of the previous answer";
  throw invalidParameter("cursor", textOf(cursor), expected);
}
