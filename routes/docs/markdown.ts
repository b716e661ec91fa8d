/** Renders the Markdown of the guides as HTML. */
import { html, raw } from "hono/html";
import type { Token, Tokens } from "marked";
import { codeBlock } from "../pages/code.ts";
import type { Html } from "../pages/layout.ts";
import { unbrokenMarkup } from "../pages/unbroken.ts";
import {
  type ShjLanguageData,
  tokenizeWith,
} from "@speed-highlight/core/tokenize";
import bash from "@speed-highlight/core/languages/bash.js";
import js from "@speed-highlight/core/languages/js.js";
import json from "@speed-highlight/core/languages/json.js";
import py from "@speed-highlight/core/languages/py.js";
import sql from "@speed-highlight/core/languages/sql.js";
import ts from "@speed-highlight/core/languages/ts.js";
import yaml from "@speed-highlight/core/languages/yaml.js";

/** A second-level heading, for the table of contents. */
interface Heading {
  readonly id: string;
  readonly text: string;
}

/** A part of a text with an anchor of its own, without markup: below a heading, or a row of a table. */
interface Section {
  /** The anchor; empty before the first heading with an anchor. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** A rendered text. */
export interface Rendered {
  /** The text of the first heading. */
  readonly title: string;
  /** The first paragraph, without markup. */
  readonly description: string;
  readonly headings: readonly Heading[];
  /** What a search looks through. */
  readonly sections: readonly Section[];
  readonly body: Html;
}

/** Tab labels by the language of an example. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: "curl",
  ts: "TypeScript",
  py: "Python",
};

/**
 * Renders Markdown. Consecutive examples in different languages become tabs.
 * Throws on raw HTML: it would bypass the escaping and the page's styles.
 */
export async function renderMarkdown(text: string): Promise<Rendered> {
  const { marked } = await import("marked");
  const tokens = marked.lexer(text);
  marked.walkTokens(tokens, (token) => {
    if (token.type === "html") {
      throw new Error(`Cannot render raw HTML: ${token.raw}`);
    }
  });
  // Code within a list scrolls, so the keyboard must reach it.
  const markup = (token: Token) =>
    raw(
      unbrokenMarkup(
        marked.parser([token]).replaceAll("<pre>", '<pre tabindex="0">'),
      ),
    );
  const inline = ({ tokens }: { readonly tokens: Token[] }) =>
    raw(unbrokenMarkup(marked.Parser.parseInline(tokens)));
  const blocks = tokens.filter(({ type }) => type !== "space");
  const headings: Heading[] = [];
  let label = "";
  // Landmarks have names of their own: the second table of a section is "Versions, 2".
  const tableCounts = new Map<string, number>();
  const nameTable = () => {
    const nth = (tableCounts.get(label) ?? 0) + 1;
    tableCounts.set(label, nth);
    return nth === 1 ? label : `${label}, ${nth}`;
  };
  const body: Html[] = [];
  const idOf = anchors();
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]!;
    if (isHeading(block)) {
      label = plainText(block);
      const id = slugOf(label);
      if (block.depth === 2) headings.push({ id, text: label });
      body.push(heading(block.depth, id, inline(block)));
    } else if (isCode(block)) {
      const examples = [block];
      for (let next = blocks[at + 1]; isAlternative(block); at++) {
        if (!isCode(next) || !isAlternative(next)) break;
        examples.push(next);
        next = blocks[at + 2];
      }
      body.push(
        examples.length === 1
          ? exampleBlock(block.text, block.lang)
          : tabsOf(examples),
      );
    } else if (block.type === "table") {
      body.push(html`
        <div class="table-scroll${stackedClass(
          block as Tokens.Table,
        )}" role="region"
          aria-label="${nameTable()}" tabindex="0">${tableOf(
            block as Tokens.Table,
            { inline, idOf },
          )}</div>
      `);
    } else body.push(markup(block));
  }
  const first = blocks.find(isHeading);
  const lede = blocks.find(({ type }) => type === "paragraph");
  return {
    title: first === undefined ? "" : plainText(first),
    description: lede === undefined ? "" : plainText(lede),
    headings,
    sections: listSections(blocks),
    body: html`${body}`,
  };
}

/** Languages whose long lines wrap. */
const WRAPPED = ["sh", "text"];

/** Renders an example in a language, with its parts marked. */
export function exampleBlock(text: string, lang = ""): Html {
  return codeBlock(highlight(text, lang), { wraps: WRAPPED.includes(lang) });
}

/** An example in a language by its name in the guides. */
export interface Example {
  readonly lang?: string | undefined;
  readonly text: string;
}

/** Renders examples in several languages as tabs. */
export function tabsOf(examples: readonly Example[]): Html {
  return html`<div class="tabs" data-label="Language">${
    examples.map(({ lang, text }) =>
      html`<section><p class="eyebrow">${LANGUAGES[lang!]}</p>
      ${exampleBlock(text, lang)}</section>`
    )
  }</div>`;
}

/** From this number of columns on, the rows of a table become blocks on a phone. */
const STACKED_COLUMNS = 4;

/**
 * With one column less, rows become blocks from this number of characters in a row on.
 */
const STACKED_CHARACTERS = 70;

/**
 * Returns whether each row of a table becomes a block on a phone. Rows that begin with
 * a long code also become blocks.
 */
function isStacked({ header, rows }: Tokens.Table): boolean {
  const lengthOf = (row: Tokens.TableCell[]) =>
    row.reduce((sum, { text }) => sum + text.length, 0);
  return header.length >= STACKED_COLUMNS ||
    rows.some(([first]) => hasLongCode(first!)) ||
    header.length === STACKED_COLUMNS - 1 &&
      rows.some((row) => lengthOf(row) >= STACKED_CHARACTERS);
}

function stackedClass(table: Tokens.Table): string {
  return isStacked(table) ? " is-stacked" : "";
}

/** Renders a table. Rows that begin with a code have it as their anchor, if no earlier row has. */
function tableOf(
  table: Tokens.Table,
  { inline, idOf }: {
    readonly inline: (cell: Tokens.TableCell) => Html;
    readonly idOf: ReturnType<typeof anchors>;
  },
): Html {
  const { header, rows } = table;
  const cells = (rest: readonly Tokens.TableCell[]) =>
    rest.map((cell, at) =>
      isStacked(table)
        ? html`<td${wrapping(cell)} data-label="${labelOf(header[at + 1]!)}">${
          inline(cell)
        }</td>`
        : html`<td${wrapping(cell)}>${inline(cell)}</td>`
    );
  return html`
    <table>
      <thead>
        <tr>${header.map((cell) => html`<th>${inline(cell)}</th>`)}</tr>
      </thead>
      <tbody>${rows.map(([first, ...rest]) => {
        const id = idOf(first!);
        return html`${
          id === null
            ? html`
              <tr>
                <td>${inline(first!)}</td>
            `
            : html`
              <tr id="${id}">
                <td><a href="#${id}">${inline(first!)}</a></td>
            `
        }${cells(rest)}</tr>`;
      })}</tbody>
    </table>
  `;
}

/** Maximum length, in characters, of a code that a cell keeps on one line. */
const CODE_CHARACTERS = 30;

function hasLongCode({ tokens }: Tokens.TableCell): boolean {
  return tokens.some((token) =>
    token.type === "codespan" && token.text.length > CODE_CHARACTERS
  );
}

/** Marks a cell whose code is so long that it would push the next columns out of view. */
function wrapping(cell: Tokens.TableCell): Html {
  return raw(hasLongCode(cell) ? ' class="is-long"' : "");
}

function labelOf({ tokens }: Tokens.TableCell): string {
  return tokens.map(plainText).join("");
}

/** Returns the code that is all of a cell's content; null if there is more, or none that fits an anchor. */
function codeOf({ tokens }: Tokens.TableCell): string | null {
  const [only] = tokens;
  return tokens.length === 1 && only?.type === "codespan" &&
      /^[\w.-]+$/.test(only.text)
    ? only.text
    : null;
}

/** Returns the anchor of a cell: its code, unless an earlier cell of the text has it. */
function anchors(): (cell: Tokens.TableCell) => string | null {
  const used = new Set<string>();
  return (cell) => {
    const code = codeOf(cell);
    if (code === null || used.has(code)) return null;
    used.add(code);
    return code;
  };
}

/** Splits a text at its headings, and at the rows of tables that have an anchor. */
function listSections(blocks: readonly Token[]): Section[] {
  const sections: { id: string; title: string; text: string }[] = [];
  const idOf = anchors();
  for (const block of blocks) {
    if (isHeading(block)) {
      const title = plainText(block);
      const id = block.depth === 1 ? "" : slugOf(title);
      sections.push({ id, title, text: "" });
      continue;
    }
    const current = sections.at(-1);
    if (block.type !== "table") {
      if (current) current.text += `${plainText(block)}\n`;
      continue;
    }
    for (const row of (block as Tokens.Table).rows) {
      const [first, ...rest] = row;
      const id = idOf(first!);
      const text = (id === null ? row : rest)
        .map((cell) => cell.tokens.map(plainText).join("")).join(" · ");
      if (id !== null) {
        sections.splice(-1, 0, { id, title: id, text });
      } else if (current) current.text += `${text}\n`;
    }
  }
  return sections;
}

function heading(depth: number, id: string, content: Html): Html {
  if (depth === 1) return html`<h1>${content}</h1>`;
  const link =
    html`<a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
  return depth === 2
    ? html`<h2 id="${id}">${content} ${link}</h2>`
    : html`<h3 id="${id}">${content} ${link}</h3>`;
}

const isHeading = (token: Token): token is Tokens.Heading =>
  token.type === "heading";

const isCode = (token: Token | undefined): token is Tokens.Code =>
  token?.type === "code";

const isAlternative = ({ lang }: Tokens.Code) =>
  lang !== undefined && Object.hasOwn(LANGUAGES, lang);

/** Returns a token's text without markup. */
function plainText(token: Token): string {
  if ("tokens" in token && token.tokens) {
    return token.tokens.map(plainText).join("").replaceAll("\n", " ");
  }
  return "text" in token ? String(token.text) : "";
}

/** Returns the anchor of a heading. */
export function slugOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/** The languages by their names in the guides. */
const RULES = {
  sh: bash,
  js,
  json,
  py,
  python: py,
  sql,
  ts,
  typescript: ts,
  yaml,
};
// The types of the package do not know exact optional properties.
const HIGHLIGHTED_LANGUAGES = RULES as Record<string, unknown> as Record<
  string,
  ShjLanguageData
>;

/** Classes of the parts that have a colour. The other parts stay plain. */
const CLASSES: Readonly<Record<string, string>> = {
  cmnt: "code-comment",
  str: "code-string",
  num: "code-number",
  bool: "code-number",
  kwd: "code-keyword",
  type: "code-keyword",
  var: "code-name",
  func: "code-name",
};

/** Returns the text with its parts marked; the plain text if the language has no rules. */
function highlight(text: string, language: string): Html {
  const rules = HIGHLIGHTED_LANGUAGES[language];
  if (rules === undefined) return html`${text}`;
  const parts: (string | Html)[] = [];
  tokenizeWith(text, rules, (part, type) => {
    const name = CLASSES[type ?? ""];
    parts.push(
      name === undefined ? part : html`<span class="${name}">${part}</span>`,
    );
  }, { languages: HIGHLIGHTED_LANGUAGES });
  return html`${parts}`;
}
