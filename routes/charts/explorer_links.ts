/** Links of the explorer: to its views, and to their data. */
import { CHECKS } from "../../services/chain_data/catalogue/cross_checks_schema.ts";
import { valuesOf } from "../../services/charts/chart_view.ts";
import {
  choicesOf,
  FIRST_ACTIVE,
  isChecked,
} from "../../services/charts/charts_schema.ts";
import {
  endOfBucket,
  formatDay,
  parseDay,
} from "../../services/platform/days.ts";
import type {
  ExplorerState,
  ExplorerView,
} from "../../services/charts/explorer_schema.ts";
import type { KeptChoice } from "../../services/charts/explorer.ts";
import type { Format } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { CHAIN_DATA, EMBEDS } from "../http/paths.ts";

type Entry = readonly [name: string, value: string];

/** Returns the canonical path of a state, with the choices that another chart has again. */
export function explorerPath(
  state: ExplorerState,
  kept: readonly KeptChoice[] = [],
): string {
  const entries: Entry[] = [["metric", state.metric], ...drawnIn(state)];
  return pathOf("/", [
    ...entries.filter(([name]) => !kept.some((choice) => choice.name === name)),
    ...kept.flatMap(({ name, values }) =>
      values.map((value): Entry => [name, value])
    ),
  ]);
}

/**
 * Returns the state that shows the same figures in five years: its days and the instant
 * are fixed. A chart without days is returned as it is.
 */
export function frozenState(
  { state, chart: { axis, interval } }: ExplorerView,
  at: Date,
): ExplorerState {
  const [first, last] = [axis[0], axis.at(-1)];
  if (first === undefined || last === undefined) return state;
  if (state.asOf !== undefined && state.range === null) return state;
  const asOf = state.asOf ?? at.toISOString();
  const end = formatDay(endOfBucket(parseDay(last), interval));
  const today = asOf.slice(0, 10);
  return {
    ...state,
    range: null,
    from: first,
    to: end < today ? end : today,
    asOf,
  };
}

/** Returns the paths of the data that a state shows, one per chain. */
export function dataPaths(state: ExplorerState, format: Format): string[] {
  const { metric, chainIds } = state;
  const tail: Entry[] = [["format", format]];
  const middle = [...daysOf(state), ...choicesIn(state)];
  return isChecked(metric)
    ? [pathOf(`${CHAIN_DATA}/${metric}`, [...middle, ...tail])]
    : chainIds.map((id) =>
      pathOf(`${CHAIN_DATA}/metrics`, [
        ["metric", metric],
        ["chainId", String(id)],
        ...middle,
        ...tail,
      ])
    );
}

/** Returns the path of a state's chart as an image. */
export function picturePath(
  state: ExplorerState,
  format: "svg" | "png" | "csv" = "svg",
): string {
  return pathOf(`/chart/${state.metric}.${format}`, drawnIn(state));
}

/** Returns the path of the drawn values as CSV, a column for each chain; null for a checked series. */
export function drawnCsvPath(state: ExplorerState): string | null {
  return isChecked(state.metric) ? null : picturePath(state, "csv");
}

/**
 * Returns the path of a chart's values as one CSV: those of all chains by day, and never
 * averages in place of values.
 */
export function valuesCsvPath(state: ExplorerState): string {
  const view = { ...state.view, average: null };
  return drawnCsvPath({ ...state, view }) ?? dataPaths(state, "csv")[0]!;
}

/** Returns the path of a state's chart as a page for frames of other sites. */
export function embedPath(state: ExplorerState): string {
  return pathOf(`${EMBEDS}/chart/${state.metric}`, drawnIn(state));
}

/** Lists the parameters of a drawing. */
function drawnIn(state: ExplorerState): Entry[] {
  return [
    ...state.chainIds.map((id): Entry => ["chainId", String(id)]),
    ...daysOf(state),
    ...choicesIn(state),
    ...lookIn(state),
  ];
}

/** Returns the drawn field of the JSON answer. */
export function valueFieldOf({ metric }: ExplorerState): string {
  const check = Object.values(CHECKS)
    .find(({ endpoint }) => endpoint === metric);
  return check?.valueField ?? "value";
}

/** Lists the parameters that have a value and not their default. */
function listed(
  parameters: readonly (readonly [
    name: string,
    value: string | null | undefined,
    usual?: string | undefined,
  ])[],
): Entry[] {
  return parameters.flatMap(([name, value, usual]): Entry[] =>
    value && value !== usual ? [[name, value]] : []
  );
}

function daysOf({ range, from, to, asOf }: ExplorerState): Entry[] {
  const days = range === null ? [["from", from], ["to", to]] as const : [];
  return listed([["range", range], ...days, ["asOf", asOf]]);
}

function choicesIn({ metric, interval, window }: ExplorerState): Entry[] {
  const hasIntervals = choicesOf(metric).intervals.length > 1;
  return listed([
    ["interval", hasIntervals ? interval : null],
    ["window", window],
  ]);
}

/** Lists how a chart is drawn. */
function lookIn(
  { metric, chainIds, view, unfinished, upgrades, revisions }: ExplorerState,
): Entry[] {
  const [usual] = valuesOf({ name: metric, chainCount: chainIds.length });
  return listed([
    ["unfinished", unfinished, "show"],
    ["upgrades", upgrades, "show"],
    ["revisions", revisions, "show"],
    ["values", view.values, usual],
    ["base", view.base, FIRST_ACTIVE],
    ["average", view.average],
    ["scale", view.scale, "linear"],
    ["layout", view.layout, "together"],
  ]);
}

function pathOf(path: string, entries: readonly Entry[]): string {
  const query = new URLSearchParams(
    entries.map(([name, value]) => [name, value]),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}
