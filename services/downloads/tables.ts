/**
 * The tables of a release: of a metric one per year, over all chains, with the values
 * that the API answers; the chain list, the overview, and the daily values of the
 * checked series. Rows are held column by column, in groups.
 */
import type { ChainList } from "../chain_data/catalogue/chains_store.ts";
import {
  type Metric,
  METRICS,
} from "../chain_data/catalogue/metrics_schema.ts";
import { parseDay, startOfYear, yearOf } from "../platform/days.ts";
import { isComplete, isInferred } from "../chain_data/series/buckets.ts";
import {
  lastActiveDay,
  withInferredDays,
} from "../chain_data/series/inferred_days.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  isEmpty,
  newestDay,
} from "../chain_data/series/series.ts";
import { findMetric } from "../chain_data/series/series_reader.ts";
import {
  CHAIN_COLUMNS,
  CHAINS_TABLE,
  CHECKED_COLUMNS,
  checkedTable,
  type Column,
  metricColumns,
  metricTable,
  OVERVIEW_COLUMNS,
  OVERVIEW_TABLE,
} from "./downloads_schema.ts";
import { maxOf, minOf } from "../platform/numbers.ts";
import {
  CHECK_NAMES,
  type CheckName,
  CHECKS,
} from "../chain_data/catalogue/cross_checks_schema.ts";
import {
  CHECKED_SERIES,
  type CheckedQueries,
} from "../chain_data/overview/checked_series.ts";
import type { Overview } from "../chain_data/overview/overview_schema.ts";
import { Fault } from "../platform/fault.ts";
import type { ReadDeps } from "../chain_data/series/deps.ts";
import type { DownloadsDeps } from "./downloads.ts";
import { sha256 } from "../platform/bytes.ts";

/** The values of a column: texts, or numbers with `NaN` for null. A boolean is 0 or 1. */
export type Values = Float64Array<ArrayBuffer> | readonly (string | null)[];

/** Rows that stay together: a row group in Parquet. */
export interface RowGroup {
  readonly rows: number;
  /** One entry per column of the table, in their order. */
  readonly values: readonly Values[];
}

/** A table, before it is written. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Returns the groups. They are built anew by each call, so that one is in memory. */
  readonly groups: () => Iterable<RowGroup>;
}

/** Increase it when the same rows are written as other bytes. */
const WRITER_VERSION = 2;

/**
 * Returns the hash of a table's columns and rows, and their number. Tables with the
 * same hash have the same files.
 */
export function fingerprintOf(
  { name, columns, groups }: Table,
): { readonly fingerprint: string; readonly rows: number } {
  let total = 0;
  const hash = sha256();
  hash.update(JSON.stringify([WRITER_VERSION, name, columns]));
  for (const { rows, values } of groups()) {
    total += rows;
    hash.update(`\n${rows}\n`);
    for (const column of values) {
      hash.update(
        column instanceof Float64Array
          ? new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
          : JSON.stringify(column),
      );
    }
  }
  return { fingerprint: hash.hex(), rows: total };
}

/** Builds a group from objects that have the columns as fields. */
export function groupOf(
  columns: readonly Column[],
  items: readonly Readonly<Record<string, unknown>>[],
): RowGroup {
  const values = columns.map(({ name, type }): Values =>
    type === "text"
      ? items.map((item) => (item[name] ?? null) as string | null)
      : Float64Array.from(
        items,
        (item) => Number(item[name] ?? NaN),
      )
  );
  return { rows: items.length, values };
}

/** What the values of a release depend on, besides the series. */
export interface Moment {
  readonly chains: ChainList["chains"];
  /** The newest day that can be inferred. */
  readonly inferredThrough: number;
  /** The day on which the sweep ended. */
  readonly today: number;
}

/** A metric of a chain. */
interface ChainValues {
  readonly chain: ChainList["chains"][number];
  readonly series: DailySeries;
}

/** All values of a metric. */
interface MetricValues {
  readonly metric: Metric;
  readonly today: number;
  readonly chains: readonly ChainValues[];
}

/** The `txCount` of a chain, which shows whether it is idle. */
type FindTxCount = (chainId: number) => Promise<DailySeries>;

/** Reads a metric of all chains. A chain without a stored series is left out. */
export async function readMetric(
  deps: Pick<DownloadsDeps, "store" | "upstream">,
  metric: Metric,
  { chains, inferredThrough: through, today }: Moment,
  findTxCount: FindTxCount,
): Promise<MetricValues> {
  const { kind } = METRICS[metric];
  const read: ChainValues[] = [];
  for (const chain of chains) {
    const { chainId } = chain;
    const stored = await findMetric(deps, { chainId, metric });
    if (stored === null) continue;
    const { series } = stored;
    const newest = newestDay(series);
    const isOld = newest === null || newest <= through;
    const txCount = isOld ? await findTxCount(chainId) : EMPTY_SERIES;
    // Upstream lacks the metric of an active chain, for which the API answers 503.
    if (isEmpty(series) && lastActiveDay(txCount) !== null) continue;
    read.push({
      chain,
      series: isOld
        ? withInferredDays(series, { kind, txCount, through })
        : series,
    });
  }
  return { metric, today, chains: read };
}

/** Lists the years that a metric has values in, the newest first. */
export function yearsOf({ chains }: MetricValues): number[] {
  const filled = chains.filter(({ series }) => !isEmpty(series));
  if (filled.length === 0) return [];
  const first = minOf(filled.map(({ series }) => series.firstDay));
  const last = maxOf(filled.map(({ series }) => newestDay(series)!));
  return Array.from(
    { length: yearOf(last) - yearOf(first) + 1 },
    (_, nth) => yearOf(last) - nth,
  );
}

/** Builds the table of a year: one group per chain, by chain id and day. */
export function tableOf(values: MetricValues, year: number): Table {
  const { metric, chains, today } = values;
  return {
    name: metricTable(metric, year),
    columns: metricColumns(metric),
    *groups() {
      for (const chain of chains) {
        const group = groupOfYear(chain, year, today);
        if (group.rows > 0) yield group;
      }
    },
  };
}

function groupOfYear(
  { chain, series }: ChainValues,
  year: number,
  today: number,
): RowGroup {
  const { firstDay, values, revised } = series;
  const start = Math.max(startOfYear(year), firstDay);
  const end = Math.min(startOfYear(year + 1), firstDay + values.length);
  const days: number[] = [];
  for (let day = start; day < end; day++) {
    if (!Number.isNaN(values[day - firstDay])) days.push(day);
  }
  const column = (valueOn: (day: number) => number | boolean) =>
    Float64Array.from(days, (day) => Number(valueOn(day)));
  return {
    rows: days.length,
    values: [
      column(() => chain.chainId),
      days.map(() => chain.chainName),
      column((day) => day),
      column((day) => values[day - firstDay]!),
      column((day) => isComplete(series, day, today)),
      column((day) => isInferred(series, day)),
      column((day) => revised?.get(day) ?? NaN),
    ],
  };
}

type TableDeps = ReadDeps<DownloadsDeps>;

/** Any age: the sources were just swept. */
const STORED = { maxStaleMs: Infinity };

/** Builds the table of the chain list. */
export function chainsTable(chains: ChainList["chains"]): Table {
  const columns = CHAIN_COLUMNS;
  return {
    name: CHAINS_TABLE,
    columns,
    groups: () => [groupOf(columns, chains)],
  };
}

/** Builds the table of the overview. */
export function overviewTable({ chains }: Overview): Table {
  const columns = OVERVIEW_COLUMNS;
  const rows = chains.map((chain) => ({
    ...chain,
    since: chain.since && parseDay(chain.since),
    day: chain.day && parseDay(chain.day),
    liveSince: chain.liveSince && parseDay(chain.liveSince),
  }));
  return {
    name: OVERVIEW_TABLE,
    columns,
    groups: () => [groupOf(columns, rows)],
  };
}

/** Reads the tables of the checked series. A table is null if its source has no values now. */
export async function readCheckedTables(
  deps: TableDeps,
): Promise<{ readonly name: string; readonly table: Table | null }[]> {
  const tables = [];
  for (const check of CHECK_NAMES) {
    const name = checkedTable(check);
    tables.push({ name, table: await readTable(deps, check) });
  }
  return tables;
}

async function readTable<Name extends CheckName>(
  deps: TableDeps,
  check: Name,
): Promise<Table | null> {
  const columns = CHECKED_COLUMNS[check];
  try {
    const { query, read } = CHECKED_SERIES[check];
    const days = new URLSearchParams(`${CHECKS[check].dailyQuery}range=all`);
    const daily = query.parse(Object.fromEntries(days)) as CheckedQueries[Name];
    const { answer: { series } } = await read(deps, daily, STORED);
    const items = series.map((item) => ({ ...item, day: parseDay(item.day) }));
    const name = checkedTable(check);
    return { name, columns, groups: () => [groupOf(columns, items)] };
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
