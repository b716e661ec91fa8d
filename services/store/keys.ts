/** Every key of the store, spelled once. */
import type { Metric } from "../contract/chain.ts";

/** Head and members of the chain list, the head first: strings sort before numbers. */
export const chains = () => ["chains"];
/** When and where the chain list was read. */
export const chainsHead = () => ["chains", "head"];
/** A tracked chain. */
export const chain = (chainId: number) => ["chains", chainId];
/** Head and years of a series, the head first. */
export const series = (chainId: number, metric: Metric) => [
  "series",
  chainId,
  metric,
];
/** What is known about a series as a whole. */
export const seriesHead = (chainId: number, metric: Metric) => [
  "series",
  chainId,
  metric,
  "head",
];
/** One year of a series. */
export const seriesYear = (chainId: number, metric: Metric, year: number) => [
  "series",
  chainId,
  metric,
  year,
];
/** When a read of a series last failed. */
export const seriesFailure = (chainId: number, metric: Metric) => [
  "series_failures",
  chainId,
  metric,
];
/** All series whose last read failed. */
export const seriesFailures = () => ["series_failures"];
/** The calls that an upstream got lately. */
export const budget = (upstream: string) => ["budgets", upstream];
/** Who runs a job, and until when. */
export const jobLease = (name: string) => ["job_leases", name];
/** The last run of a job. */
export const jobRun = (name: string) => ["job_runs", name];
/** The last runs of all jobs. */
export const jobRuns = () => ["job_runs"];
