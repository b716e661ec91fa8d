/** A row of alternatives of a form. */
import { html } from "hono/html";
import type { Html } from "../pages/layout.ts";

/** Renders a group of radio buttons with its legend. */
export function segments<Name extends string>(
  field: string,
  legend: string,
  { names, words, chosen }: {
    readonly names: readonly Name[];
    readonly words: (name: Name) => string;
    readonly chosen: Name | null;
  },
): Html {
  return html`
    <fieldset class="field-${field}">
      <legend class="label">${legend}</legend>
      <div class="segments">${names.map((name) =>
        radio(field, name, { label: words(name), isChosen: name === chosen })
      )}</div>
    </fieldset>
  `;
}

function radio(
  field: string,
  value: string,
  { label, isChosen }: { readonly label: string; readonly isChosen: boolean },
): Html {
  return html`<label><input type="radio" id="${field}-${value}" name="${field}" value="${value}" ${
    isChosen ? "checked" : ""
  }>${label}</label>`;
}
