/** The state that a query of the explorer comes to. */
import { C_CHAIN } from "../chain_data/metrics_schema.ts";
import { choicesOf, isChecked } from "./charts_schema.ts";
import {
  CUSTOM_DAYS,
  type ExplorerQuery,
  type ExplorerState,
  type ListedChain,
  MAX_COMPARED_CHAINS,
} from "./explorer_schema.ts";
import { Fault } from "../platform/fault.ts";

/**
 * Returns the state that a query comes to: chains found by what was written,
 * and what its series does not offer in the usual width. Throws a fault for a
 * chain that is not listed.
 */
export function resolveState(
  query: ExplorerQuery,
  chains: readonly ListedChain[],
): ExplorerState {
  const ids = isChecked(query.metric) ? [] : chainIdsOf(query, chains);
  return stateOf(query, ids);
}

/** Returns the state that a query comes to without the chains that cannot be told or are too many. */
export function resolveValidParts(
  { chain, chainId, compare, ...query }: ExplorerQuery,
  chains: readonly ListedChain[],
): ExplorerState {
  const ids = [
    ...onlyOne(listCalled(chain, chains)),
    ...chainId,
    ...onlyOne(listCalled(compare, chains)),
  ];
  return stateOf(query, [...new Set(ids)].slice(0, MAX_COMPARED_CHAINS));
}

function onlyOne(ids: readonly number[]): readonly number[] {
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
  const usualChains = chainIds.length === 0 ? [C_CHAIN] : chainIds;
  return {
    metric,
    chainIds: isChecked(metric) ? [] : usualChains,
    range: hasDays ? null : range ?? usualRange,
    from: hasDays ? query.from : undefined,
    to: hasDays ? query.to : undefined,
    interval: query.interval && intervals.includes(query.interval)
      ? query.interval
      : intervals[0]!,
    window: windows.length === 0 ? null : query.window ?? "30",
  };
}

function chainIdsOf(
  { chain, chainId, compare }: ExplorerQuery,
  chains: readonly ListedChain[],
): number[] {
  const ids = [
    ...findId("chain", chain, chains),
    ...chainId,
    ...findId("compare", compare, chains),
  ];
  const different = [...new Set(ids)];
  if (different.length > MAX_COMPARED_CHAINS) {
    throw new Fault(
      `Cannot compare ${different.length} chains: expected at most ${MAX_COMPARED_CHAINS}`,
      { kind: "badInput", parameter: "compare" },
    );
  }
  return different;
}

/** Finds the one chain that a text means; none where there is no text. */
function findId(
  parameter: string,
  text: string | undefined,
  chains: readonly ListedChain[],
): number[] {
  const found = listCalled(text, chains);
  if (!text?.trim() || found.length === 1) return found;
  const count = found.length === 0
    ? "no chain matches"
    : `${found.length} chains match`;
  const expected = "the EVM id or the name of one tracked chain";
  throw new Fault(
    `Invalid ${parameter} "${text}": ${count}, expected ${expected}`,
    { kind: "badInput", parameter, accepted: [expected] },
  );
}

/** Lists the chains of an id, as it is listed, of a name, or of a part of it where no name is whole. */
function listCalled(
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
