/** The panel of options that most readers never change. It works without scripts. */
import { html } from "hono/html";
import { VISIBILITY } from "../../services/charts/charts_schema.ts";
import type { ExplorerState } from "../../services/charts/explorer_schema.ts";
import { segments } from "./segments.ts";
import { viewFields } from "./explorer_view_form.ts";
import type { Html } from "../pages/layout.ts";

const UNFINISHED_WORDS: Readonly<Record<typeof VISIBILITY[number], string>> = {
  show: "Dashed",
  hide: "Hidden",
};

const MARKS = [
  ["upgrades", "Network upgrades"],
  ["revisions", "Revisions"],
] as const;

/** Renders the panel. Closed, it takes part in the form as well. */
export function explorerOptions(state: ExplorerState): Html {
  return html`
    <details class="explorer-options" id="options">
      <summary class="button">Options</summary>
      <div class="card stack">${viewFields(state)} ${segments(
        "unfinished",
        `Unfinished ${state.interval}`,
        {
          names: VISIBILITY,
          words: (name) => UNFINISHED_WORDS[name],
          chosen: state.unfinished,
        },
      )} ${MARKS.map(([field, legend]) =>
        segments(field, legend, {
          names: VISIBILITY,
          words: (name) => name === "show" ? "Marked" : "Hidden",
          chosen: state[field],
        })
      )}</div>
    </details>
  `;
}
