/** Which daily series there are: what they are about, and what they count. */
import type { Metric } from "../metrics_schema.ts";

/** What the Metrics API counts of the Primary Network; weights are in nAVAX. */
export const STAKING_METRICS = [
  "validatorCount",
  "delegatorCount",
  "validatorWeight",
  "delegatorWeight",
] as const;
/** What the Metrics API counts of the Primary Network; weights are in nAVAX. */
export type StakingMetric = typeof STAKING_METRICS[number];

/** What the explorer index counts of the C-Chain; fees are in AVAX. */
export const EXPLORER_METRICS = ["txCount", "feesPaid", "blocks"] as const;
/** What the explorer index counts of the C-Chain; fees are in AVAX. */
export type ExplorerMetric = typeof EXPLORER_METRICS[number];

/** A metric of a chain, whose EVM id is the subject. */
export interface ChainSeriesId {
  readonly subject: number;
  readonly metric: Metric;
}

/** A series that the Metrics API has. */
export type MetricsSeriesId = ChainSeriesId | {
  readonly subject: "primary-network";
  readonly metric: StakingMetric;
};

/** A series that the explorer index has. */
export interface ExplorerSeriesId {
  readonly subject: "explorer-index";
  readonly metric: ExplorerMetric;
}

/** Any daily series. */
export type SeriesId = MetricsSeriesId | ExplorerSeriesId;

/** Names a series in a message. */
export function nameSeries({ subject, metric }: SeriesId): string {
  return `${metric} of ${
    typeof subject === "number" ? `chain ${subject}` : `the ${subject}`
  }`;
}
