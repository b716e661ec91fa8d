/** Every key of the store, spelled once. */
import type { IndexMetric, SeriesId } from "../domain/series_id.ts";

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
/** The calls that an upstream got lately. */
export const budget = (upstream: string) => ["budgets", upstream];
/** Who runs a job, and until when. */
export const jobLease = (name: string) => ["job_leases", name];
/** The last run of a job. */
export const jobRun = (name: string) => ["job_runs", name];
/** The last runs of all jobs. */
export const jobRuns = () => ["job_runs"];
/** The validator set of a day. */
export const validatorDay = (day: number) => ["validator_days", day];
/** The validator sets of all days. */
export const validatorDays = () => ["validator_days"];
/** The blocks of a day by the RPC. */
export const blockSample = (day: number) => ["block_samples", day];
/** The blocks of all sampled days. */
export const blockSamples = () => ["block_samples"];
/** The next day that a second source is checked again from. */
export const recheck = (metric: IndexMetric) => ["rechecks", metric];
/** What a wallet spent lately. */
export const period = (wallet: string) => ["periods", wallet];
/** When a key was used lately. */
export const burst = (keyId: string) => ["bursts", keyId];
/** The on-chain signals of an address. */
export const signals = (address: string) => ["signals", address.toLowerCase()];
/** What is known of an API key, under the hash of the key. */
export const apiKey = (hash: string) => ["api_keys", hash];
/** The keys of a wallet: their hashes by id. */
export const walletKeys = (wallet: string) => ["wallet_keys", wallet];
/** The wallet that a key's id belongs to. */
export const apiKeyOwner = (id: string) => ["api_key_owners", id];
/** What a wallet has paid for. */
export const plan = (wallet: string) => ["plans", wallet];
/** The scores of an address, day by day. */
export const scoreHistory = (address: string) => ["score_histories", address];
/** The scores of all addresses. */
export const scoreHistories = () => ["score_histories"];
/** A key that nobody writes: reading it shows that the database answers. */
export const ping = () => ["ping"];
