/** Links of the explorer: to its views, and to their data. */
import { CHECKS } from "../../services/chain_data/catalogue/check_rules_schema.ts";
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
  const { metric, chainIds } = state;
  const entries = [
    ["metric", metric] as const,
    ...chainIds.map((id): Entry => ["chainId", String(id)]),
    ...daysOf(state),
    ...choicesIn(state),
    ...drawingOf(state),
    ...viewIn(state),
  ];
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
  format: "svg" | "png" = "svg",
): string {
  return drawnPath(state, format);
}

/** Returns the path of the drawn values as CSV, a column for each chain; null for a checked series. */
export function drawnCsvPath(state: ExplorerState): string | null {
  return isChecked(state.metric) ? null : drawnPath(state, "csv");
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

function drawnPath(
  state: ExplorerState,
  ending: "svg" | "png" | "csv",
): string {
  return pathOf(`/chart/${state.metric}.${ending}`, drawnIn(state));
}

/** Lists the parameters of a drawing. */
function drawnIn(state: ExplorerState): Entry[] {
  return [
    ...state.chainIds.map((id): Entry => ["chainId", String(id)]),
    ...daysOf(state),
    ...choicesIn(state),
    ...drawingOf(state),
    ...viewIn(state),
  ];
}

/** Returns the drawn field of the JSON answer. */
export function valueFieldOf({ metric }: ExplorerState): string {
  const check = Object.values(CHECKS)
    .find(({ endpoint }) => endpoint === metric);
  return check?.valueField ?? "value";
}

function daysOf({ range, from, to, asOf }: ExplorerState): Entry[] {
  const frozen = asOf === undefined ? [] : [["asOf", asOf] as const];
  if (range !== null) return [["range", range], ...frozen];
  return [
    ...(from ? [["from", from] as const] : []),
    ...(to ? [["to", to] as const] : []),
    ...frozen,
  ];
}

function choicesIn({ metric, interval, window }: ExplorerState): Entry[] {
  return [
    ...(choicesOf(metric).intervals.length > 1
      ? [["interval", interval] as const]
      : []),
    ...(window === null ? [] : [["window", window] as const]),
  ];
}

/** Lists the options of the drawing that are not the default. */
function drawingOf(
  { unfinished, upgrades, revisions }: ExplorerState,
): Entry[] {
  return [
    ...(unfinished === "show" ? [] : [["unfinished", unfinished] as const]),
    ...(upgrades === "show" ? [] : [["upgrades", upgrades] as const]),
    ...(revisions === "show" ? [] : [["revisions", revisions] as const]),
  ];
}

/** Lists the options of the view that are not the default. */
function viewIn({ metric, chainIds, view }: ExplorerState): Entry[] {
  const { values, base, average, scale, layout } = view;
  const [usual] = valuesOf({ name: metric, chainCount: chainIds.length });
  return [
    ...(values === usual ? [] : [["values", values] as const]),
    ...(base === null || base === FIRST_ACTIVE
      ? []
      : [["base", base] as const]),
    ...(average === null ? [] : [["average", average] as const]),
    ...(scale === "linear" ? [] : [["scale", scale] as const]),
    ...(layout === "together" ? [] : [["layout", layout] as const]),
  ];
}

function pathOf(path: string, entries: readonly Entry[]): string {
  const query = new URLSearchParams(
    entries.map(([name, value]) => [name, value]),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}
