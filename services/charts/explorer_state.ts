/** Resolves the query of the explorer to its state. */
import { C_CHAIN } from "../chain_data/catalogue/metrics_schema.ts";
import { hasAverages, notAdditive, resolveView } from "./chart_view.ts";
import { choicesOf, isChecked, MAX_COMPARED_CHAINS } from "./charts_schema.ts";
import {
  CHOSEN_DAY,
  CUSTOM_DAYS,
  type ExplorerQuery,
  type ExplorerState,
  type ListedChain,
} from "./explorer_schema.ts";
import { Fault } from "../platform/fault.ts";

/**
 * Resolves a query. Chain texts become ids, and options that the chart does not
 * have become its defaults. Throws a fault if a text matches no single chain, or
 * for too many chains.
 */
export function resolveState(
  query: ExplorerQuery,
  chains: readonly ListedChain[],
): ExplorerState {
  const ids = isChecked(query.metric) ? [] : chainIdsOf(query, chains);
  return stateOf(query, ids);
}

/** Resolves the valid parts of a query. Chains that match no single chain, or exceed the limit, are left out. */
export function resolveValidParts(
  { chain, chainId, compare, ...query }: ExplorerQuery,
  chains: readonly ListedChain[],
): ExplorerState {
  const ids = [
    ...ifUnique(matchChains(chain, chains)),
    ...chainId,
    ...ifUnique(matchChains(compare, chains)),
  ];
  const unique = [...new Set(ids)].slice(0, MAX_COMPARED_CHAINS);
  return stateOf(query, unique);
}

function ifUnique(ids: readonly number[]): readonly number[] {
  return ids.length === 1 ? ids : [];
}

function stateOf(
  { metric, ...query }: Omit<ExplorerQuery, "chain" | "chainId" | "compare">,
  chainIds: readonly number[],
): ExplorerState {
  const { intervals, usualRange, windows } = choicesOf(metric);
  const hasDays = (query.from || query.to) &&
    (query.range === undefined || query.range === CUSTOM_DAYS);
  const range = query.range === CUSTOM_DAYS ? undefined : query.range;
  const defaultChains = chainIds.length === 0 ? [C_CHAIN] : chainIds;
  const interval = query.interval && intervals.includes(query.interval)
    ? query.interval
    : intervals[0]!;
  const base = query.base === CHOSEN_DAY ? query.baseDay : query.base;
  const viewed = { name: metric, chainCount: chainIds.length, interval };
  return {
    metric,
    chainIds: isChecked(metric) ? [] : defaultChains,
    range: hasDays ? null : range ?? usualRange,
    from: hasDays ? query.from : undefined,
    to: hasDays ? query.to : undefined,
    ...query.asOf !== undefined && { asOf: query.asOf },
    interval,
    window: windows.length === 0 ? null : query.window ?? "30",
    unfinished: query.unfinished ?? "show",
    upgrades: query.upgrades ?? "show",
    revisions: query.revisions ?? "show",
    view: resolveView({ ...query, base }, viewed, "none"),
  };
}

/** A choice that the chart can't have. It stays in the URL, so that another chart has it again. */
export interface KeptChoice {
  readonly name: string;
  readonly values: readonly string[];
  /** Why the chart does not have it. */
  readonly words: string;
}

/** Lists the choices of a query that its state does not have. */
export function keptChoices(
  query: ExplorerQuery,
  { metric, chainIds, interval, view }: ExplorerState,
  chains: readonly ListedChain[],
): KeptChoice[] {
  const kept: KeptChoice[] = [];
  const keep = (name: string, value: string | undefined, words: string) => {
    if (value !== undefined) kept.push({ name, values: [value], words });
  };
  if (isChecked(metric)) {
    const ids = chainIdsOf(query, chains);
    if (ids.some((id) => id !== C_CHAIN)) {
      kept.push({
        name: "chainId",
        values: ids.map(String),
        words: `this series exists for the ${
          metric === "validators" ? "Primary Network" : "C-Chain"
        } only; the chosen chains come back with a metric`,
      });
    }
  }
  if (query.interval !== interval) {
    keep(
      "interval",
      query.interval,
      `this series has no ${query.interval}s, so it is shown by ${interval}`,
    );
  }
  const chainCount = chainIds.length;
  if (query.values !== view.values) {
    const why = isChecked(metric)
      ? "this series is shown as values only"
      : chainCount < 2
      ? `${query.values} needs several chains`
      : `${query.values} does not exist for this metric, because ${
        notAdditive(metric)
      }`;
    keep("values", query.values, why);
  }
  if (
    query.average !== undefined &&
    !hasAverages({ name: metric, interval })
  ) {
    keep(
      "average",
      query.average,
      "a moving average needs days of a metric that is no running total",
    );
  }
  if (query.layout === "panels" && view.layout !== "panels") {
    keep("layout", query.layout, "one plot per chain needs several chains");
  }
  return kept;
}

function chainIdsOf(
  { chain, chainId, compare }: Pick<
    ExplorerQuery,
    "chain" | "chainId" | "compare"
  >,
  chains: readonly ListedChain[],
): number[] {
  const ids = [
    ...findId("chain", chain, chains),
    ...chainId,
    ...findId("compare", compare, chains),
  ];
  const unique = [...new Set(ids)];
  if (unique.length > MAX_COMPARED_CHAINS) {
    throw new Fault(
      `Invalid compare: given ${unique.length} chains, expected at most ${MAX_COMPARED_CHAINS}`,
      { kind: "badInput", parameter: "compare" },
    );
  }
  return unique;
}

/** Finds the single chain that a text matches. Returns an empty list for an empty text. */
function findId(
  parameter: string,
  text: string | undefined,
  chains: readonly ListedChain[],
): number[] {
  const found = matchChains(text, chains);
  if (!text?.trim() || found.length === 1) return found;
  const count = found.length === 0
    ? "no chain matches"
    : `${found.length} chains match`;
  throw new Fault(
    `Invalid ${parameter} "${text}": ${count}, expected the EVM id or the name of one tracked chain`,
    { kind: "badInput", parameter },
  );
}

/** Lists the chains that a text matches: by id, by exact name, else by a part of the name. */
function matchChains(
  text: string | undefined,
  chains: readonly ListedChain[],
): number[] {
  const wanted = text?.trim().toLowerCase() ?? "";
  if (wanted === "") return [];
  const id = wanted.match(/(?:^|· )([1-9]\d{0,14})$/)?.[1];
  if (id !== undefined) return [Number(id)];
  const names = chains.map(({ chainId, chainName }) => ({
    chainId,
    name: chainName.toLowerCase(),
  }));
  const exact = names.filter(({ name }) => name === wanted);
  const found = exact.length > 0
    ? exact
    : names.filter(({ name }) => name.includes(wanted));
  return found.map(({ chainId }) => chainId);
}
