/**
 * Writes the types of the TypeScript SDK from the OpenAPI document: the answers,
 * the bodies and the queries of the operations that the SDK calls.
 */
import { createApp } from "../routes/app.ts";
import {
  listOperations,
  nameOf,
  type OpenApi,
  type Operation,
  type Schema,
} from "../routes/docs/openapi_document.ts";
import { testDeps } from "../tests/support/deps.ts";

/** The file that holds the types. */
export const TYPES_FILE = new URL("../sdk/api_types.ts", import.meta.url);

/** Tags of the operations that the SDK calls. */
const TAGS = ["Chain data", "Downloads", "Scores", "Attestations"];

/** Operations of other tags that the SDK calls. */
const OTHERS = ["getScoring", "getHealth"];

/** A parameter that the SDK sets itself. */
const OWN_PARAMETER = "format";

/** Lists the operations that the SDK calls. */
export function listSdkOperations(document: OpenApi) {
  return listOperations(document).filter(({ operation }) =>
    operation.tags?.some((tag) => TAGS.includes(tag)) ||
    OTHERS.includes(operation.operationId)
  );
}

/** Returns the OpenAPI document of the service. */
export async function readDocument(): Promise<OpenApi> {
  using deps = await testDeps();
  return await (await createApp(deps).request("/openapi.json")).json();
}

/** Returns the module with the types, formatted. */
export async function writeTypes(document: OpenApi): Promise<string> {
  const docs = new Map<string, string>();
  for (const { method, path, operation } of listSdkOperations(document)) {
    for (const schema of answersOf(operation)) {
      const name = nameOf(schema);
      if (name === undefined || docs.has(name)) continue;
      docs.set(name, `Answer of \`${method} ${path}\`: ${operation.summary}.`);
    }
    const body = operation.requestBody?.content["application/json"]?.schema;
    const name = body && nameOf(body);
    if (name) docs.set(name, `Body of \`${method} ${path}\`.`);
  }
  docs.set("Error", "Body of every error. Some codes have more fields.");
  // A component is documented by the field that refers to it first. The map
  // grows while it is read, so components of components follow.
  for (const [name] of docs) {
    for (
      const [field, schema] of fieldsOf(document.components.schemas[name]!)
    ) {
      for (const used of usedBy(schema)) {
        if (docs.has(used)) continue;
        const text = schema.description ?? schema.items?.description;
        docs.set(
          used,
          `\`${field}\` of \`${typeName(name)}\`${text ? `: ${text}` : ""}.`,
        );
      }
    }
  }
  return await format([
    "/** The types of answers, bodies and queries, written from the OpenAPI document by `deno task sdk-types`. */",
    ...[...docs].toSorted(([a], [b]) => a < b ? -1 : 1).map(([name, text]) =>
      `/** ${text} */\nexport interface ${typeName(name)} ${
        typeOf(document.components.schemas[name]!)
      }`
    ),
    ...listSdkOperations(document).flatMap((listed) => queryOf(listed)),
    "",
  ].join("\n\n"));
}

function answersOf({ responses }: Operation): Schema[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content }]) => content?.["application/json"]?.schema ?? []);
}

/** `Error` would shadow the global of that name. */
function typeName(component: string): string {
  return component === "Error" ? "ErrorBody" : component;
}

/** Returns the fields of a schema at any depth, but not those of other components. */
function fieldsOf({ properties = {}, items }: Schema): [string, Schema][] {
  return [
    ...Object.entries(properties).flatMap(([name, schema]) => [
      [name, schema] as [string, Schema],
      ...fieldsOf(schema),
    ]),
    ...(items === undefined ? [] : fieldsOf(items)),
  ];
}

/** Returns the components that a schema refers to itself. */
function usedBy(schema: Schema): string[] {
  const name = nameOf(schema);
  if (name !== undefined) return [name];
  const { items, additionalProperties } = schema;
  return [
    ...alternatives(schema),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ].flatMap(usedBy);
}

function alternatives({ anyOf, oneOf, allOf }: Schema): readonly Schema[] {
  return anyOf ?? oneOf ?? allOf ?? [];
}

/** The TypeScript of each JSON type. */
const PRIMITIVES: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

function typeOf(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== undefined) return typeName(name);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    return union(schema.enum.map((value) => JSON.stringify(value)));
  }
  const parts = alternatives(schema);
  if (parts.length > 0) {
    return union(parts.map(typeOf), schema.allOf ? " & " : " | ");
  }
  return union(
    [schema.type ?? []].flat().map((type) => {
      if (type === "object") return objectOf(schema);
      if (type === "array") {
        return `readonly ${parenthesized(typeOf(schema.items ?? {}))}[]`;
      }
      return PRIMITIVES[type]!;
    }),
  );
}

function union(types: readonly string[], by = " | "): string {
  return types.length === 0 ? "unknown" : [...new Set(types)].join(by);
}

function parenthesized(type: string): string {
  return / [|&] /.test(type) && !type.startsWith("{") ? `(${type})` : type;
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
): string {
  const fields = Object.entries(properties).map(([name, schema]) =>
    member(name, schema, required.includes(name))
  );
  if (additionalProperties) {
    const rest = additionalProperties === true || fields.length > 0
      ? "unknown"
      : typeOf(additionalProperties);
    fields.push(`/** Further fields. */\nreadonly [name: string]: ${rest};`);
  }
  return `{\n${fields.join("\n")}\n}`;
}

function member(name: string, schema: Schema, isRequired: boolean): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  const comment = commentOf(schema);
  return `${comment}readonly ${key}${isRequired ? "" : "?"}: ${typeOf(schema)}${
    isRequired ? "" : " | undefined"
  };`;
}

/** Returns the comment of a field; a field without a description refers to its type. */
function commentOf(schema: Schema): string {
  const [name] = usedBy(schema);
  const sentences = [
    ...schema.description === undefined ? [] : [schema.description],
    ...schema.default === undefined ? [] : [`Default: \`${schema.default}\``],
  ];
  if (sentences.length === 0 && name !== undefined) {
    sentences.push(`See {@linkcode ${typeName(name)}}`);
  }
  return sentences.length === 0 ? "" : `/** ${sentences.join(". ")}. */\n`;
}

/** Returns the interface of an operation's query; none without parameters. */
function queryOf(
  { method, path, operation }: ReturnType<typeof listOperations>[number],
): string[] {
  const asked = (operation.parameters ?? []).filter(({ name, in: place }) =>
    place === "query" && name !== OWN_PARAMETER
  );
  if (asked.length === 0) return [];
  const name = operation.operationId.replace(/^get/, "");
  const fields = asked.map(({ name, schema, required = false, description }) =>
    member(name, { description, ...schema } as Schema, required)
  );
  return [
    `/** Query of \`${method} ${path}\`. */\nexport interface ${name}Query {\n${
      fields.join("\n")
    }\n}`,
  ];
}

/** Formats a module. Text that standard input brings is formatted once, a file until it is stable. */
async function format(text: string): Promise<string> {
  const formatted = await formatOnce(text);
  return formatted === text ? text : await format(formatted);
}

async function formatOnce(text: string): Promise<string> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--no-config", "--ext=ts", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stdout } = await process.output();
  if (!success) throw new Error("Cannot format the types");
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  await Deno.writeTextFile(TYPES_FILE, await writeTypes(await readDocument()));
}
