/** Text in which names of chains and days do not break at their hyphens. */
import { html } from "hono/html";
import type { Html } from "./layout.ts";

const HYPHENATED = /(\b[CP]-Chain\b|\b\d{4}-\d{2}-\d{2}\b)/;

/** Adds to markup that chains and days of its texts stay on one line. Code and tags are kept. */
export function unbrokenMarkup(markup: string): string {
  return markup.split(CODE_OR_TAG).map((part, at) =>
    at % 2 === 1
      ? part
      : part.split(HYPHENATED).map((text, nth) =>
        nth % 2 === 1 ? `<span class="nowrap">${text}</span>` : text
      ).join("")
  ).join("");
}

const CODE_OR_TAG = /(<(?:code|pre)\b[\s\S]*?<\/(?:code|pre)>|<[^>]*>)/;

/** Renders a text whose chains and days stay on one line. */
export function unbroken(text: string): Html {
  return html`${
    text.split(HYPHENATED).map((part, at) =>
      at % 2 === 1 ? html`<span class="nowrap">${part}</span>` : part
    )
  }`;
}
