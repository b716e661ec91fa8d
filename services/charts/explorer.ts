/** Reads the chain list and the chart of the explorer. */
import { readMetricChart } from "./charts.ts";
import { readChainList } from "../chain_data/catalogue/chains.ts";
import { type ChartDeps, CHECKED_CHARTS } from "./checked_charts.ts";
import { C_CHAIN } from "../chain_data/catalogue/metrics_schema.ts";
import { type Chart, isChecked } from "./charts_schema.ts";
import type {
  ExplorerState,
  ExplorerView,
  ListedChain,
} from "./explorer_schema.ts";
import type { CacheableAnswer } from "../platform/cache/freshness.ts";
import { Fault, isStoreBusy } from "../platform/fault.ts";
import type { FreshnessOptions } from "../platform/cache/read_through.ts";

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
    };
    const { answer, ...dates } = await CHECKED_CHARTS[metric](
      deps,
      query,
      freshness,
    );
    return { answer: { ...answer, view: state.view }, ...dates };
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
