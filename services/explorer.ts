/** What the explorer shows. */
import { type ChartDeps, readComparison, readMetricChart } from "./charts.ts";
import { readChainList } from "./chains.ts";
import { CHECKED_CHARTS } from "./checked_charts.ts";
import { C_CHAIN, type Metric } from "./contract/chain.ts";
import {
  type Chart,
  CHECKED_BY,
  type CheckedName,
  isChecked,
} from "./contract/charts.ts";
import type {
  Agreement,
  ExplorerState,
  ExplorerView,
  ListedChain,
} from "./contract/explorer.ts";
import type { Dated } from "./dated.ts";
import { Fault } from "./domain/fault.ts";
import type { Tolerance } from "./read_through.ts";

/** Lists the tracked chains for the explorer by name, the C-Chain first; none where upstream is down. */
export async function listForExplorer(
  deps: ChartDeps,
): Promise<ListedChain[]> {
  try {
    // A name is good for as long as a chain has it.
    const { chains } = await readChainList(deps, { maxStaleMs: Infinity });
    return chains.toSorted((a, b) =>
      Number(b.chainId === C_CHAIN) - Number(a.chainId === C_CHAIN) ||
      a.chainName.localeCompare(b.chainName, "en") || a.chainId - b.chainId
    );
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

/** Reads what a state shows, for a client. Faults are those of the series. */
export async function readExplorer(
  deps: ChartDeps,
  state: ExplorerState,
  client?: string,
): Promise<ExplorerView> {
  const { metric } = state;
  const query = daysOf(state);
  const fresh = { maxStaleMs: 0, client };
  if (isChecked(metric)) {
    const { answer } = await readChecked(deps, [metric, state], fresh);
    const { checks, recentAgreementPct } = answer;
    const agreement = { checks: checks!, recentAgreementPct };
    return { state, chart: answer, agreement };
  }
  const { interval, chainIds } = state;
  const [{ answer: chart }, agreement] = await Promise.all([
    chainIds.length === 1
      ? readMetricChart(
        deps,
        { ...query, metric, interval, chainId: chainIds[0]! },
        fresh,
      )
      : readComparison(deps, { ...query, metric, interval, chainIds }, fresh),
    readAgreement(deps, [metric, state], fresh),
  ]);
  return { state, chart, agreement };
}

function readChecked(
  deps: ChartDeps,
  [name, state]: readonly [CheckedName, ExplorerState],
  tolerance: Tolerance,
): Promise<Dated<Chart>> {
  const query = {
    ...daysOf(state),
    interval: state.interval === "day" ? "day" as const : "month" as const,
    window: state.window ?? "30",
  };
  return CHECKED_CHARTS[name](deps, query, tolerance);
}

/** Reads how far the second source agrees with a metric of the C-Chain. */
async function readAgreement(
  deps: ChartDeps,
  [metric, state]: readonly [Metric, ExplorerState],
  tolerance: Tolerance,
): Promise<Agreement | null> {
  const name = CHECKED_BY[metric];
  const isCChain = state.chainIds.length === 1 && state.chainIds[0] === C_CHAIN;
  if (name === undefined || !isCChain) return null;
  const day = { ...state, interval: "day" as const };
  const { answer: { checks, recentAgreementPct } } = await readChecked(
    deps,
    [name, day],
    tolerance,
  );
  return { checks: checks!, recentAgreementPct };
}

function daysOf({ range, from, to }: ExplorerState) {
  return { ...(range && { range }), ...(from && { from }), ...(to && { to }) };
}
