/** The parts of an OpenAPI 3.1 document that are read here: https://spec.openapis.org/oas/v3.1.0 */

/** A schema object. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  example?: unknown;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}

/** Bodies by media type. */
type Contents = Record<string, { schema: Schema; example?: unknown }>;

/** A parameter object. */
export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path" | "header" | "cookie";
  readonly required?: boolean;
  description?: string;
  schema: Schema;
  readonly example?: unknown;
}

/** An operation object. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Record<
    string,
    {
      readonly description: string;
      content?: Contents;
      headers?: Record<string, { readonly $ref: string }>;
    }
  >;
}

/** A document. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly {
    readonly name: string;
    readonly description: string;
  }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    headers?: Record<
      string,
      { readonly description: string; readonly schema: Schema }
    >;
  };
}

const PREFIX = "#/components/schemas/";

/** Returns the name of the referenced component; undefined if the schema is not a reference. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(PREFIX) ? $ref.slice(PREFIX.length) : undefined;
}

/** Resolves a reference. Returns the schema itself if it is not a reference. */
export function resolve({ components }: OpenApi, schema: Schema): Schema {
  const name = nameOf(schema);
  return name === undefined ? schema : components.schemas[name]!;
}

/** Returns the alternatives of a schema with references followed; the schema itself if it has none. */
export function alternativesOf(document: OpenApi, schema: Schema): Schema[] {
  const resolved = resolve(document, schema);
  const parts = resolved.anyOf ?? resolved.oneOf ?? resolved.allOf;
  return parts === undefined
    ? [resolved]
    : parts.flatMap((part) => alternativesOf(document, part));
}

/** An operation with its path and its method, in upper case. */
export interface ListedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** Lists the operations, of one tag if it is given. */
export function listOperations(
  { paths }: OpenApi,
  tag?: string,
): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    }))
  ).filter(({ operation: { tags = [] } }) =>
    tag === undefined || tags.includes(tag)
  );
}
