/** The reasons of a score in three groups, each with the figures of the address. */
import { html } from "hono/html";
import type { Figures } from "../../services/scores/public_scores_schema.ts";
import type { ReasonKind } from "../../services/model/reasons_schema.ts";
import type { Reason } from "../../services/model/scores_schema.ts";
import type { Html } from "../pages/layout.ts";
import { figuresBehind } from "./reason_figures.ts";
import { unbroken } from "../pages/unbroken.ts";
import { DIMENSION_WORDS } from "./score_words.ts";

/** A group of reasons on the page. */
interface Group {
  readonly kind: ReasonKind;
  readonly title: string;
  readonly badge: string;
  readonly meaning: string;
  readonly none: string;
}

const GROUPS: readonly Group[] = [
  {
    kind: "positive",
    title: "Strengths",
    badge: "badge badge-good",
    meaning: "What raises the score.",
    none: "Nothing that was read speaks for this address yet.",
  },
  {
    kind: "coverage",
    title: "Gaps",
    badge: "badge",
    meaning:
      "Missing or limited evidence. It never lowers the score; most of it lowers the confidence.",
    none: "Nothing is missing.",
  },
  {
    kind: "risk",
    title: "Risks",
    badge: "badge badge-warn",
    meaning: "What lowers the score.",
    none: "No risk was found in what was read.",
  },
];

/** Renders the groups. Within a group the order and the texts are those of the API. */
export function reasonGroups(
  reasons: readonly Reason[],
  figures: Figures | null,
): Html {
  return html`<div class="reason-groups">${
    GROUPS.map(({ kind, title, badge, meaning, none }) => {
      const some = reasons.filter((reason) => reason.kind === kind);
      const id = title.toLowerCase();
      return html`<section class="card stack stack-small" aria-labelledby="${id}">
<h3 id="${id}">${title} <span class="${
        some.length > 0 ? badge : "badge"
      }">${some.length}</span></h3>
<p class="small muted">${meaning}</p>
${
        some.length === 0
          ? html`<p>${none}</p>`
          : html`<ul class="reasons">${
            some.map((reason) => reasonItem(reason, figures))
          }</ul>`
      }</section>`;
    })
  }</div>`;
}

function reasonItem(
  { code, dimension, title, detail }: Reason,
  figures: Figures | null,
): Html {
  const behind = figures && figuresBehind(code, figures);
  return html`<li><p class="reason-title">${title} <span class="muted small">${
    DIMENSION_WORDS[dimension].label
  }</span></p><p class="reason-detail">${unbroken(detail)}</p>${
    behind ? html`<p class="reason-figures num">${unbroken(behind)}</p>` : ""
  }</li>`;
}
