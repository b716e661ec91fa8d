/** Identifiers of all daily series: a subject and a metric. */
import type { IndexMetric } from "./cross_checks_schema.ts";
import {
  derivationOf,
  type Metric,
  type StoredMetric,
} from "./metrics_schema.ts";

/** Metrics of the Primary Network in the Metrics API; weights in nAVAX. */
export const STAKING_METRICS = [
  "validatorCount",
  "delegatorCount",
  "validatorWeight",
  "delegatorWeight",
] as const;
/** Metrics of the Primary Network in the Metrics API; weights in nAVAX. */
export type StakingMetric = typeof STAKING_METRICS[number];

/** Metrics of the C-Chain in the explorer index; fees in AVAX. */
export const EXPLORER_METRICS = ["txCount", "feesPaid", "blocks"] as const;
/** Metrics of the C-Chain in the explorer index; fees in AVAX. */
export type ExplorerMetric = typeof EXPLORER_METRICS[number];

/** A metric of a chain. The subject is its EVM chain id. */
interface ChainSeriesId {
  readonly subject: number;
  readonly metric: StoredMetric;
}

/** Returns the stored series that the values of a metric come from. */
export function storedIdOf(
  { chainId, metric }: { readonly chainId: number; readonly metric: Metric },
): ChainSeriesId {
  const stored = derivationOf(metric)?.from ?? metric as StoredMetric;
  return { subject: chainId, metric: stored };
}

/** A series of the Metrics API. */
export type MetricsSeriesId = ChainSeriesId | {
  readonly subject: "primary-network";
  readonly metric: StakingMetric;
};

/** A series of the explorer index. */
interface ExplorerSeriesId {
  readonly subject: "explorer-index";
  readonly metric: ExplorerMetric;
}

/** A series of one chain in the explorer index. The subject ends with its EVM chain id. */
interface IndexSeriesId {
  readonly subject: `explorer-index/${number}`;
  readonly metric: IndexMetric;
}

/** Returns the id of a metric of a chain in the explorer index. */
export function indexSeriesId(
  chainId: number,
  metric: IndexMetric,
): IndexSeriesId {
  return { subject: `explorer-index/${chainId}`, metric };
}

/** Days of a chain of which its own node has blocks with transactions. */
interface NodeSeriesId {
  readonly subject: `own-node/${number}`;
  readonly metric: "txCount";
}

/** Returns the id of the days on which a chain's own node shows it active. */
export function nodeSeriesId(chainId: number): NodeSeriesId {
  return { subject: `own-node/${chainId}`, metric: "txCount" };
}

/** Any daily series. */
export type SeriesId =
  | MetricsSeriesId
  | ExplorerSeriesId
  | IndexSeriesId
  | NodeSeriesId;

/** Returns whether a series is read from the explorer index. */
export function isOfIndex({ subject }: SeriesId): boolean {
  return String(subject).startsWith("explorer-index");
}

/** Returns the name of a series for messages. */
export function nameSeries({ subject, metric }: SeriesId): string {
  const [where, chainId] = String(subject).split("/");
  if (typeof subject === "number") return `${metric} of chain ${subject}`;
  const chain = chainId === undefined ? "" : `chain ${chainId} in `;
  return `${metric} of ${chain}the ${where}`;
}
