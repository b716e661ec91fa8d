/** Text in which names of chains and days do not break at their hyphens. */
import { html } from "hono/html";
import type { Html } from "./layout.ts";

const HYPHENATED = /(\b[CP]-Chain\b|\b\d{4}-\d{2}-\d{2}\b)/;

/** Renders a text whose chains and days stay on one line. */
export function unbroken(text: string): Html {
  return html`${
    text.split(HYPHENATED).map((part, at) =>
      at % 2 === 1 ? html`<span class="nowrap">${part}</span>` : part
    )
  }`;
}
