/** KV keys of chain data. */
import type { ExplorerMetric, SeriesId } from "./catalogue/series_id.ts";
import {
  type CheckName,
  type IndexMetric,
} from "./catalogue/check_rules_schema.ts";
import type { Collections } from "../platform/kv/collection.ts";
import { DAY_MS } from "../platform/days.ts";

/** The collections of chain data. */
export const COLLECTIONS = {
  block_samples: {},
  chains: {},
  disputes: {},
  // Files are built again from the series. Manifests cannot be.
  download_build: { isLeftOut: true, isUnchecked: true },
  download_chunks: { isLeftOut: true, isUnchecked: true },
  download_garbage: { isLeftOut: true, isUnchecked: true },
  download_manifests: {},
  download_release: { isLeftOut: true, isUnchecked: true },
  download_staged: { isLeftOut: true, isUnchecked: true },
  download_tables: { isLeftOut: true },
  publications: {},
  read_queue: { expireMs: DAY_MS, isIndependent: true, isUnchecked: true },
  rechecks: {},
  series: {},
  series_doubts: { isUnchecked: true },
  series_failures: { isUnchecked: true },
  validator_days: {},
} as const satisfies Collections;

/** The head and all chains. The head comes first: strings sort before numbers. */
export const chains = () => ["chains"];
/** The head of the chain list. */
export const chainsHead = () => ["chains", "head"];
/** A tracked chain. */
export const chain = (chainId: number) => ["chains", chainId];
/** The newest publication of the Metrics API. */
export const publication = () => ["publications", "newest"];
/** The sweep of the newest publication. */
export const sweep = () => ["publications", "sweep"];
/** A series that a job reads first. */
export const queuedRead = ({ subject, metric }: SeriesId) => [
  "read_queue",
  subject,
  metric,
];
/** All series that a job reads first. */
export const queuedReads = () => ["read_queue"];
/** The head, the logs and all years of a series. The head comes first. */
export const series = ({ subject, metric }: SeriesId) => [
  "series",
  subject,
  metric,
];
/** The head of a series. */
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
/** When the days of one year of a series were first seen, and what changed since. */
export const seriesLog = ({ subject, metric }: SeriesId, year: number) => [
  "series",
  subject,
  metric,
  "log",
  year,
];
/** The first day of a series that is not believed, and that no operator has decided on. */
export const seriesDoubted = ({ subject, metric }: SeriesId) => [
  "series_doubts",
  subject,
  metric,
];
/** All series with such days. */
export const seriesDoubts = () => ["series_doubts"];
/** When fetching a series last failed. */
export const seriesFailure = ({ subject, metric }: SeriesId) => [
  "series_failures",
  subject,
  metric,
];
/** The failures of all series. */
export const seriesFailures = () => ["series_failures"];
/** The validator snapshot of a day. */
export const validatorDay = (day: number) => ["validator_days", day];
/** All validator snapshots. */
export const validatorDays = () => ["validator_days"];
/** The block sample of a day. */
export const blockSample = (day: number) => ["block_samples", day];
/** All block samples. */
export const blockSamples = () => ["block_samples"];
/** A checked series, or a metric of a chain. */
export type DisputedSeries = CheckName | `${IndexMetric}/${number}`;
/** When a dispute was found. */
export const dispute = (name: DisputedSeries, day: number) => [
  "disputes",
  name,
  day,
];
/** The open disputes of a checked series. */
export const disputes = (name: DisputedSeries) => ["disputes", name];
/** The recheck cursor of an explorer series: the first day to recheck next. */
export const recheck = (metric: ExplorerMetric) => ["rechecks", metric];
/** The newest release of the downloadable files. */
export const downloadRelease = () => ["download_release"];
/** The right to build the next release. */
export const downloadBuild = () => ["download_build"];
/** A released table. */
export const downloadTable = (name: string) => ["download_tables", name];
/** All released tables. */
export const downloadTables = () => ["download_tables"];
/** A table that was built for the release of a date. */
export const downloadStaged = (
  date: string,
  name: string,
  fingerprint: string,
) => ["download_staged", date, name, fingerprint];
/** All tables that are not released yet. */
export const downloadsStaged = () => ["download_staged"];
/** A table that a release replaced, whose files are deleted later. */
export const downloadGarbage = (date: string, name: string) => [
  "download_garbage",
  date,
  name,
];
/** All tables whose files are deleted later. */
export const downloadsGarbage = () => ["download_garbage"];
/** A chunk of a version of a file. */
export const downloadChunk = (version: string, nth: number) => [
  "download_chunks",
  version,
  nth,
];
/** The chunks of a version of a file. */
export const downloadChunks = (version: string) => ["download_chunks", version];
/** The manifest of a date, YYYY-MM-DD. */
export const downloadManifest = (date: string) => ["download_manifests", date];
/** All manifests, by date. */
export const downloadManifests = () => ["download_manifests"];
