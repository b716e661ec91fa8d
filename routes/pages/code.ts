/** Code that a reader copies: in a block, or in tabs by name. */
import { html } from "hono/html";
import type { Html } from "./layout.ts";

/** Renders code with a button that copies it. A labelled block is a landmark; a long line of it scrolls, unless it wraps. */
export function codeBlock(
  code: string | Html,
  { label, wraps = false }: {
    readonly label?: string;
    readonly wraps?: boolean;
  } = {},
): Html {
  return html`
    <div
      class="code-block${wraps
        ? " wraps"
        : ""}"><pre tabindex="0"${label === undefined ? "" : html`
        role="region" aria-label="${label}"
      `}><code>${code}</code></pre><button class="copy" type="button" hidden>Copy</button></div>
  `;
}

/** Renders blocks of code in tabs, each with its name. */
export function codeTabs(
  label: string,
  code: readonly (readonly [name: string, text: string])[],
  look: { readonly wraps?: boolean } = {},
): Html {
  return html`<div class="tabs" data-label="${label}">${
    code.map(([name, text]) =>
      html`<section><h3>${name}</h3>${codeBlock(text, look)}</section>`
    )
  }</div>`;
}
