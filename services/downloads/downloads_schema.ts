/** The downloadable tables: their columns, formats, file names and chunks. */
import {
  CHECK_NAMES,
  type CheckName,
  PROOFS,
} from "../chain_data/catalogue/cross_checks_schema.ts";
import {
  type Metric,
  METRIC_NAMES,
  METRICS,
} from "../chain_data/catalogue/metrics_schema.ts";
import { COVERAGE } from "../chain_data/catalogue/chains_schema.ts";
import { NO_CHANGE } from "../chain_data/overview/overview_schema.ts";

/** What a cell holds. A date is a day number and an instant epoch ms, until they are written. */
export type CellType =
  | "integer"
  | "number"
  | "boolean"
  | "date"
  | "instant"
  | "text";

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly type: CellType;
  readonly isNullable?: true;
  readonly unit?: string;
  readonly description: string;
}

const DAY: Column = {
  name: "day",
  type: "date",
  description: "A UTC day",
};
const CHAIN_ID: Column = {
  name: "chainId",
  type: "integer",
  description: "EVM chain id",
};
const CHAIN_NAME: Column = {
  name: "chainName",
  type: "text",
  description: "Name of the chain when the file was built",
};
const TOKEN: Column = {
  name: "token",
  type: "text",
  isNullable: true,
  description: "Symbol of the chain's native token; empty if unknown",
};
const COMPLETE: Column = {
  name: "complete",
  type: "boolean",
  description: "False while the day can still grow; do not average over it",
};

/** Returns the columns of a metric's tables: one row per chain and day. */
export function metricColumns(metric: Metric): readonly Column[] {
  const { meaning, unit } = METRICS[metric];
  return [
    CHAIN_ID,
    CHAIN_NAME,
    DAY,
    { name: "value", type: "number", unit, description: meaning },
    COMPLETE,
    {
      name: "inferred",
      type: "boolean",
      description:
        "True if the source no longer publishes days of the chain, so the day counts as one without activity",
    },
    {
      name: "revisedAt",
      type: "instant",
      isNullable: true,
      description:
        "When the value last replaced another one; empty if it never did",
    },
  ];
}

/** The columns of the chain list. */
export const CHAIN_COLUMNS: readonly Column[] = [
  CHAIN_ID,
  CHAIN_NAME,
  TOKEN,
  {
    name: "blockchainId",
    type: "text",
    description: "Id of the blockchain on the P-Chain",
  },
  {
    name: "subnetId",
    type: "text",
    description: "Id of the chain's subnet on the P-Chain",
  },
];

/** The columns of the overview of all chains. */
export const OVERVIEW_COLUMNS: readonly Column[] = [
  CHAIN_ID,
  CHAIN_NAME,
  TOKEN,
  {
    name: "state",
    type: "text",
    description: `What the source has of the chain: ${listOf(COVERAGE)}`,
  },
  {
    name: "since",
    type: "date",
    isNullable: true,
    description:
      "The first day that the source lacks; empty if the chain is served",
  },
  {
    name: "proof",
    type: "text",
    description: `How well its transactions are backed: ${listOf(PROOFS)}`,
  },
  optional(
    "agreementPct",
    "percent",
    "Compared days on which both sources agree; empty if none was compared",
  ),
  {
    name: "day",
    type: "date",
    isNullable: true,
    description: "The chain's newest complete day; empty if it has none",
  },
  optional("txCount", "count", "Transactions of that day"),
  optional(
    "changePct",
    "percent",
    "Change in transactions: the last seven complete days against the seven before; empty unless all fourteen are complete",
  ),
  {
    name: "noChange",
    type: "text",
    isNullable: true,
    description: `Why changePct is empty: ${listOf(NO_CHANGE)}`,
  },
  optional(
    "sharePct",
    "percent",
    "Share in the transactions of all chains that have a complete value for the C-Chain's newest complete day; empty for other chains",
  ),
  {
    name: "liveSince",
    type: "date",
    isNullable: true,
    description: "First day with a transaction; empty if there was none",
  },
  {
    name: "ageDays",
    type: "integer",
    isNullable: true,
    unit: "days",
    description: "Days from then to the newest published day",
  },
];

/** Lists names and their meanings in one line. */
function listOf(
  meanings: Readonly<Record<string, string | { readonly meaning: string }>>,
): string {
  return Object.entries(meanings).map(([name, of]) =>
    `${name} (${typeof of === "string" ? of : of.meaning})`
  ).join(", ");
}

const COMPARED: readonly Column[] = [
  optional(
    "differencePct",
    "percent",
    "Second source minus ours, in percent of ours; empty if not compared",
  ),
  {
    name: "agrees",
    type: "boolean",
    isNullable: true,
    description:
      "Whether the difference is within the tolerance; empty if not compared",
  },
];

/** Returns a column of numbers whose cell may be empty. */
function optional(name: string, unit: string, description: string): Column {
  return { name, type: "number", isNullable: true, unit, description };
}

function first(name: string, unit: string, description: string): Column {
  return { name, type: "number", unit, description };
}

/** The columns of the checked series, daily. */
export const CHECKED_COLUMNS: Readonly<Record<CheckName, readonly Column[]>> = {
  transactions: [
    DAY,
    first("txCount", "count", "C-Chain transactions, by the Metrics API"),
    optional("crossCheckTxCount", "count", "The same, by the explorer index"),
    ...COMPARED,
    COMPLETE,
  ],
  fees: [
    DAY,
    first("feesPaid", "avax", "C-Chain fees, by the Metrics API"),
    optional("crossCheckFeesPaid", "avax", "The same, by the explorer index"),
    ...COMPARED,
    COMPLETE,
  ],
  blocks: [
    DAY,
    first("blocks", "count", "C-Chain blocks, by the explorer index"),
    optional(
      "meanBlockTimeSeconds",
      "seconds",
      "Mean block time over 30 days; empty if a day is missing",
    ),
    COMPLETE,
  ],
  stake: [
    DAY,
    first("validators", "count", "Validators of the Primary Network"),
    first("delegators", "count", "Delegators of the Primary Network"),
    first("validatorStake", "avax", "Stake of validators"),
    first("delegatorStake", "avax", "Stake of delegators"),
    first("totalStake", "avax", "Stake of both"),
    ...COMPARED,
    COMPLETE,
  ],
};

/** The formats of a table, by the ending of its file. */
export const FILE_FORMATS = {
  "csv.gz": { format: "csv", mediaType: "application/gzip" },
  "ndjson.gz": { format: "ndjson", mediaType: "application/gzip" },
  "parquet": {
    format: "parquet",
    mediaType: "application/vnd.apache.parquet",
  },
} as const;
/** The ending of a table's file. */
export type FileEnding = keyof typeof FILE_FORMATS;
/** The endings of a table's files. */
export const FILE_ENDINGS = Object.keys(FILE_FORMATS) as FileEnding[];

/** The table of all chains. */
export const CHAINS_TABLE = "chains";

/** The table of the overview of all chains. */
export const OVERVIEW_TABLE = "chains-overview";

/** The overview as one document, with the days of its small charts. */
export const CHAINS_OVERVIEW = `${OVERVIEW_TABLE}.json`;

/** The Data Package, which describes all files. */
export const DATA_PACKAGE = "datapackage.json";

/** The list of all files, which names the newest manifest. */
export const INDEX = "index.json";

/** Returns the name of the table of a checked series. */
export function checkedTable(name: CheckName): string {
  return `checked-${name}`;
}

/** Returns the name of the table of a metric and year. */
export function metricTable(metric: Metric, year: number): string {
  return `${metric}-${year}`;
}

/** What a table holds. */
export type TableSubject =
  | { readonly of: "metric"; readonly metric: Metric; readonly year: number }
  | { readonly of: "checked"; readonly check: CheckName }
  | { readonly of: "chains" }
  | { readonly of: "overview" };

/** Returns the content of a table by its name; null if no table has this name. */
export function subjectOf(table: string): TableSubject | null {
  if (table === CHAINS_TABLE) return { of: "chains" };
  if (table === OVERVIEW_TABLE) return { of: "overview" };
  const check = CHECK_NAMES.find((name) => checkedTable(name) === table);
  if (check !== undefined) return { of: "checked", check };
  const [, name, year] = /^(\w+)-(\d{4})$/.exec(table) ?? [];
  const metric = METRIC_NAMES.find((metric) => metric === name);
  return metric === undefined
    ? null
    : { of: "metric", metric, year: Number(year) };
}

/** Returns the columns of a table. */
export function columnsOf(subject: TableSubject): readonly Column[] {
  if (subject.of === "chains") return CHAIN_COLUMNS;
  if (subject.of === "overview") return OVERVIEW_COLUMNS;
  return subject.of === "checked"
    ? CHECKED_COLUMNS[subject.check]
    : metricColumns(subject.metric);
}

/** Bytes of a chunk, below the 64 KiB of a value. */
export const CHUNK_BYTES = 60_000;

/** Returns the number of chunks of a file. */
export function countChunks(bytes: number): number {
  return Math.ceil(bytes / CHUNK_BYTES);
}
