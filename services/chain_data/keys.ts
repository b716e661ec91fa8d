/** KV keys of chain data. */
import type { ExplorerMetric, SeriesId } from "./series/series_id.ts";

/** Head and members of the chain list, the head first: strings sort before numbers. */
export const chains = () => ["chains"];
/** When and where the chain list was read. */
export const chainsHead = () => ["chains", "head"];
/** A tracked chain. */
export const chain = (chainId: number) => ["chains", chainId];
/** Head and years of a series, the head first. */
export const series = ({ subject, metric }: SeriesId) => [
  "series",
  subject,
  metric,
];
/** What is known about a series as a whole. */
export const seriesHead = ({ subject, metric }: SeriesId) => [
  "series",
  subject,
  metric,
  "head",
];
/** One year of a series. */
export const seriesYear = ({ subject, metric }: SeriesId, year: number) => [
  "series",
  subject,
  metric,
  year,
];
/** When a read of a series last failed. */
export const seriesFailure = ({ subject, metric }: SeriesId) => [
  "series_failures",
  subject,
  metric,
];
/** All series whose last read failed. */
export const seriesFailures = () => ["series_failures"];
/** The validator set of a day. */
export const validatorDay = (day: number) => ["validator_days", day];
/** The validator sets of all days. */
export const validatorDays = () => ["validator_days"];
/** The blocks of a day by the RPC. */
export const blockSample = (day: number) => ["block_samples", day];
/** The blocks of all sampled days. */
export const blockSamples = () => ["block_samples"];
/** The next day that a second source is checked again from. */
export const recheck = (metric: ExplorerMetric) => ["rechecks", metric];
