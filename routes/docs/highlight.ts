/** Marks the syntax of code examples. */
import { html } from "hono/html";
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
import type { Html } from "../pages/layout.ts";

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
const LANGUAGES = RULES as Record<string, unknown> as Record<
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
export function highlight(text: string, language: string): Html {
  const rules = LANGUAGES[language];
  if (rules === undefined) return html`${text}`;
  const parts: (string | Html)[] = [];
  tokenizeWith(text, rules, (part, type) => {
    const name = CLASSES[type ?? ""];
    parts.push(
      name === undefined ? part : html`<span class="${name}">${part}</span>`,
    );
  }, { languages: LANGUAGES });
  return html`${parts}`;
}
