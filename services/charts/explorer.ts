/** The explorer: its query, its chains, the state that a query selects, and the chart of a state. */
import { readMetricChart } from "./charts.ts";
import { readChainList } from "../chain_data/catalogue/chains.ts";
import { type ChartDeps, CHECKED_CHARTS } from "./checked_charts.ts";
import {
  C_CHAIN,
  INTERVALS,
  METRICS,
} from "../chain_data/catalogue/metrics_schema.ts";
import {
  type Chart,
  CHART_NAMES,
  type ChartName,
  type ChartView,
  choicesOf,
  isChecked,
  MAX_COMPARED_CHAINS,
  RepeatedChainId,
  viewParameters,
  VISIBILITY,
} from "./charts_schema.ts";
import type { CacheableAnswer, FreshnessOptions } from "../platform/cache.ts";
import { Fault, isStoreBusy } from "../platform/fault.ts";
import { hasAverages, notAdditive, resolveView } from "./chart_view.ts";
import { maxOf } from "../platform/numbers.ts";
import { z } from "@hono/zod-openapi";
import type { Chain } from "../chain_data/catalogue/chains_schema.ts";
import type { Interval } from "../platform/days.ts";
import { BLOCK_WINDOWS } from "../chain_data/checks/checked_series_schema.ts";
import {
  type Range,
  RANGE_NAMES,
} from "../chain_data/catalogue/fields_schema.ts";
import { Day, InstantParameter } from "../platform/wire_schema.ts";

/** Lists the tracked chains by name, the C-Chain first. Returns an empty list if upstream is down and none is stored. Throws if the database is busy. */
export async function listForExplorer(
  deps: ChartDeps,
): Promise<ListedChain[]> {
  try {
    // Names rarely change, so a stored list of any age is accepted.
    const { chains } = await readChainList(deps, { maxStaleMs: Infinity });
    return chains.toSorted((a, b) =>
      Number(b.chainId === C_CHAIN) - Number(a.chainId === C_CHAIN) ||
      a.chainName.localeCompare(b.chainName, "en") || a.chainId - b.chainId
    );
  } catch (error) {
    if (error instanceof Fault && !isStoreBusy(error)) return [];
    throw error;
  }
}

/** Reads the chart of a state. Throws the faults of its series. */
export async function readExplorer(
  deps: ChartDeps,
  state: ExplorerState,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<ExplorerView>> {
  const { answer: chart, ...dates } = await readChart(deps, state, freshness);
  return { answer: { state, chart }, ...dates };
}

async function readChart(
  deps: ChartDeps,
  state: ExplorerState,
  freshness: FreshnessOptions,
): Promise<CacheableAnswer<Chart>> {
  const { metric, interval, chainIds } = state;
  const days = daysOf(state);
  if (isChecked(metric)) {
    const query = {
      ...days,
      interval: interval === "day" ? "day" as const : "month" as const,
      window: state.window ?? "30",
      scale: state.view.scale,
    };
    return await CHECKED_CHARTS[metric](deps, query, freshness);
  }
  const { view } = state;
  const query = { ...days, metric, interval, chainIds, view };
  return await readMetricChart(deps, query, freshness);
}

function daysOf({ range, from, to, asOf }: ExplorerState) {
  return {
    ...(range && { range }),
    ...(from && { from }),
    ...(to && { to }),
    asOf,
  };
}

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
    const why = isChecked(metric)
      ? "this series has no moving average, because it compares the values of two sources"
      : METRICS[metric].kind === "running total"
      ? "a running total has no moving average"
      : "a moving average needs days";
    keep("average", query.average, why);
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

/** Maximum number of suggestions. */
const MAX_SUGGESTIONS = 6;

/** Names that share a smaller part of their letter pairs are too different. */
const MIN_SIMILARITY = 0.4;

/**
 * Lists the chains whose names are most similar to a text, the best first. The
 * measure is Dice's coefficient of letter pairs, of the name or of one of its
 * words (L. R. Dice, 1945, doi:10.2307/1932409).
 */
export function suggestChains(
  text: string,
  chains: readonly ListedChain[],
): ListedChain[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  return chains
    .map((chain) => ({ chain, score: similarity(wanted, chain) }))
    .filter(({ score }) => score >= MIN_SIMILARITY)
    .sort((a, b) => b.score - a.score || a.chain.chainId - b.chain.chainId)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ chain }) => chain);
}

/**
 * Finds the one chain that a word in a path names: its name, or the first word of it, in
 * any case and with any signs between the words. Null if none or several have it.
 */
export function findByName(
  word: string,
  chains: readonly ListedChain[],
): ListedChain | null {
  const wordsOf = (text: string) =>
    text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const wanted = wordsOf(word).join("-");
  const named = chains.filter(({ chainName }) => {
    const words = wordsOf(chainName);
    return words.join("-") === wanted || words[0] === wanted;
  });
  return named.length === 1 ? named[0]! : null;
}

function similarity(wanted: string, { chainId, chainName }: ListedChain) {
  const name = chainName.toLowerCase();
  if (name.includes(wanted) || String(chainId).startsWith(wanted)) return 1;
  return maxOf(
    [name, ...name.split(/\s+/)].map((part) => diceOf(wanted, part)),
  );
}

/** Returns twice the shared pairs divided by all pairs, from 0 to 1. */
function diceOf(a: string, b: string): number {
  const [ours, theirs] = [pairsOf(a), pairsOf(b)];
  const shared = ours.filter((pair) => theirs.includes(pair)).length;
  return Math.min(1, 2 * shared / (ours.length + theirs.length || 1));
}

/** Lists the pairs of adjacent letters; the edges count, so that beginnings weigh more. */
function pairsOf(text: string): string[] {
  const letters = [...` ${text} `];
  return letters.slice(1).map((letter, index) => letters[index]! + letter);
}

/** The `range` of the form that selects `from` and `to`. */
export const CUSTOM_DAYS = "days";

/** The `base` of the form that selects `baseDay`. */
export const CHOSEN_DAY = "day";

/** Returns whether a text is a day: rules run on invalid parts, too. */
const isDay = (text: string | undefined): text is string =>
  Day.safeParse(text).success;

/**
 * A part of the form that may be empty. It is not a union, because the issue of a union
 * does not say what its members accept.
 */
const EmptyOr = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (value) => value === "" ? undefined : value,
    schema.optional(),
  ).optional();

/** Text that selects a chain: an id, a name or a part of a name. */
const ChainText = z.string().max(100, "at most 100 characters").optional();

const parts = {
  metric: z.enum(CHART_NAMES).default("txCount"),
  chainId: z.array(RepeatedChainId)
    .max(MAX_COMPARED_CHAINS, `at most ${MAX_COMPARED_CHAINS} chains`),
  /** Text of the form for the first chain and for another one. */
  chain: ChainText,
  compare: ChainText,
  range: z.enum([...RANGE_NAMES, CUSTOM_DAYS]).optional(),
  from: EmptyOr(Day),
  to: EmptyOr(Day),
  asOf: EmptyOr(InstantParameter),
  interval: z.enum(INTERVALS).optional(),
  window: z.enum(BLOCK_WINDOWS).optional(),
  unfinished: z.enum(VISIBILITY).optional(),
  upgrades: z.enum(VISIBILITY).optional(),
  revisions: z.enum(VISIBILITY).optional(),
  values: EmptyOr(viewParameters.values),
  base: EmptyOr(z.literal(CHOSEN_DAY).or(viewParameters.base.unwrap())),
  baseDay: EmptyOr(Day),
  average: EmptyOr(viewParameters.average),
  scale: EmptyOr(viewParameters.scale),
  layout: EmptyOr(viewParameters.layout),
};

/**
 * The query of the explorer. Unknown parameters are ignored, because sites add
 * tracking parameters to links.
 */
export const ExplorerQuery = z.object(parts).refine(
  ({ from, to }) => !(isDay(from) && isDay(to) && from > to),
  { path: ["from"], error: "a day on or before to" },
);
/** A checked query of the explorer. */
export type ExplorerQuery = z.infer<typeof ExplorerQuery>;

const { metric, chainId, ...others } = parts;

/** The valid parts of an invalid query. The form is filled with them. */
export const ValidParts = z.object({
  metric: metric.catch("txCount"),
  chainId: z.array(z.unknown()).transform((ids) =>
    ids.flatMap((id) => chainId.safeParse([id]).data ?? [])
  ),
  ...Object.fromEntries(
    Object.entries<z.ZodType>(others)
      .map(([name, part]) => [name, part.catch(undefined)]),
  ) as { [Name in keyof typeof others]: z.ZodCatch<typeof others[Name]> },
});

/** All that the explorer's URL holds. */
export interface ExplorerState {
  readonly metric: ChartName;
  /** The chains that are compared, or one; none for a checked series. */
  readonly chainIds: readonly number[];
  /** Null if days are given. */
  readonly range: Range | null;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The instant that all figures are frozen at; undefined if the chart is live. */
  readonly asOf?: string | undefined;
  readonly interval: Interval;
  /** Days of the trailing mean; null for charts without one. */
  readonly window: typeof BLOCK_WINDOWS[number] | null;
  /** Whether buckets that are still filling are drawn. */
  readonly unfinished: typeof VISIBILITY[number];
  /** Whether network upgrades are marked. */
  readonly upgrades: typeof VISIBILITY[number];
  /** Whether revised buckets are marked. */
  readonly revisions: typeof VISIBILITY[number];
  readonly view: ChartView;
}

/** What the explorer shows. */
export interface ExplorerView {
  readonly state: ExplorerState;
  readonly chart: Chart;
}

/** A tracked chain, as the explorer lists it. */
export type ListedChain = Pick<Chain, "chainId" | "chainName">;
