/** Text in which names of chains, short addresses, days, ages, percentages, standards, orders and words such as "90-day" stay on one line. */
import { html } from "hono/html";
import type { Html } from "./layout.ts";

const WHOLE = new RegExp(
  `(${
    [
      "[CP]-Chain",
      "0x[\\da-f]{4}…[\\da-f]{4}",
      "e-mail",
      "single-address",
      "\\d+-day",
      "\\d{4}-\\d{2}-\\d{2}",
      "\\d{1,2} [A-Z][a-z]{2,3} \\d{4}",
      "(?:\\d+ [a-z]+|less than a day) ago",
      "(?:EIP|ERC|SHA)-\\d+",
    ].map((text) => `\\b${text}\\b`).join("|")
  }|\\b\\d+(?:\\.\\d+)? %|(?<=[\\s(])-[a-z]+\\b)`,
);

/** Adds to markup that chains, days, ages and percentages of its texts stay on one line. Code and tags are kept. */
export function unbrokenMarkup(markup: string): string {
  return markup.split(CODE_OR_TAG).map((part, at) =>
    at % 2 === 1
      ? part
      : part.split(WHOLE).map((text, nth) =>
        nth % 2 === 1 ? `<span class="nowrap">${text}</span>` : text
      ).join("")
  ).join("");
}

const CODE_OR_TAG = /(<(?:code|pre)\b[\s\S]*?<\/(?:code|pre)>|<[^>]*>)/;

/** Renders a text whose chains, days, ages and percentages stay on one line. */
export function unbroken(text: string): Html {
  return html`${
    text.split(WHOLE).map((part, at) =>
      at % 2 === 1 ? html`<span class="nowrap">${part}</span>` : part
    )
  }`;
}
