/**
 * The downloadable tables: their columns, formats, file names and chunks; the list of
 * files, and the keys of manifests.
 */
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
import { z } from "@hono/zod-openapi";
import { Day, Instant } from "../platform/wire_schema.ts";

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

/** The name under which documents are stored. */
export const DOCUMENTS = "documents";

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

const Sha256 = z.string().meta({
  description: "SHA-256 in hexadecimal",
  example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
});

const FileName = z.string().meta({
  description: "Name of the file below /downloads/",
  example: "txCount-2026.parquet",
});

const Bytes = z.int().meta({ description: "Size in bytes", example: 412331 });

/** A file in the list of all files. */
const ListedFile = z.object({
  name: FileName,
  table: z.string().meta({
    description: "The table that the file holds, the same in all formats",
    example: "txCount-2026",
  }),
  format: z.string().meta({
    description: "csv, ndjson, parquet or json",
    example: "parquet",
  }),
  rows: z.int().nullable().meta({
    description: "Rows of the table; null for a document",
    example: 61320,
  }),
  bytes: Bytes,
  sha256: Sha256,
  changedOn: Day.meta({ description: "The release that changed the file" }),
}).meta({ id: "Download" });

/** The answer of `GET /downloads/index.json`. */
export const DownloadsAnswer = z.object({
  release: z.object({
    date: Day.meta({ description: "The UTC day of the release" }),
    builtAt: Instant.meta({ description: "When it was built" }),
    dataThrough: Day.meta({
      description:
        "Newest day that the source had published; it may be incomplete",
    }),
    manifest: z.string().meta({
      description:
        "Path of its manifest, in the form of SHA256SUMS; its signature is at the same path with .minisig",
      example: "/downloads/manifests/2026-11-21.sha256",
    }),
    manifestSha256: Sha256,
    signedBy: z.string().nullable().meta({
      description: "Id of the key that signed the manifest; null if unsigned",
      example: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    }),
  }).nullable().meta({
    description: "The newest release; null before the first one",
  }),
  files: z.array(ListedFile).meta({
    description: "All files of the release, by name",
  }),
}).meta({ id: "Downloads" });
/** The answer of `GET /downloads/index.json`. */
export type DownloadsAnswer = z.infer<typeof DownloadsAnswer>;

/** The answer of `GET /.well-known/firn-manifest-key.json`. */
export const ManifestKeys = z.object({
  enabled: z.boolean().meta({
    description: "Whether this deployment signs manifests",
    example: true,
  }),
  keys: z.array(
    z.object({
      kty: z.literal("OKP").meta({ description: "Key type (RFC 8037)" }),
      crv: z.literal("Ed25519").meta({ description: "Curve" }),
      x: z.string().meta({
        description: "The public key, base64url",
        example: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
      }),
      kid: z.string().meta({
        description: "Its id: the JWK thumbprint (RFC 7638)",
        example: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
      }),
      minisign: z.string().meta({
        description: "The same key as minisign takes it",
        example: "RWQh/jHfoVSiYddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea",
      }),
      status: z.enum(["active", "former"]).meta({
        description: "Whether it signs now, or signed before",
      }),
    }).meta({ id: "ManifestKey" }),
  ).meta({ description: "The current key and former ones" }),
}).meta({ id: "ManifestKeys" });
/** The answer of `GET /.well-known/firn-manifest-key.json`. */
export type ManifestKeys = z.infer<typeof ManifestKeys>;
