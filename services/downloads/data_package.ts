/** Describes the files as a Data Package (v2), with a Table Schema for each kind of table. */
import {
  CHECK_NAMES,
  CHECKS,
} from "../chain_data/catalogue/cross_checks_schema.ts";
import {
  METRIC_NAMES,
  METRICS,
} from "../chain_data/catalogue/metrics_schema.ts";
import {
  CHAINS_TABLE,
  checkedTable,
  type Column,
  columnsOf,
  DATA_PACKAGE,
  FILE_ENDINGS,
  FILE_FORMATS,
  OVERVIEW_TABLE,
  subjectOf,
  type TableSubject,
} from "./downloads_schema.ts";
import type { StoredTable } from "./downloads_store.ts";

/** A document of a release. */
export interface Document {
  readonly name: string;
  readonly text: string;
}

/** Facts about the deployment that publishes the package. */
interface Publisher {
  readonly publicUrl: string;
  readonly sources: readonly {
    readonly title: string;
    readonly path: string;
  }[];
}

/** Types of Table Schema. */
const FIELD_TYPES = {
  integer: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  date: { type: "date" },
  instant: { type: "datetime" },
  text: { type: "string" },
} as const;

/** Rules that users of the figures must know. */
const CAVEATS: readonly string[] = [
  "Days are UTC. complete is false for the newest day that the source has published, which it is still adding up, and for inferred days. Do not average over incomplete days.",
  "Missing days have no row. They are never filled in.",
  "A chain that is a week behind the C-Chain has gone quiet: its later days are inferred as 0, or as the last value of a running total.",
  "Running totals (the cumulative metrics) must not be added up over days.",
  "Weeks and months are folded from days as each metric says. Distinct counts (activeAddresses, activeSenders) are averaged, since their sum counts an address once a day.",
  "Fees are in the native token of the chain, never in a currency.",
  "The source revises days. revisedAt says when a value last replaced another one.",
  "Chain names come from the source and can change; join on chainId.",
];

/** The rights of users. */
export const LICENCE = "Free to use, also commercially, without attribution";

/** Returns the name of the Table Schema of a table. */
function schemaName(subject: TableSubject): string {
  return `schema-${schemaOwner(subject)}.json`;
}

/** Returns the name of a Table Schema. All years of a metric share one. */
function schemaOwner(subject: TableSubject): string {
  if (subject.of === "metric") return subject.metric;
  if (subject.of === "chains") return CHAINS_TABLE;
  return subject.of === "overview"
    ? OVERVIEW_TABLE
    : checkedTable(subject.check);
}

/** The primary key of each kind of table. */
const PRIMARY_KEYS: Readonly<Record<TableSubject["of"], readonly string[]>> = {
  metric: ["chainId", "day"],
  checked: ["day"],
  chains: ["chainId"],
  overview: ["chainId"],
};

function schemaOf(subject: TableSubject) {
  return {
    $schema: "https://datapackage.org/profiles/2.0/tableschema.json",
    fields: columnsOf(subject).map(fieldOf),
    primaryKey: PRIMARY_KEYS[subject.of],
    missingValues: [""],
  };
}

function fieldOf({ name, type, isNullable, unit, description }: Column) {
  return {
    name,
    ...FIELD_TYPES[type],
    description,
    ...unit === undefined ? {} : { unit },
    ...isNullable ? {} : { constraints: { required: true } },
  };
}

/** Returns a title, and how days are folded into weeks and months. */
function describe(subject: TableSubject) {
  if (subject.of === "chains") return { title: "Tracked chains" };
  if (subject.of === "overview") {
    return { title: "Tracked chains with their newest transactions" };
  }
  if (subject.of === "checked") {
    const { endpoint, unit, tolerancePct } = CHECKS[subject.check];
    const names = columnsOf(subject).map(({ name }) => name);
    return {
      title: `Daily values of ${endpoint}: ${names.slice(1).join(", ")}`,
      unit,
      tolerancePct,
    };
  }
  const { meaning, unit, kind, fold } = METRICS[subject.metric];
  return {
    title: `${subject.metric} of all chains, ${subject.year}: ${meaning}`,
    unit,
    kind,
    fold,
  };
}

/** Makes the documents of a release: the package and its schemas. Equal tables give equal texts. */
export function makeDocuments(
  tables: readonly StoredTable[],
  { publicUrl, sources }: Publisher,
): Document[] {
  const resources = tables.flatMap(({ name, rows, files }) => {
    const subject = subjectOf(name);
    if (subject === null) return [];
    return files.map(({ name: path, bytes, sha256 }) => {
      const ending = FILE_ENDINGS.find((ending) => path.endsWith(ending))!;
      const { format, mediaType } = FILE_FORMATS[ending];
      return {
        $schema: "https://datapackage.org/profiles/2.0/dataresource.json",
        name: path.toLowerCase(),
        path,
        type: "table",
        ...describe(subject),
        format,
        mediatype: mediaType,
        encoding: "utf-8",
        bytes,
        hash: `sha256:${sha256}`,
        rows,
        schema: schemaName(subject),
      };
    });
  });
  const dataPackage = {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    name: "firn-chain-data",
    title: "Daily on-chain metrics of the Avalanche C-Chain and its L1s",
    homepage: `${publicUrl}/downloads`,
    description: CAVEATS.map((caveat) => `- ${caveat}`).join("\n"),
    caveats: CAVEATS,
    licenses: [{ path: `${publicUrl}/docs/bulk-files`, title: LICENCE }],
    sources,
    contributors: [{ title: "Firn", path: publicUrl, roles: ["publisher"] }],
    resources,
  };
  const subjects = [
    { of: "chains" },
    { of: "overview" },
    ...CHECK_NAMES.map((check) => ({ of: "checked", check })),
    // All years of a metric have one schema.
    ...METRIC_NAMES.map((metric) => ({ of: "metric", metric, year: 0 })),
  ] as readonly TableSubject[];
  return [
    { name: DATA_PACKAGE, text: toText(dataPackage) },
    ...subjects.map((subject) => ({
      name: schemaName(subject),
      text: toText(schemaOf(subject)),
    })),
  ];
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}
