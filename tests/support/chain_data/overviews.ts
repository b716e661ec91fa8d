/** Overviews of chains made up for tests. */
import {
  type ChainSummary,
  type Overview,
  OverviewQuery,
} from "../../../services/chain_data/overview/overview_schema.ts";

const DAY = "2026-11-20";

/** A chain of the overview. */
export const chainOf = (more: Partial<ChainSummary> = {}): ChainSummary => ({
  chainId: 4337,
  chainName: "Beam",
  token: "BEAM",
  state: "served",
  since: null,
  proof: "oneSource",
  agreementPct: null,
  day: DAY,
  txCount: 1234,
  changePct: -12.5,
  noChange: null,
  sharePct: 1.256,
  liveSince: "2023-08-01",
  ageDays: 1207,
  recent: [1, 1234],
  ...more,
});

/** An overview of chains. */
export const overviewOf = (
  chains: readonly ChainSummary[],
  more: Partial<Overview> = {},
): Overview => ({
  day: DAY,
  recentFrom: "2026-11-19",
  txCount: 5678,
  chainCount: chains.length,
  countedChainCount: 1,
  mostActive: [],
  fastestGrowing: [],
  newlyLive: [],
  untracked: [],
  chains,
  ...more,
});

/** The query of the overview that parameters give. */
export const queryOf = (given: Record<string, string> = {}) =>
  OverviewQuery.parse(given);
