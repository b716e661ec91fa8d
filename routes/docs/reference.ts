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
import { html } from "hono/html";
import type { Html } from "../pages/layout.ts";
import { table } from "../pages/tables.ts";

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
              example: parameter.example,
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
    const { name, required, schema, example } = parameter;
    const value = example ?? schema.default;
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

/** A parameter or a field of a body. */
export interface FieldProps {
  /** Path of the field: `series[].day`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The allowed values in words; empty if the type says it all. */
  readonly accepted: string;
  /** The default; null if there is none. */
  readonly defaultValue: string | null;
  readonly example: string | null;
}

/** A response by its status. */
interface AnswerProps {
  readonly status: string;
  readonly description: string;
  readonly fields: readonly FieldProps[];
  readonly example: string | null;
}

/** An operation. */
export interface OperationProps {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** The required credential in words; null if none. */
  readonly needs: string | null;
  readonly curl: string;
  readonly parameters: readonly FieldProps[];
  readonly body: readonly FieldProps[];
  /** Responses with status 200 to 399. */
  readonly answers: readonly AnswerProps[];
  readonly errors: readonly AnswerProps[];
}

/** Renders the operations of one tag. */
export function referenceOf(
  { title, description, operations, codeBlock }: {
    readonly title: string;
    readonly description: string;
    readonly operations: readonly OperationProps[];
    readonly codeBlock: (text: string, lang?: string) => Html;
  },
): Html {
  return html`<div class="stack stack-large">
    <header class="stack stack-small"><h1>${title}</h1>
      <p class="lede">${description}</p></header>
    ${operations.map((operation) => section(operation, codeBlock))}
  </div>`;
}

function section(
  operation: OperationProps,
  codeBlock: (text: string, lang?: string) => Html,
): Html {
  const { id, method, path, summary, needs, curl, parameters, body } =
    operation;
  return html`<section class="operation stack" aria-labelledby="${id}">
    <header class="stack stack-small">
      <h2 id="${id}">${summary}</h2>
      <p class="operation-line"><span class="badge method-${method.toLowerCase()}">${method}</span>
        <code class="break-anywhere">${breakable(path)}</code>
        ${
    needs === null ? "" : html`<span class="small muted">${needs}</span>`
  }</p>
    </header>
    ${codeBlock(curl, "sh")}
    ${
    parameters.length === 0 ? "" : html`<h3>Parameters</h3>
      ${fieldsTable(`Parameters of ${id}`, parameters, SENT)}`
  }
    ${
    body.length === 0 ? "" : html`<h3>Body</h3>
      ${fieldsTable(`Body of ${id}`, body, SENT)}`
  }
    <h3>Responses</h3>
    ${operation.answers.map((answer) => answerOf(id, answer, codeBlock))}
    ${operation.errors.length === 0 ? "" : errorsOf(id, operation.errors)}
  </section>`;
}

function answerOf(
  id: string,
  { status, description, fields, example }: AnswerProps,
  codeBlock: (text: string, lang?: string) => Html,
): Html {
  return html`<div class="stack stack-small">
    <p><span class="badge badge-good">${status}</span> ${description}.</p>
    ${
    example === null
      ? ""
      : html`<details><summary>Example</summary>${codeBlock(example)}</details>`
  }
    ${
    fields.length === 0
      ? ""
      : html`<details><summary>${countOf(fields, "field")}</summary>
      ${
        fieldsTable(`Fields of ${status} of ${id}`, fields, ANSWERED)
      }</details>`
  }
  </div>`;
}

function errorsOf(id: string, errors: readonly AnswerProps[]): Html {
  return html`<details><summary>${countOf(errors, "error")}</summary>${
    table(`Errors of ${id}`, {
      head: ["Status", "When"],
      rows: errors.map(({ status, description }) => [status, description]),
    })
  }</details>`;
}

const countOf = ({ length }: readonly unknown[], what: string) =>
  length === 1 ? `1 ${what}` : `${length} ${what}s`;

/** The last column of a fields table. */
interface LastColumn {
  readonly head: string;
  readonly cell: (field: FieldProps) => Html | string;
}

/** For a parameter the default matters more than an example. */
const SENT: LastColumn = {
  head: "Default or example",
  cell: ({ defaultValue, example }) =>
    defaultValue === null
      ? codeCell(example, "e.g. ")
      : codeCell(defaultValue, "default "),
};

const ANSWERED: LastColumn = {
  head: "Example",
  cell: ({ example }) => codeCell(example, ""),
};

function codeCell(value: string | null, word: string): Html | string {
  return value === null
    ? "–"
    : html`<div class="wide">${word}<code>${value}</code></div>`;
}

function fieldsTable(
  label: string,
  fields: readonly FieldProps[],
  last: LastColumn,
): Html {
  return table(label, {
    head: ["Name", "Type", "Meaning", last.head],
    rows: fields.map((field) => [
      html`<code>${field.name}</code>${
        field.isRequired
          ? html`<br><span class="small muted">required</span>`
          : ""
      }`,
      html`<span class="nowrap">${field.type}</span>`,
      html`<div class="wide">${field.description}${
        field.accepted === ""
          ? ""
          : html`<br><span class="small muted">${field.accepted}</span>`
      }</div>`,
      last.cell(field),
    ]),
  });
}

/** A tag with its operations, for the index. */
interface TagProps {
  readonly label: string;
  readonly description: string;
  readonly href: string;
  readonly operations: readonly (
    & Pick<OperationProps, "method" | "path" | "summary">
    & { readonly href: string }
  )[];
}

/** Renders the index of all operations. */
export function referenceHome(tags: readonly TagProps[]): Html {
  return html`<div class="stack stack-large">
    <header class="stack stack-small"><h1>Reference</h1>
      <p class="lede">Every endpoint, generated from <a href="/openapi.json">the OpenAPI document</a>.
        The schemas in it also validate your requests.</p></header>
    ${
    tags.map(({ label, description, href, operations }) =>
      html`
        <section class="stack stack-small">
          <h2><a href="${href}">${label}</a></h2>
          <p class="muted">${description}</p>
          <ul class="operations">${operations.map((operation) =>
            html`<li><span class="badge method-${operation.method.toLowerCase()}">${operation.method}</span>
            <a href="${operation.href}"><code>${
              breakable(operation.path)
            }</code></a>
            <span class="small muted">${operation.summary}</span></li>`
          )}</ul>
        </section>
      `
    )
  }
  </div>`;
}

/** Renders a path that breaks before its parts. */
function breakable(path: string): Html {
  return html`${
    path.split(/(?<=.)(?=\/)/).map((part, at) =>
      at === 0 ? part : html`<wbr>${part}`
    )
  }`;
}
