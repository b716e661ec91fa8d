/** The form of the explorer. It works without scripts. */
import { html, raw } from "hono/html";
import type { Interval } from "../../services/platform/days.ts";
import {
  CHART_NAMES,
  type ChartName,
  choicesOf,
  isChecked,
  MAX_COMPARED_CHAINS,
} from "../../services/charts/charts_schema.ts";
import { RANGE_NAMES } from "../../services/chain_data/catalogue/day_query_schema.ts";
import {
  CUSTOM_DAYS,
  type ExplorerState,
  type ListedChain,
} from "../../services/charts/explorer_schema.ts";
import type { ChainMistake } from "./chain_mistake.ts";
import { CHART_WORDS, printable } from "./chart_words.ts";
import { explorerPath } from "./explorer_links.ts";
import { explorerOptions } from "./explorer_options.ts";
import { segments } from "./segments.ts";
import type { Html } from "../pages/layout.ts";

/** The current choices of the form, and its options. */
interface FormProps {
  readonly state: ExplorerState;
  readonly chains: readonly ListedChain[];
  /** First and last shown day, as defaults; null if no data is shown. */
  readonly shown: readonly [first: string, last: string] | null;
  /** The text that names no single chain, if there is one. */
  readonly mistake?: ChainMistake | undefined;
  /** The parameter that is not accepted, if there is one. A date is marked. */
  readonly refused?: string | undefined;
}

const INTERVAL_WORDS: Readonly<Record<Interval, string>> = {
  day: "Day",
  week: "Week",
  month: "Month",
};

/** Renders the form. */
export function explorerForm(
  { state, chains, shown, mistake, refused }: FormProps,
): Html {
  const { metric, range, interval, window } = state;
  const { intervals, usualRange, windows } = choicesOf(metric);
  const [first = "", last = ""] = shown ?? [];
  return html`
    <search aria-label="Chart options">
      <form class="explorer-form" action="/" method="get" id="explorer-form"
        data-usual-range="${usualRange}">
        ${metricField(metric)} ${isChecked(metric)
          ? fixedChain(metric)
          : chainFields(state, chains, mistake)}
        ${segments("range", "Range", {
          names: [...RANGE_NAMES, CUSTOM_DAYS],
          words: (name) =>
            name === CUSTOM_DAYS ? "Dates" : name === "all" ? "All" : name,
          chosen: range ?? CUSTOM_DAYS,
        })} ${intervals.length > 1
          ? segments("interval", "Interval", {
            names: intervals.toSorted((a, b) =>
              ORDER.indexOf(a) - ORDER.indexOf(b)
            ),
            words: (name) => INTERVAL_WORDS[name],
            chosen: interval,
          })
          : ""} ${windows.length > 1
          ? segments("window", "Mean over", {
            names: windows,
            words: (name) => `${name} days`,
            chosen: window,
          })
          : ""}
        ${explorerOptions(state)}
        <button class="button-primary explorer-submit">Show</button>
        <div class="own-days">
          <span><label for="from">From</label>
          <input type="date" id="from" name="from" value="${state.from ??
            first}" ${refused === "from" ? WRONG : ""}></span>
          <span><label for="to">To</label>
          <input type="date" id="to" name="to" value="${state.to ??
            last}" ${refused === "to" ? WRONG : ""}></span>
          <button>Show these days</button>
        </div>
        ${isChecked(metric) ? "" : comparedChains(state, chains)}
      </form>
    </search>
  `;
}

/** Marks a field whose value is not accepted. */
const WRONG = raw(`aria-invalid="true" aria-describedby="problem"`);

const ORDER: readonly Interval[] = ["day", "week", "month"];

function metricField(metric: ChartName): Html {
  const options = (isWanted: (name: ChartName) => boolean) =>
    CHART_NAMES.filter(isWanted).map((name) =>
      html`<option value="${name}" ${name === metric ? "selected" : ""}>${
        CHART_WORDS[name].label
      }${isChecked(name) ? ", checked" : ""}</option>`
    );
  return html`
    <div class="field field-series">
      <label for="metric">Series</label>
      <select id="metric" name="metric">
        <optgroup label="Any chain">${options((name) =>
          !isChecked(name)
        )}</optgroup>
        <optgroup label="Checked against a second source">${options(
          isChecked,
        )}</optgroup>
      </select>
    </div>
  `;
}

function fixedChain(metric: ChartName): Html {
  const chain = metric === "validators" ? "Primary Network" : "C-Chain";
  return html`
    <div class="field">
      <label for="fixed-chain">Chain</label>
      <input id="fixed-chain" value="${chain}" disabled
        title="Checked series cover the ${chain} only, because both sources do">
    </div>
  `;
}

function chainFields(
  state: ExplorerState,
  chains: readonly ListedChain[],
  mistake: ChainMistake | undefined,
): Html {
  const isFull = state.chainIds.length >= MAX_COMPARED_CHAINS;
  return html`
    <div class="field">
      <label for="chain">Chain</label>
      <input id="chain" name="chain" list="chains" ${valueOf(
        "chain",
        mistake,
        nameOf(state.chainIds[0]!, chains),
      )}
        placeholder="Name or chain id" autocomplete="off" spellcheck="false">
    </div>
    <div class="field field-compare">
      <label for="compare">Compare with</label>
      <input id="compare" name="compare" list="chains" ${valueOf(
        "compare",
        mistake,
        "",
      )}
        placeholder="${isFull
          ? `At most ${MAX_COMPARED_CHAINS}`
          : "Add a chain"}"
        autocomplete="off" spellcheck="false" ${isFull ? "disabled" : ""}>
    </div>
    <datalist id="chains">${chains.map((chain) =>
      html`<option value="${optionOf(chain)}"></option>`
    )}</datalist>
  `;
}

/** Returns the value of a field: the mistaken text, marked as such, or another one. */
function valueOf(
  field: ChainMistake["field"],
  mistake: ChainMistake | undefined,
  value: string,
): Html {
  return mistake?.field === field
    ? html`value="${mistake.text}" ${WRONG}`
    : html`value="${value}"`;
}

/** Renders the compared chains; nothing for a single one. */
function comparedChains(
  state: ExplorerState,
  chains: readonly ListedChain[],
): Html | "" {
  const [, ...others] = state.chainIds;
  if (others.length === 0) return "";
  return html`
    ${others.map((id) =>
      html`<input type="hidden" name="chainId" value="${id}">`
    )}
    <ul class="chips" aria-label="Compared chains">${state.chainIds.map((
      id,
    ) =>
      chip(nameOf(id, chains), {
        ...state,
        chainIds: state.chainIds.filter((other) => other !== id),
      })
    )}</ul>
  `;
}

/** Returns the name and id of a chain; only the id if the chain is not listed. */
function nameOf(id: number, chains: readonly ListedChain[]): string {
  const chain = chains.find(({ chainId }) => chainId === id);
  return chain ? optionOf(chain) : String(id);
}

/** Renders a chain with the link that removes it. */
function chip(name: string, without: ExplorerState): Html {
  return html`
    <li
      class="chip">${name} <a href="${explorerPath(
        without,
      )}" aria-label="Remove ${name}">×</a></li>
  `;
}

function optionOf({ chainName, chainId }: ListedChain): string {
  return `${printable(chainName)} · ${chainId}`;
}
