/** A text of the form that matches no single chain, and the chains that it may mean. */
import { html } from "hono/html";
import type {
  ExplorerState,
  ListedChain,
} from "../../services/charts/explorer_schema.ts";
import { printable } from "../pages/drawable_names.ts";
import { explorerPath } from "./explorer_links.ts";
import type { Html } from "../pages/layout.ts";

/** A mistaken text. The form keeps it. */
export interface ChainMistake {
  readonly field: "chain" | "compare";
  readonly text: string;
  /** Similar chains, each with the state that the reader may have wanted. */
  readonly suggestions: readonly {
    readonly chain: ListedChain;
    readonly state: ExplorerState;
  }[];
}

/** Renders the suggestions as links; nothing without any. */
export function suggestionLinks({ suggestions }: ChainMistake): Html | "" {
  if (suggestions.length === 0) return "";
  return html`
    <p id="suggestions">Did you mean one of these?</p>
    <ul class="chips" aria-labelledby="suggestions">${suggestions.map((
      { chain, state },
    ) =>
      html`<li><a class="button button-small" href="${explorerPath(state)}">${
        printable(chain.chainName)
      } · ${chain.chainId}</a></li>`
    )}</ul>
  `;
}
