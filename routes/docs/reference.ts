/** The content of the reference pages, read from `/openapi.json`. */
import {
  alternativesOf,
  listOperations,
  nameOf,
  type OpenApi,
  type Operation,
  resolve,
  type Schema,
} from "./openapi_document.ts";
import type {
  AnswerProps,
  FieldProps,
  OperationProps,
} from "./reference_page.ts";

/** Maximum length of an example in a table, in characters. */
const MAX_EXAMPLE_CHARACTERS = 120;

const NEEDS: Readonly<Record<string, string>> = {
  ApiKey: "needs an API key",
  Session: "needs a signed-in wallet",
};

/** The curl options that send the credentials of a security scheme. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  ApiKey: ` \\\n  -H "X-Api-Key: $FIRN_KEY"`,
  Session: ` \\\n  -b "$FIRN_SESSION"`,
};

/** Lists the operations of one tag, ready for display. */
export function operationsOf(
  document: OpenApi,
  tag: string,
  publicUrl: string,
): OperationProps[] {
  return listOperations(document, tag)
    .map(({ method, path, operation }) => {
      const answers = answersOf(document, operation);
      const body = operation.requestBody?.content["application/json"];
      const scheme = schemeOf(operation);
      return {
        id: operation.operationId,
        method,
        path,
        summary: operation.summary,
        needs: scheme === undefined ? null : NEEDS[scheme] ?? null,
        curl: curlOf({ method, path, operation }, publicUrl),
        parameters: (operation.parameters ?? []).map((parameter) =>
          fieldOf(document, parameter.name, {
            schema: {
              ...parameter.schema,
              description: parameter.description ?? "",
            },
            isRequired: parameter.required ?? false,
          })
        ),
        body: body === undefined ? [] : listFields(document, body.schema),
        answers: answers.filter(({ status }) => Number(status) < 400),
        errors: answers.filter(({ status }) => Number(status) >= 400),
      };
    });
}

function answersOf(document: OpenApi, { responses }: Operation): AnswerProps[] {
  return Object.entries(responses).map(
    ([status, { description, content }]) => {
      const json = content?.["application/json"];
      const isError = Number(status) >= 400;
      return {
        status,
        description,
        fields: json === undefined || isError
          ? []
          : listFields(document, json.schema),
        example: json?.example === undefined
          ? null
          : JSON.stringify(json.example, null, 2),
      };
    },
  );
}

/** Lists the fields of a schema. Nested fields follow their parent. */
function listFields(
  document: OpenApi,
  schema: Schema,
  prefix = "",
): FieldProps[] {
  const parts = alternativesOf(document, schema);
  const items = parts.flatMap((part) =>
    part.items ? listFields(document, part.items, `${prefix}[]`) : []
  );
  const names = new Set(parts.flatMap((part) => Object.keys(fieldsOf(part))));
  return [
    ...items,
    ...[...names].flatMap((name) => {
      const path = prefix === "" ? name : `${prefix}.${name}`;
      const field = mergeAlternatives(
        parts.flatMap((part) => fieldsOf(part)[name] ?? []),
      );
      const isRequired = parts.every(({ required = [] }) =>
        required.includes(name)
      );
      return [
        fieldOf(document, path, { schema: field, isRequired }),
        ...listFields(document, field, path),
      ];
    }),
  ];
}

/** Returns the fields of an object schema. The values of a record are named `*`. */
function fieldsOf(
  { properties = {}, additionalProperties: rest }: Schema,
): Record<string, Schema> {
  return typeof rest === "object" ? { ...properties, "*": rest } : properties;
}

/** Merges a field of several alternatives: the result accepts the values of all. */
function mergeAlternatives([first, ...others]: readonly Schema[]): Schema {
  const values = [first!, ...others].map(({ enum: values, const: only }) =>
    values ?? (only === undefined ? null : [only])
  );
  if (others.length === 0 || values.includes(null)) return first!;
  const { const: _, ...rest } = first!;
  return { ...rest, enum: [...new Set(values.flatMap((some) => some ?? []))] };
}

function fieldOf(
  document: OpenApi,
  name: string,
  { schema, isRequired }: { schema: Schema; isRequired: boolean },
): FieldProps {
  const own = resolve(document, schema);
  return {
    name,
    type: typeOf(document, schema),
    isRequired,
    description: schema.description ?? own.description ?? "",
    accepted: constraintOf(own),
    defaultValue: textOf(own.default),
    example: textOf(own.example),
  };
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  return shorten(typeof value === "string" ? value : JSON.stringify(value));
}

function typeOf(document: OpenApi, schema: Schema): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  const { type, items, format } = schema;
  if (items) return `${typeOf(document, items)}[]`;
  if (Array.isArray(type)) return type.join(" or ");
  if (typeof type === "string") {
    return format === undefined ? type : `${type} (${format})`;
  }
  return alternativesOf(document, schema)
    .map((part) => part === schema ? "any" : typeOf(document, part))
    .filter((text, at, all) => all.indexOf(text) === at).join(" or ");
}

function constraintOf(schema: Schema): string {
  const { enum: values, const: only, minimum, maximum } = schema;
  const parts = [
    values && `One of ${values.map(String).join(", ")}`,
    only !== undefined && `Always ${only}`,
    minimum !== undefined && maximum !== undefined && minimum > -1e15 &&
    maximum < 1e15 && `From ${minimum} to ${maximum}`,
  ].filter((part) => typeof part === "string");
  return parts.join(". ");
}

const schemeOf = ({ security = [] }: Operation) =>
  security.flatMap((scheme) => Object.keys(scheme)).at(0);

function curlOf(
  { method, path, operation }: {
    method: string;
    path: string;
    operation: Operation;
  },
  publicUrl: string,
): string {
  const parameters = operation.parameters ?? [];
  let target = path;
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    const { name, required, schema } = parameter;
    const value = schema.example ?? schema.default;
    if (parameter.in === "path") {
      target = target.replace(`{${name}}`, String(value));
    } else if (required) query.set(name, String(value));
  }
  const search = query.size === 0 ? "" : `?${query}`;
  const scheme = schemeOf(operation);
  const verb = method === "GET" ? "" : ` -X ${method}`;
  const origin = path.startsWith("/api/account") && method !== "GET"
    ? ` \\\n  -H 'Origin: ${publicUrl}'`
    : "";
  const body = operation.requestBody?.content["application/json"]?.example;
  const sent = body === undefined
    ? ""
    : ` \\\n  -H 'Content-Type: application/json' \\\n  -d '${
      JSON.stringify(body)
    }'`;
  return `curl${verb} '${publicUrl}${target}${search}'${
    scheme === undefined ? "" : CREDENTIALS[scheme] ?? ""
  }${origin}${sent}`;
}

function shorten(text: string): string {
  return text.length <= MAX_EXAMPLE_CHARACTERS
    ? text
    : `${text.slice(0, MAX_EXAMPLE_CHARACTERS)}…`;
}
