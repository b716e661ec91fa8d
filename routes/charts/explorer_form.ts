/** The form of the explorer. It works without scripts. */
import { html, raw } from "hono/html";
import { INTERVALS } from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  AVERAGES,
  baseCountOf,
  CHART_NAMES,
  type ChartName,
  type ChartView,
  choicesOf,
  FIRST_ACTIVE,
  isChecked,
  LAYOUTS,
  MAX_COMPARED_CHAINS,
  SCALES,
  type Values,
  VISIBILITY,
} from "../../services/charts/charts_schema.ts";
import { RANGE_NAMES } from "../../services/chain_data/catalogue/fields_schema.ts";
import {
  CHOSEN_DAY,
  CUSTOM_DAYS,
  type ExplorerState,
  type KeptChoice,
  type ListedChain,
} from "../../services/charts/explorer.ts";
import { capitalised, CHART_WORDS } from "./chart_words.ts";
import { printable } from "../pages/drawable_names.ts";
import { formatInstant } from "../pages/dates.ts";
import { explorerPath } from "./explorer_links.ts";
import type { Html } from "../pages/layout.ts";
import { hasAverages, valuesOf } from "../../services/charts/chart_view.ts";

/** The current choices of the form, and its options. */
interface FormProps {
  readonly state: ExplorerState;
  readonly chains: readonly ListedChain[];
  /** First and last shown day, as defaults; null if no data is shown. */
  readonly shown: readonly [first: string, last: string] | null;
  /** The choices that this chart can't have. */
  readonly kept?: readonly KeptChoice[];
  /** The text that names no single chain, if there is one. */
  readonly mistake?: ChainMistake | undefined;
  /** The parameter that is not accepted, if there is one. A date is marked. */
  readonly refused?: string | undefined;
}

/** Renders the form. */
export function explorerForm(
  { state, kept = [], chains, shown, mistake, refused }: FormProps,
): Html {
  const { metric, range, interval, window } = state;
  const { intervals, usualRange, windows } = choicesOf(metric);
  const [first = "", last = ""] = shown ?? [];
  const asked = askedOf(kept);
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
            names: INTERVALS.filter((name) =>
              intervals.includes(name) || name === asked("interval")
            ),
            words: capitalised,
            chosen: INTERVALS.find((name) => name === asked("interval")) ??
              interval,
          })
          : ""} ${windows.length > 1
          ? segments("window", "Mean over", {
            names: windows,
            words: (name) => `${name} days`,
            chosen: window,
          })
          : ""}
        ${explorerOptions(state, kept)}
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
        ${keptFields(kept, state)} ${state.asOf === undefined ? "" : html`
          <input type="hidden" name="asOf" value="${state.asOf}">
          <p
            class="small kept">These figures are frozen: as of ${formatInstant(
              state.asOf,
            )}. <a href="${explorerPath({
              ...state,
              asOf: undefined,
            })}">Show the newest ones</a></p>
        `}
      </form>
    </search>
  `;
}

/** Returns what was asked for of a choice that the chart can't have. */
function askedOf(kept: readonly KeptChoice[]) {
  return (name: string) =>
    kept.find((choice) => choice.name === name)?.values[0];
}

/** Says which choices this chart can't have, and keeps them for the next one. */
function keptFields(
  kept: readonly KeptChoice[],
  { metric, chainIds }: ExplorerState,
): Html | "" {
  if (kept.length === 0) return "";
  // A control that is shown has the choice itself.
  const controls = [
    ...choicesOf(metric).intervals.length > 1 ? ["interval"] : [],
    ...valuesOf({ name: metric, chainCount: chainIds.length }).length > 1
      ? ["values"]
      : [],
  ];
  return html`
    ${kept.flatMap(({ name, values }) =>
      controls.includes(name)
        ? []
        : values.map((value) =>
          html`<input type="hidden" name="${name}" value="${value}">`
        )
    )}
    <p class="small kept" id="kept" role="note">${kept.map(({ words }) =>
      capitalised(words)
    ).join(". ")}.</p>
  `;
}

/** Marks a field whose value is not accepted. */
const WRONG = raw(`aria-invalid="true" aria-describedby="problem"`);

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
    ) => {
      const name = nameOf(id, chains);
      const chainIds = state.chainIds.filter((other) => other !== id);
      return html`
        <li
          class="chip">${name} <a href="${explorerPath({
            ...state,
            chainIds,
          })}" aria-label="Remove ${name}">×</a></li>
      `;
    })}</ul>
  `;
}

/** Returns the name and id of a chain; only the id if the chain is not listed. */
function nameOf(id: number, chains: readonly ListedChain[]): string {
  const chain = chains.find(({ chainId }) => chainId === id);
  return chain ? optionOf(chain) : String(id);
}

function optionOf({ chainName, chainId }: ListedChain): string {
  return `${printable(chainName)} · ${chainId}`;
}

const VALUES_WORDS = {
  absolute: "Values",
  index: "Index",
  share: "Shares",
  total: "Total",
} as const;

/** The words for the scales of the value axis. */
export const SCALE_WORDS = { linear: "Linear", log: "Log" } as const;
const LAYOUT_WORDS = {
  together: "Together",
  panels: "One per chain",
} as const;

/** Numbers of first buckets whose mean the form offers as a base. */
const BASE_COUNTS = ["7", "30"];

/** Renders the fields. Those that the chart does not have are left out. */
export function viewFields(
  state: ExplorerState,
  kept: readonly KeptChoice[] = [],
): Html {
  const { metric: name, chainIds, interval, view } = state;
  const viewed = { name, chainCount: chainIds.length, interval };
  const offered: readonly Values[] = valuesOf(viewed);
  const wanted = askedOf(kept)("values");
  return html`
    ${offered.length > 1
      ? choice("values", "Show", {
        // The default depends on the number of chains, which the form may change.
        options: [
          ...offered.map((value) =>
            [value === offered[0] ? "" : value, VALUES_WORDS[value]] as const
          ),
          ...wanted === undefined ? [] : [
            [wanted, `${VALUES_WORDS[wanted as Values]}, not here`] as const,
          ],
        ],
        chosen: wanted ?? (view.values === offered[0] ? "" : view.values),
      })
      : ""} ${view.base === null ? "" : baseFields(view)} ${hasAverages(viewed)
      ? choice("average", "Moving average", {
        options: [
          ["", "None"],
          ...AVERAGES.map((days) => [days, `${days} days`] as const),
        ],
        chosen: view.average ?? "",
      })
      : ""} ${segments("scale", "Value axis", {
        names: SCALES,
        words: (scale) => SCALE_WORDS[scale],
        chosen: view.scale,
      })} ${chainIds.length > 1 && view.values !== "total"
      ? segments("layout", "Plots", {
        names: LAYOUTS,
        words: (layout) => LAYOUT_WORDS[layout],
        chosen: view.layout,
      })
      : ""}
  `;
}

/** Renders the choice of the base, and the day of a chosen one. */
function baseFields({ base }: ChartView): Html {
  const count = baseCountOf(base!);
  const day = count === null ? base : null;
  const counts = count === null || count === 1 ||
      BASE_COUNTS.includes(String(count))
    ? BASE_COUNTS
    : [...BASE_COUNTS, String(count)];
  return html`
    ${choice("base", "Base, 100", {
      options: [
        [FIRST_ACTIVE, "First active"],
        ...counts.map((number) => [number, `Mean of first ${number}`] as const),
        [CHOSEN_DAY, "A day"],
      ],
      chosen: day === null ? base! : CHOSEN_DAY,
    })}
    <div class="field base-day">
      <label for="baseDay">Day of the base</label>
      <input type="date" id="baseDay" name="baseDay" value="${day ?? ""}">
    </div>
  `;
}

function choice(
  name: string,
  label: string,
  { options, chosen }: {
    readonly options: readonly (readonly [value: string, words: string])[];
    readonly chosen: string;
  },
): Html {
  return html`
    <div class="field">
      <label for="${name}">${label}</label>
      <select id="${name}" name="${name}">${options.map(([value, words]) =>
        html`<option value="${value}" ${
          value === chosen ? "selected" : ""
        }>${words}</option>`
      )}</select>
    </div>
  `;
}

/** What a reader can hide of a chart, and what it is while it is not hidden. */
const MARKS = [
  ["unfinished", "Unfinished", "Hollow"],
  ["upgrades", "Network upgrades", "Marked"],
  ["revisions", "Revisions", "Marked"],
] as const;

/** Renders the panel. Closed, it takes part in the form as well. */
function explorerOptions(
  state: ExplorerState,
  kept: readonly KeptChoice[],
): Html {
  return html`
    <details class="explorer-options" id="options">
      <summary class="button">Options</summary>
      <div class="card stack">${viewFields(state, kept)} ${MARKS.map((
        [field, legend, marked],
      ) =>
        segments(
          field,
          field === "unfinished" ? `${legend} ${state.interval}` : legend,
          {
            names: VISIBILITY,
            words: (name) => name === "show" ? marked : "Hidden",
            chosen: state[field],
          },
        )
      )}</div>
    </details>
  `;
}

/** Renders a group of radio buttons with its legend. */
function segments<Name extends string>(
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
        html`<label><input type="radio" id="${field}-${name}" name="${field}" value="${name}" ${
          name === chosen ? "checked" : ""
        }>${words(name)}</label>`
      )}</div>
    </fieldset>
  `;
}

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
