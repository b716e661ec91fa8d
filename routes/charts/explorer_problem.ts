/** The explorer's message in place of a chart, and the next steps of its reader. */
import { html } from "hono/html";
import {
  GENESIS_DAY,
  RANGES,
} from "../../services/chain_data/catalogue/day_query_schema.ts";
import type { ExplorerState } from "../../services/charts/explorer_schema.ts";
import { formatDay, parseDay } from "../../services/platform/days.ts";
import type { Failure } from "../../services/platform/fault.ts";
import { CHAINS } from "../chain_data/chain_words.ts";
import type { Html } from "../pages/layout.ts";
import { unbroken } from "../pages/unbroken.ts";
import { type ChainMistake, suggestionLinks } from "./chain_mistake.ts";
import { explorerPath } from "./explorer_links.ts";

/** Why no data can be shown. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly failure: Failure;
  /** Null if a retry cannot help. */
  readonly retryAfterS: number | null;
  /** The text that names no single chain, if that is the problem. */
  readonly mistake?: ChainMistake | undefined;
}

/** Renders the problem. */
export function problemOf(problem: Problem, state: ExplorerState): Html {
  const { status, message, failure, retryAfterS, mistake } = problem;
  const stored: Partial<Extract<Failure, { kind: "upstreamDown" }>> =
    failure.kind === "upstreamDown" ? failure : {};
  return html`
    <section class="stack stack-small explorer-problem" aria-labelledby="shown">
      <h1 class="explorer-title" id="shown">${headingOf(problem)}</h1>
      <p id="problem" class="notice ${status === 503
        ? "notice-warn"
        : "notice-bad"}">${stored.dataThrough === undefined
        ? message
        : unbroken(
          `New figures cannot be read now. The stored ones end on ${stored.dataThrough}, and the last of them may have changed since.`,
        )}</p>
      ${mistake === undefined ? "" : suggestionLinks(mistake)}
      ${retryAfterS === null
        ? html`
          <p>Choose a series, a chain and days above, or <a href="${CHAINS}">see all
              chains</a>.</p>
        `
        : html`
          <p>${stored.dataThrough === undefined
            ? "No partial data is shown. "
            : ""}Try
            again in ${waitWords(retryAfterS)}.</p>
          <p class="cluster"><a class="button" href="${explorerPath(state)}">Try
              again</a> ${settledLink(state, stored.settledThrough)}</p>
        `}
      ${stored.dataThrough === undefined ? "" : html`
        <details class="small muted">
          <summary>What the API says</summary>
          <p>${message}</p>
        </details>
      `}
    </section>
  `;
}

function headingOf({ status, failure, mistake }: Problem): string {
  if (mistake !== undefined) return "No single chain matches";
  if (failure.kind === "upstreamLacks") return "The source has no values";
  return HEADINGS[status] ?? "Something went wrong";
}

const HEADINGS: Readonly<Record<number, string>> = {
  400: "This link has a mistake",
  404: "Unknown chain",
  503: "A data source is unreachable",
};

/** Links the same view up to the newest day that no longer changes; nothing if all of its days are newer. */
function settledLink(
  state: ExplorerState,
  settled: string | null | undefined,
): Html | "" {
  if (settled === undefined || settled === null) return "";
  const from = state.range === null
    ? state.from ?? GENESIS_DAY
    : Number.isFinite(RANGES[state.range])
    ? formatDay(parseDay(settled) - RANGES[state.range] + 1)
    : GENESIS_DAY;
  if (from > settled) return "";
  const path = explorerPath({ ...state, range: null, from, to: settled });
  return html`<a class="button" href="${path}">Show the days up to ${settled}</a>`;
}

function waitWords(seconds: number): string {
  if (seconds >= 120) return `${Math.round(seconds / 60)} minutes`;
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
