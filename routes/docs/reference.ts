/** The content of the reference pages, read from `/openapi.json`. */
import {
  alternativesOf,
  type ListedOperation,
  listOperations,
  nameOf,
  type OpenApi,
  type Operation,
  resolve,
  type Schema,
} from "./openapi_document.ts";
import { html } from "hono/html";
import { codeBlock } from "../pages/code.ts";
import type { Html } from "../pages/layout.ts";
import { table } from "../pages/tables.ts";
import { type Example, tabsOf } from "./markdown.ts";

/** Maximum length of an example in a table, in characters. */
const MAX_EXAMPLE_CHARACTERS = 120;

const NEEDS: Readonly<Record<string, string>> = {
  ApiKey: "needs an API key",
  Session: "needs a signed-in wallet",
};

/** The headers that send the credentials of a security scheme. */
const CREDENTIALS: Readonly<Record<string, Readonly<Record<string, string>>>> =
  {
    ApiKey: { "X-Api-Key": "$FIRN_KEY" },
    Session: { "Cookie": "$FIRN_SESSION" },
  };

/** Lists the operations of one tag, ready for display. */
export function operationsOf(
  document: OpenApi,
  tag: string,
  publicUrl: string,
): OperationProps[] {
  return listOperations(document, tag)
    .map((each) => {
      const { method, path, operation } = each;
      const answers = answersOf(document, operation);
      const body = operation.requestBody?.content["application/json"];
      const scheme = schemeOf(operation);
      const request = requestOf(each, publicUrl);
      return {
        id: operation.operationId,
        method,
        path,
        summary: operation.summary,
        needs: scheme === undefined ? null : NEEDS[scheme] ?? null,
        examples: Object.entries(EXAMPLES).map(([lang, write]) => ({
          lang,
          text: write(request),
        })),
        trial: trialOf(document, each),
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

/** Returns the form that sends a request; null if a signed-in wallet has to. */
function trialOf(
  document: OpenApi,
  { method, path, operation }: ListedOperation,
): Trial | null {
  const scheme = schemeOf(operation);
  const isSafe = method === "GET" || scheme === "ApiKey";
  if (!isSafe || scheme === "Session" || path === "/mcp") return null;
  const body = operation.requestBody?.content["application/json"]?.example;
  const parameters = (operation.parameters ?? [])
    .filter((parameter) => parameter.in !== "cookie");
  return {
    needsKey: scheme === "ApiKey",
    fields: [
      ...parameters.map(({ in: place, name, required = false, ...more }) => {
        const known = textOf(more.example ?? more.schema.default) ?? "";
        return {
          in: place as TrialField["in"],
          name,
          isRequired: required,
          isList: alternativesOf(document, more.schema)
            .some(({ type }) => type === "array"),
          value: required ? known : "",
          placeholder: required ? "" : known,
        };
      }),
      ...body === undefined ? [] : [{
        in: "body" as const,
        name: "body",
        isRequired: true,
        isList: false,
        value: JSON.stringify(body, null, 2),
        placeholder: "",
      }],
    ],
  };
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

/** A request with the examples of its parameters. */
interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  /** A value of `$NAME` is an environment variable. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** How a program reads the answer. */
  readonly answers: "json" | "text" | "bytes";
}

function requestOf(
  { method, path, operation }: ListedOperation,
  publicUrl: string,
): ExampleRequest {
  let target = path;
  const query = new URLSearchParams();
  for (const parameter of operation.parameters ?? []) {
    const { name, required, schema, example } = parameter;
    const value = example ?? schema.default;
    if (parameter.in === "path") {
      target = target.replace(`{${name}}`, String(value));
    } else if (required) query.set(name, String(value));
  }
  const search = query.size === 0 ? "" : `?${query}`;
  const body = operation.requestBody?.content["application/json"]?.example;
  const types = Object.keys(
    Object.entries(operation.responses)
      .find(([status]) => status.startsWith("2"))?.[1].content ?? {},
  );
  const isJson = (type: string) => type === "application/json";
  const isText = (type: string) =>
    isJson(type) || /^text\/|xml|csv|ndjson/.test(type);
  const isAll = (are: (type: string) => boolean) =>
    types.length > 0 && types.every(are);
  return {
    method,
    url: `${publicUrl}${target}${search}`,
    headers: {
      ...CREDENTIALS[schemeOf(operation) ?? ""],
      ...path.startsWith("/api/account") && method !== "GET" &&
        { "Origin": publicUrl },
      ...body !== undefined && { "Content-Type": "application/json" },
    },
    body,
    answers: isAll(isJson) ? "json" : isAll(isText) ? "text" : "bytes",
  };
}

/** The request in each language, by the name of the language. */
const EXAMPLES: Readonly<Record<string, (request: ExampleRequest) => string>> =
  {
    sh: ({ method, url, headers, body }) =>
      [
        `curl${method === "GET" ? "" : ` -X ${method}`} '${url}'`,
        ...Object.entries(headers).map(([name, value]) =>
          name === "Cookie"
            ? `-b "${value}"`
            : value.startsWith("$")
            ? `-H "${name}: ${value}"`
            : `-H '${name}: ${value}'`
        ),
        ...body === undefined ? [] : [`-d '${JSON.stringify(body)}'`],
      ].join(" \\\n  "),

    ts: ({ method, url, headers, body, answers }) => {
      const options = [
        ...method === "GET" ? [] : [`method: ${JSON.stringify(method)},`],
        ...listed(headers, {
          open: "headers: {",
          item: (name, value) =>
            `${name}: ${
              value.startsWith('"$')
                ? `process.env.${value.slice(2, -1)}!`
                : value
            },`,
          close: "},",
        }),
        ...body === undefined
          ? []
          : [`body: JSON.stringify(${JSON.stringify(body)}),`],
      ].map((line) => `\n  ${line}`).join("");
      const read = {
        json: "await response.json()",
        text: "await response.text()",
        bytes: "(await response.arrayBuffer()).byteLength",
      }[answers];
      return `const response = await fetch(${JSON.stringify(url)}${
        options === "" ? "" : `, {${options}\n}`
      });
console.log(response.status, ${read});`;
    },

    py: ({ method, url, headers, body, answers }) => {
      const options = [
        JSON.stringify(url) + ",",
        ...method === "GET" ? [] : [`method=${JSON.stringify(method)},`],
        ...listed(headers, {
          open: "headers={",
          item: (name, value) =>
            `${name}: ${
              value.startsWith('"$')
                ? `os.environ["${value.slice(2, -1)}"]`
                : value
            },`,
          close: "},",
        }),
        ...body === undefined
          ? []
          : [`data=json.dumps(${pythonOf(body)}).encode(),`],
      ].map((line) => `\n    ${line}`).join("");
      const isSecret = Object.values(headers).some((value) =>
        value.startsWith("$")
      );
      const modules = [
        ...answers === "json" || body !== undefined ? ["json"] : [],
        ...isSecret ? ["os"] : [],
        "urllib.request",
      ];
      const read = {
        json: "json.load(response)",
        text: "response.read().decode()",
        bytes: "len(response.read())",
      }[answers];
      return `${modules.map((name) => `import ${name}\n`).join("")}
request = urllib.request.Request(${options}
)
with urllib.request.urlopen(request) as response:
    print(response.status, ${read})`;
    },
  };

/** Returns the lines of headers in the syntax of a language. */
function listed(
  headers: Readonly<Record<string, string>>,
  { open, item, close }: {
    readonly open: string;
    readonly item: (name: string, value: string) => string;
    readonly close: string;
  },
): string[] {
  const entries = Object.entries(headers);
  return entries.length === 0 ? [] : [
    open,
    ...entries.map(([name, value]) =>
      `  ${item(JSON.stringify(name), JSON.stringify(value))}`
    ),
    close,
  ];
}

/** Writes a JSON value as Python. */
function pythonOf(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  return typeof value === "object"
    ? `{${
      Object.entries(value).map(([name, one]) =>
        `${JSON.stringify(name)}: ${pythonOf(one)}`
      ).join(", ")
    }}`
    : JSON.stringify(value);
}

function shorten(text: string): string {
  return text.length <= MAX_EXAMPLE_CHARACTERS
    ? text
    : `${text.slice(0, MAX_EXAMPLE_CHARACTERS)}…`;
}

/** A parameter or a field of a body. */
interface FieldProps {
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

/** A field of the form: a parameter, or the whole body. */
interface TrialField {
  readonly in: "path" | "query" | "header" | "body";
  readonly name: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly value: string;
  readonly placeholder: string;
}

/** The form of an operation. */
interface Trial {
  readonly fields: readonly TrialField[];
  readonly needsKey: boolean;
}

/** An operation. */
interface OperationProps {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** The required credential in words; null if none. */
  readonly needs: string | null;
  /** The request in each language. */
  readonly examples: readonly Example[];
  /** The form that sends it; null if it needs a wallet. */
  readonly trial: Trial | null;
  readonly parameters: readonly FieldProps[];
  readonly body: readonly FieldProps[];
  /** Responses with status 200 to 399. */
  readonly answers: readonly AnswerProps[];
  readonly errors: readonly AnswerProps[];
}

/** Renders the operations of one tag. */
export function referenceOf(
  { title, description, operations }: {
    readonly title: string;
    readonly description: string;
    readonly operations: readonly OperationProps[];
  },
): Html {
  return html`<div class="stack stack-large">
    <header class="stack stack-small"><h1>${title}</h1>
      <p class="lede">${description}</p></header>
    ${operations.map(section)}
  </div>`;
}

/** The colours of methods; those that change something stand out. */
const METHOD_BADGES: Readonly<Record<string, string>> = {
  GET: "badge-accent",
  POST: "badge-good",
  PUT: "badge-warn",
  DELETE: "badge-bad",
};

function methodBadge(method: string): Html {
  return html`<span class="badge ${METHOD_BADGES[method]}">${method}</span>`;
}

function section(operation: OperationProps): Html {
  const { id, method, path, summary, needs, examples, parameters, body } =
    operation;
  return html`<section class="operation stack" aria-labelledby="${id}">
    <header class="stack stack-small">
      <h2 id="${id}">${summary}</h2>
      <p class="cluster operation-line">${methodBadge(method)}
        <code class="break-anywhere">${breakable(path)}</code>
        ${
    needs === null ? "" : html`<span class="small muted">${needs}</span>`
  }</p>
    </header>
    ${tabsOf(examples)}
    ${operation.trial === null ? "" : trialForm(operation, operation.trial)}
    ${
    parameters.length === 0 ? "" : html`<h3>Parameters</h3>
      ${fieldsTable(`Parameters of ${id}`, parameters, SENT)}`
  }
    ${
    body.length === 0 ? "" : html`<h3>Body</h3>
      ${fieldsTable(`Body of ${id}`, body, SENT)}`
  }
    <h3>Responses</h3>
    ${operation.answers.map((answer) => answerOf(id, answer))}
    ${operation.errors.length === 0 ? "" : errorsOf(id, operation.errors)}
  </section>`;
}

/** Renders the form. No field has a name, so that no browser puts a value, such as a key, into an address. */
function trialForm(
  { id, method, path }: OperationProps,
  { fields, needsKey }: Trial,
): Html {
  return html`
    <details class="try-it wraps">
      <summary>Try it</summary>
      <form class="stack" data-method="${method}" data-path="${path}">
        <div class="grid try-fields">${fields.map((field) =>
          trialField(id, field)
        )}${needsKey
          ? html`<div class="field"><label for="try-${id}-key">API key</label>
        <input id="try-${id}-key" type="password" required autocomplete="off" spellcheck="false"
        data-in="key" aria-describedby="try-${id}-hint"><span id="try-${id}-hint"
        class="field-hint">Sent in the X-Api-Key header to this service alone, and kept nowhere. A test
        key costs nothing.</span></div>`
          : ""}</div>
        <p class="cluster"><button class="button-primary">Send</button>
            <span class="small muted" role="status"></span></p>
        <pre tabindex="0" aria-label="The answer" hidden></pre>
      </form>
    </details>
  `;
}

function trialField(
  id: string,
  { in: place, name, isRequired, isList, value, placeholder }: TrialField,
): Html {
  const field = `try-${id}-${place}-${name}`;
  const label = html`<label for="${field}">${name}${
    isRequired ? "" : html`
      <span class="muted">optional</span>
    `
  }</label>`;
  if (place === "body") {
    return html`
      <div
        class="field">${label}<textarea id="${field}" class="mono" rows="5" required
            spellcheck="false" data-in="body">${value}</textarea></div>
    `;
  }
  return html`
    <div
      class="field">${label}<input id="${field}" class="mono" data-in="${place}"
        data-name="${name}" ${isList ? html`data-list` : ""} ${isRequired
          ? html`required`
          : ""} value="${value}" placeholder="${placeholder}" autocomplete="off" spellcheck="false"></div>
  `;
}

function answerOf(
  id: string,
  { status, description, fields, example }: AnswerProps,
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
          <ul class="stack stack-small operations">${operations.map((
            operation,
          ) =>
            html`<li>${methodBadge(operation.method)}
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
