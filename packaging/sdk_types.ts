/**
 * Writes the types of the TypeScript SDK from the OpenAPI document: the answers,
 * the bodies and the queries of the operations that the SDK calls.
 */
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
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
  const { factory, SyntaxKind } = ts;
  const nodes = await openapiTS(JSON.stringify(describe(document)), {
    immutable: true,
    defaultNonNullable: false,
    // For programs with `exactOptionalPropertyTypes`.
    transformProperty: ({ modifiers, name, questionToken, type }) => {
      const or = factory.createKeywordTypeNode(SyntaxKind.UndefinedKeyword);
      const types = ts.isUnionTypeNode(type!) ? type.types : [type!];
      const given = questionToken === undefined
        ? type
        : factory.createUnionTypeNode([...types, or]);
      return factory
        .createPropertySignature(modifiers, name, questionToken, given);
    },
  });
  const [schemas] = nodes.filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === "components")!.members;
  // Editors and the pages of JSR show the fields of an interface, but not those of an
  // alias of `components["schemas"]["Score"]`.
  const interfaces = membersOf(schemas!).map((schema) =>
    astToString(ts.moveSyntheticComments(
      factory.createInterfaceDeclaration(
        [factory.createModifier(SyntaxKind.ExportKeyword)],
        schema.name as ts.Identifier,
        undefined,
        undefined,
        membersOf(schema),
      ),
      schema,
    ))
  );
  const text = interfaces.join("\n")
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, "$1")
    .replaceAll(
      /\/\*\*\n *\* (.*)(\n *\* @(enum|constant).*)+\n *\*\//g,
      "/** $1 */",
    )
    .replaceAll("readonly [key: string]:", "/** Further fields. */\n$&");
  return await format(
    `/** The types of answers, bodies and queries, written from the OpenAPI document by \`deno task sdk-types\`. */\n\n${text}`,
  );
}

/** Returns the members of a property's type, which is an object or an intersection of objects. */
function membersOf(property: ts.TypeElement): readonly ts.TypeElement[] {
  const { type } = property as ts.PropertySignature;
  const parts = ts.isIntersectionTypeNode(type!) ? type.types : [type!];
  return parts.flatMap((part) => [...(part as ts.TypeLiteralNode).members]);
}

/** Returns a document of the schemas that become types. Their comments are `title`s, which are printed without a tag. */
function describe(document: OpenApi): object {
  const operations = listSdkOperations(document);
  const titles = new Map<string, string>();
  for (const { method, path, operation } of operations) {
    for (const schema of answersOf(operation)) {
      const name = nameOf(schema);
      if (name === undefined || titles.has(name)) continue;
      const title = `Answer of \`${method} ${path}\`: ${operation.summary}.`;
      titles.set(name, title);
    }
    const body = operation.requestBody?.content["application/json"]?.schema;
    const name = body && nameOf(body);
    if (name) titles.set(name, `Body of \`${method} ${path}\`.`);
  }
  titles.set("Error", "Body of every error. Some codes have more fields.");
  const schemas: [name: string, schema: object][] = [];
  // A component is documented by the field that refers to it first. The map
  // grows while it is read, so components of components follow.
  for (const [name, title] of titles) {
    const { description: _, ...schema } = structuredClone(
      document.components.schemas[name]!,
    );
    for (const [field, part] of fieldsOf(schema)) {
      for (const used of usedBy(part)) {
        if (titles.has(used)) continue;
        const text = part.description ?? part.items?.description;
        const what = `\`${field}\` of \`${typeName(name)}\``;
        titles.set(used, `${what}${text ? `: ${text}` : ""}.`);
      }
      describeField(part);
    }
    schemas.push([typeName(name), { ...schema, title }]);
  }
  const sorted = schemas.toSorted(([a], [b]) => a < b ? -1 : 1);
  const listed = [...sorted, ...operations.flatMap(queryOf)];
  const text = JSON.stringify(Object.fromEntries(listed))
    .replaceAll('schemas/Error"', `schemas/${typeName("Error")}"`);
  const components = { schemas: JSON.parse(text) };
  return { openapi: "3.1.0", info: document.info, paths: {}, components };
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
function fieldsOf(schema: Schema): [string, Schema][] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      [name, field] as [string, Schema],
      ...fieldsOf(field),
    ]),
    ...partsOf(schema).flatMap(fieldsOf),
  ];
}

/** Returns the components that a schema refers to itself. */
function usedBy(schema: Schema): string[] {
  const name = nameOf(schema);
  return name === undefined ? partsOf(schema).flatMap(usedBy) : [name];
}

/** Returns the alternatives, the items and the further fields of a schema. */
function partsOf({ anyOf, oneOf, allOf, items, additionalProperties }: Schema) {
  const parts = [...anyOf ?? oneOf ?? allOf ?? [], items, additionalProperties];
  return parts.filter((part) => typeof part === "object");
}

/** Sets the comment of a field; a field without a description refers to its type. */
function describeField(field: Schema): void {
  const { description, default: preset } = field;
  const [name] = usedBy(field);
  const sentences = [
    ...description === undefined ? [] : [description],
    ...preset === undefined ? [] : [`Default: \`${preset}\``],
  ];
  if (sentences.length === 0 && name !== undefined) {
    sentences.push(`See {@linkcode ${typeName(name)}}`);
  }
  for (const printed of ["description", "default", "format", "example"]) {
    delete field[printed as keyof Schema];
  }
  const title = `${sentences.join(". ")}.`;
  Object.assign(field, sentences.length === 0 ? {} : { title });
}

/** Returns the type of an operation's query; none without parameters. */
function queryOf(
  { method, path, operation }: ReturnType<typeof listOperations>[number],
): [string, Schema & { title: string }][] {
  const asked = (operation.parameters ?? []).filter(({ name, in: place }) =>
    place === "query" && name !== OWN_PARAMETER
  );
  if (asked.length === 0) return [];
  const fields = asked.map(({ name, schema, description }) => {
    const field = { ...description && { description }, ...schema };
    describeField(field);
    return [name, field];
  });
  return [[`${operation.operationId.replace(/^get/, "")}Query`, {
    type: "object",
    title: `Query of \`${method} ${path}\`.`,
    required: asked.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(fields),
  }]];
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
