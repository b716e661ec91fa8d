/** Builds the release of a day: the files whose data changed, and the manifest. */
import { dayAt, formatDay, HOUR_MS, parseDay } from "../platform/days.ts";
import type { RunContext } from "../platform/jobs/job_run.ts";
import type { ChainList } from "../chain_data/catalogue/chains_store.ts";
import type { DownloadsDeps } from "./downloads.ts";
import { METRIC_NAMES } from "../chain_data/catalogue/metrics_schema.ts";
import { inferableThrough } from "../chain_data/series/inferred_days.ts";
import type { Overview } from "../chain_data/overview/overview_schema.ts";
import { makeOverview } from "./read_overview.ts";
import { listSources } from "../chain_data/quality/quality.ts";
import type {
  Publication,
  Sweep,
} from "../chain_data/series/publications_store.ts";
import { isSweepDue } from "../chain_data/series/refresh_plan.ts";
import { type DailySeries, EMPTY_SERIES } from "../chain_data/series/series.ts";
import {
  findPublished,
  findTxCount,
} from "../chain_data/series/series_reader.ts";
import { makeDocuments } from "./data_package.ts";
import { CHAINS_OVERVIEW, DOCUMENTS, subjectOf } from "./downloads_schema.ts";
import type {
  ReleaseChange,
  StoredManifest,
  StoredTable,
} from "./downloads_store.ts";
import { factsOf, hashesOf, makeManifest } from "./manifests.ts";
import {
  chainsTable,
  type Moment,
  overviewTable,
  readCheckedTables,
  readMetric,
  type Table,
  tableOf,
  yearsOf,
} from "./tables.ts";
import { buildTable, storeDocuments } from "./table_files.ts";

/** How long a file that a release replaces stays available for its readers. */
const GRACE_MS = HOUR_MS;

/**
 * Maximum size of a release in bytes. Replaced files, which are kept for an
 * hour, are not counted.
 */
const MAX_RELEASE_BYTES = 512 * 2 ** 20;

const NOTHING_DUE = "nothing is due";

/** What a release is made of. */
interface Due {
  readonly publication: Publication;
  readonly sweep: Sweep;
  readonly date: string;
  /** The manifest of the day, if it exists and its files are missing; null otherwise. */
  readonly restored: StoredManifest | null;
}

/** The tables of a release so far. */
interface Built {
  /** All tables, by name. */
  readonly tables: Map<string, StoredTable>;
  /** Those that the store does not have yet. */
  readonly changed: StoredTable[];
  /** Names of tables that exceed the limit. */
  readonly leftOut: string[];
  bytes: number;
}

/**
 * Builds a release if a sweep has ended since the last one, at most one a UTC day. A
 * run that is killed is continued by the next one: tables that it built are kept.
 * After the import of a backup the files of the day are built again.
 */
export async function buildRelease(
  deps: DownloadsDeps,
  context: RunContext,
): Promise<string> {
  const { downloads } = deps.store;
  await downloads.deleteReplaced(deps.now().getTime() - GRACE_MS);
  const due = await findDue(deps);
  if (due === null) return NOTHING_DUE;
  const token = await downloads.beginBuild(due.date);
  const built = await buildTables(deps, due, context);
  if (built === null) return "stopped; the next run continues";
  const { says, ...change } = due.restored === null
    ? await newRelease(deps, due, built)
    : await restoreRelease(due.restored, {
      tables: [...built.tables.values()],
      sweptAt: due.sweep.finishedAt,
      origin: due.publication.origin,
    });
  if (!await downloads.publish(token, change)) {
    return "another process builds the release";
  }
  await downloads.deleteStaged();
  return says;
}

/** Returns the outcome if no release is due, and no replaced files are to be deleted. */
export async function findIdleRelease(
  deps: DownloadsDeps,
): Promise<string | null> {
  const before = deps.now().getTime() - GRACE_MS;
  const isIdle = await findDue(deps) === null &&
    !await deps.store.downloads.isReplaced(before);
  return isIdle ? NOTHING_DUE : null;
}

/** Makes the release of built tables, with a new manifest. */
async function newRelease(
  deps: DownloadsDeps,
  { publication: { newestDay, origin }, sweep, date }: Due,
  { tables, changed, leftOut }: Built,
): Promise<ReleaseChange & { readonly says: string }> {
  const builtAt = deps.now().getTime();
  const manifest = await makeManifest(deps.manifestSigning, {
    release: { date, builtAt, newestDay },
    tables: [...tables.values()],
    previous: await deps.store.manifests.findNewest(),
  });
  const released = await deps.store.downloads.listTables();
  const missing = leftOut.length === 0
    ? ""
    : `; over the limit: ${leftOut.join(", ")}`;
  return {
    release: {
      date,
      builtAt,
      sweptAt: sweep.finishedAt,
      newestDay,
      origin,
      manifestSha256: manifest.sha256,
      signedBy: manifest.signedBy ?? null,
      format: manifest.format,
    },
    manifest,
    changed,
    removed: released.map(({ name }) => name)
      .filter((name) => !tables.has(name)),
    says:
      `${changed.length} of ${tables.size} tables built for ${date}${missing}`,
  };
}

/** Returns the publication and the sweep to release; null if no release is due. */
async function findDue(deps: DownloadsDeps): Promise<Due | null> {
  const { downloads, manifests } = deps.store;
  const { publication, sweep } = await findPublished(deps);
  if (publication === null || sweep === null) return null;
  const release = await downloads.findRelease();
  const isReleased = release?.sweptAt === sweep.finishedAt;
  if (release !== null && (isReleased || isSweepDue(publication, sweep))) {
    return null;
  }
  const date = formatDay(dayAt(deps.now().getTime()));
  const newest = await manifests.findNewest();
  // A backup has the manifests and not the files.
  if (release === null && newest?.date === date) {
    return { publication, sweep, date, restored: newest };
  }
  if (isSweepDue(publication, sweep)) return null;
  if (newest !== null && newest.date >= date) return null;
  return { publication, sweep, date, restored: null };
}

/** Builds all tables whose data changed. Returns null if the run has to stop. */
async function buildTables(
  deps: DownloadsDeps,
  due: Due,
  { proceed }: RunContext,
): Promise<Built | null> {
  const { downloads } = deps.store;
  const { origin } = due.publication;
  // A release never mixes files of simulated and of live data.
  const isSame = (await downloads.findRelease())?.origin === origin;
  const released = new Map(
    isSame
      ? (await downloads.listTables()).map((table) => [table.name, table])
      : [],
  );
  const built: Built = {
    tables: new Map(),
    changed: [],
    leftOut: [],
    bytes: 0,
  };
  const chains = await listChains(deps, due);
  const overview = await makeOverview(deps, chains, {
    publishedDay: due.publication.newestDay,
    today: dayAt(due.sweep.finishedAt),
  });
  for await (
    const table of listTables(deps, due, { chains, overview, released })
  ) {
    if (!await proceed()) return null;
    const held = released.get(table.name);
    if ("isKept" in table) {
      if (held) add(built, held, held);
      continue;
    }
    add(built, held, await buildTable(deps, table, { held, date: due.date }));
  }
  const sources = await listSources(deps);
  const documents = [
    ...makeDocuments([...built.tables.values()], {
      publicUrl: deps.publicUrl,
      // The hosts of the Metrics API and the index. No file has values of the nodes.
      sources: sources.slice(0, 2 + deps.upstream.metrics.others.length)
        .map(({ source: title, url: path }) => ({ title, path })),
    }),
    { name: CHAINS_OVERVIEW, text: JSON.stringify(overview) },
  ];
  const held = released.get(DOCUMENTS);
  const next = await storeDocuments(deps, documents, { held, date: due.date });
  add(built, held, next);
  return built;
}

/** Adds a table to a release, unless it exceeds the limit. */
function add(
  built: Built,
  held: StoredTable | undefined,
  table: StoredTable,
): void {
  const bytes = table.files.reduce((total, file) => total + file.bytes, 0);
  if (built.bytes + bytes > MAX_RELEASE_BYTES) {
    built.leftOut.push(table.name);
    return;
  }
  built.bytes += bytes;
  built.tables.set(table.name, table);
  if (table !== held) built.changed.push(table);
}

/** A table whose last files stay: its source has no values now, or it is not due. */
interface KeptTable {
  readonly name: string;
  readonly isKept: true;
}

/** Lists the tracked chains of the upstream that is released. */
async function listChains(
  { store }: DownloadsDeps,
  { publication: { origin } }: Due,
): Promise<ChainList["chains"]> {
  const list = await store.chains.find();
  return list?.origin === origin ? list.chains : [];
}

/** Lists the tables of a release one after the other, so that few are in memory. */
async function* listTables(
  deps: DownloadsDeps,
  { publication, sweep, date }: Due,
  { chains, overview, released }: {
    readonly chains: ChainList["chains"];
    readonly overview: Overview;
    readonly released: ReadonlyMap<string, StoredTable>;
  },
): AsyncGenerator<Table | KeptTable> {
  yield chainsTable(chains);
  yield overviewTable(overview);
  for (const { name, table } of await readCheckedTables(deps)) {
    yield table ?? { name, isKept: true };
  }
  const moment: Moment = {
    chains,
    inferredThrough: inferableThrough(publication.newestDay),
    today: dayAt(sweep.finishedAt),
  };
  const readTxCount = txCounts(deps);
  const keptSince = formatDay(parseDay(date) - deps.metricFilesDays + 1);
  for (const metric of METRIC_NAMES) {
    const held = [...released.values()].filter(({ name }) => {
      const subject = subjectOf(name);
      return subject?.of === "metric" && subject.metric === metric;
    });
    // A table without a fingerprint lacks a file since a backup was imported.
    const isKept = held.some(({ builtOn }) => builtOn >= keptSince) &&
      held.every(({ fingerprint }) => fingerprint !== "");
    if (isKept) {
      yield* held.map(({ name }): KeptTable => ({ name, isKept }));
      continue;
    }
    const values = await readMetric(deps, metric, moment, readTxCount);
    for (const year of yearsOf(values)) yield tableOf(values, year);
  }
}

/** Returns the `txCount` of chains, each read once. */
function txCounts(deps: DownloadsDeps) {
  const read = new Map<number, DailySeries>();
  return async (subject: number): Promise<DailySeries> => {
    const known = read.get(subject);
    if (known) return known;
    const series = await findTxCount(deps, subject) ?? EMPTY_SERIES;
    read.set(subject, series);
    return series;
  };
}

/** What the files were built from. */
interface Source {
  readonly tables: readonly StoredTable[];
  /** When the sweep of the data ended, epoch ms. */
  readonly sweptAt: number;
  /** Base URL of the upstream. */
  readonly origin: string;
}

/**
 * Releases the files that have the hash in a manifest. The manifest stays as it is,
 * because later ones and citations name its hash. Files with other data are left out
 * until the next release, which is then due without another sweep.
 */
async function restoreRelease(
  stored: StoredManifest,
  { tables, sweptAt, origin }: Source,
): Promise<ReleaseChange & { readonly says: string }> {
  const hashes = await hashesOf(stored);
  const kept = tables.map((table) => withHashes(table, hashes))
    .filter(({ files }) => files.length > 0);
  const count = kept.reduce((sum, { files }) => sum + files.length, 0);
  const isWhole = count === hashes.size;
  const { date, format } = stored;
  const says = `${count} of ${hashes.size} files restored for ${date}`;
  return {
    release: {
      date,
      ...await factsOf(stored),
      sweptAt: isWhole ? sweptAt : 0,
      origin,
      manifestSha256: stored.sha256,
      ...(format && { format }),
    },
    manifest: stored,
    changed: kept,
    removed: [],
    says: isWhole
      ? says
      : `${says}; the others differ from its manifest and follow with the next release`,
  };
}

/**
 * Returns a table with only those files whose hash the manifest has under their
 * name. If some are left out, the next release builds the table again.
 */
function withHashes(
  table: StoredTable,
  hashes: ReadonlyMap<string, string>,
): StoredTable {
  const files = table.files.filter(({ name, sha256 }) =>
    hashes.get(name) === sha256
  );
  return files.length === table.files.length
    ? table
    : { ...table, files, fingerprint: "" };
}
