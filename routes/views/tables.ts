/** Tables and instants, as pages show them. */
import { html } from "hono/html";
import type { Html } from "./layout.ts";

type Cell = string | Html;

/** A table: its head, and its rows, whose first cell heads the row. */
export interface TableProps {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** The column from which on all are numbers; none where absent. */
  readonly numbersFrom?: number;
}

/** Writes a table that scrolls by itself where it is too wide, with keys too. */
export function table(
  label: string,
  { head, rows, numbersFrom = Infinity }: TableProps,
): Html {
  const kind = (at: number) => at >= numbersFrom ? "num" : "";
  return html`
    <div class="table-scroll" role="region" aria-label="${label}" tabindex="0">
      <table>
        <thead>
          <tr>${head.map((name, at) =>
            html`<th scope="col" class="${kind(at)}">${name}</th>`
          )}</tr>
        </thead>
        <tbody>${rows.map(([first, ...rest]) =>
          html`<tr><th scope="row">${first ?? ""}</th>${
            rest.map((cell, at) =>
              html`<td class="${kind(at + 1)}">${cell}</td>`
            )
          }</tr>`
        )}</tbody>
      </table>
    </div>
  `;
}

/** Writes an instant to the minute, in UTC. */
export function instant(iso: string): Html {
  const shown = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return html`<time datetime="${iso}" class="nowrap">${shown}</time>`;
}
