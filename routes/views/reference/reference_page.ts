/** The reference: operations with what they take and what they answer. */
import { html } from "hono/html";
import type { Html } from "../layout.ts";
import { table } from "../tables.ts";

/** A parameter, or a field of a body. */
export interface FieldProps {
  /** With the fields around it: `series[].day`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** What is accepted, or what comes, in words; empty where all of the type is. */
  readonly accepted: string;
  /** What it is where it is not sent; null where it is nothing then. */
  readonly usual: string | null;
  readonly example: string | null;
}

/** An answer of one status. */
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
  /** What the caller has to show; null where nothing. */
  readonly needs: string | null;
  readonly curl: string;
  readonly parameters: readonly FieldProps[];
  readonly body: readonly FieldProps[];
  /** Answers with 200 to 399. */
  readonly answers: readonly AnswerProps[];
  readonly errors: readonly AnswerProps[];
}

/** Writes the operations of one tag. */
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
        <code class="break-anywhere">${path}</code>
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
    <h3>Answers</h3>
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
      head: ["Status", "When", "For example"],
      rows: errors.map(({ status, description, example }) => [
        status,
        description,
        example === null
          ? "–"
          : html`<div class="wide"><code>${example}</code></div>`,
      ]),
    })
  }</details>`;
}

const countOf = ({ length }: readonly unknown[], what: string) =>
  length === 1 ? `1 ${what}` : `${length} ${what}s`;

/** The last column of a table of fields. */
interface LastColumn {
  readonly head: string;
  readonly cell: (field: FieldProps) => Html | string;
}

/** Of what is sent, a default says what counts, an example only how it looks. */
const SENT: LastColumn = {
  head: "Default or example",
  cell: ({ usual, example }) =>
    usual === null ? codeCell(example, "e.g. ") : codeCell(usual, "default "),
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

/** A tag with its operations, for a list of all. */
export interface TagProps {
  readonly label: string;
  readonly description: string;
  readonly href: string;
  readonly operations: readonly (
    & Pick<OperationProps, "method" | "path" | "summary">
    & { readonly href: string }
  )[];
}

/** Writes the list of all operations. */
export function referenceHome(tags: readonly TagProps[]): Html {
  return html`<div class="stack stack-large">
    <header class="stack stack-small"><h1>Reference</h1>
      <p class="lede">Every endpoint, made of <a href="/openapi.json">the OpenAPI document</a>,
        which is made of the schemas that validate requests.</p></header>
    ${
    tags.map(({ label, description, href, operations }) =>
      html`
        <section class="stack stack-small">
          <h2><a href="${href}">${label}</a></h2>
          <p class="muted">${description}</p>
          <ul class="operations">${operations.map((operation) =>
            html`<li><span class="badge method-${operation.method.toLowerCase()}">${operation.method}</span>
            <a href="${operation.href}"><code>${operation.path}</code></a>
            <span class="small muted">${operation.summary}</span></li>`
          )}</ul>
        </section>
      `
    )
  }
  </div>`;
}
