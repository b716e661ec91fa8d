/** The reference pages: operations with their parameters and responses. */
import { html } from "hono/html";
import type { Html } from "../pages/layout.ts";
import { table } from "../pages/tables.ts";

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
export interface AnswerProps {
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
