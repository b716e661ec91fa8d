/** Tables and instants in pages. */
import { html } from "hono/html";
import { formatInstant } from "./dates.ts";
import type { Html } from "./layout.ts";

type Cell = string | Html;

/** A table. The first cell of each row is its header. */
interface TableProps {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Index of the first numeric column, and of the first one behind it that is none. */
  readonly numbersFrom?: number;
  readonly numbersTo?: number;
  /** Whether each row is a card on a phone, with the names of the columns above its values. */
  readonly isCards?: boolean;
  /** Whether four values fit beside each other in a card. */
  readonly hasShortValues?: boolean;
}

/** Renders a table that scrolls horizontally, also by keyboard. */
export function table(
  label: string,
  {
    head,
    rows,
    numbersFrom = Infinity,
    numbersTo = Infinity,
    isCards = false,
    hasShortValues = false,
  }: TableProps,
): Html {
  const kind = (at: number) => numbersFrom <= at && at < numbersTo ? "num" : "";
  return html`
    <div class="table-scroll ${isCards ? "is-cards" : ""} ${hasShortValues
      ? "has-short-values"
      : ""}" role="region"
      aria-label="${label}"
      tabindex="0">
      <table>
        <thead>
          <tr>${head.map((name, at) =>
            html`<th scope="col" class="${kind(at)}">${name}</th>`
          )}</tr>
        </thead>
        <tbody>${rows.map(([first, ...rest]) =>
          html`<tr><th scope="row">${first ?? ""}</th>${
            rest.map((cell, at) =>
              html`<td class="${kind(at + 1)}" ${
                isCards ? html`data-name="${head[at + 1]}"` : ""
              }>${cell}</td>`
            )
          }</tr>`
        )}</tbody>
      </table>
    </div>
  `;
}

/** Renders an instant to the minute, in UTC. */
export function instant(iso: string): Html {
  return html`<time datetime="${iso}" class="nowrap">${
    formatInstant(iso)
  }</time>`;
}
