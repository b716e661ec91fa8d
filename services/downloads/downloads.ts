/** Finds the downloadable files, lists them and cites them. */
import type { CacheableAnswer } from "../platform/cache.ts";
import { dayAt, formatDay } from "../platform/days.ts";
import { Fault } from "../platform/fault.ts";
import { shortened } from "../platform/text.ts";
import { ofUpstream } from "../platform/http/upstream_answer.ts";
import {
  CHUNK_BYTES,
  countChunks,
  DOCUMENTS,
  type DownloadsAnswer,
  FILE_ENDINGS,
  FILE_FORMATS,
  type FileEnding,
} from "./downloads_schema.ts";
import type {
  downloadStore,
  manifestStore,
  Release,
  StoredFile,
  StoredTable,
} from "./downloads_store.ts";
import { unzip } from "../platform/bytes.ts";
import { manifestPath, type ManifestSigning } from "./manifests.ts";
import type { ChainDataDeps } from "../chain_data/checks/deps.ts";

/** Dependencies of the downloadable files. */
export interface DownloadsDeps extends ChainDataDeps {
  readonly store: ChainDataDeps["store"] & {
    readonly downloads: ReturnType<typeof downloadStore>;
    readonly manifests: ReturnType<typeof manifestStore>;
  };
  /** The keys of the manifests of downloadable files. */
  readonly manifestSigning: ManifestSigning;
  /** Days between two builds of the files of a metric. */
  readonly metricFilesDays: number;
}

type ReadDeps = Pick<DownloadsDeps, "now" | "store" | "upstream">;

/** A file with the release that it belongs to. */
export interface FoundFile {
  readonly file: StoredFile;
  readonly table: StoredTable;
  readonly release: Release;
}

/** Finds the newest release. Returns null before the first one, and if its data came from another upstream. */
export async function findRelease(
  { store, upstream }: Pick<ReadDeps, "store" | "upstream">,
): Promise<Release | null> {
  return ofUpstream(upstream.metrics, await store.downloads.findRelease());
}

/** Finds a file of the newest release. Throws a fault if there is none of this name. */
export async function findFile(
  deps: ReadDeps,
  name: string,
): Promise<FoundFile> {
  const ending = endingOf(name);
  const of = ending === null ? DOCUMENTS : name.slice(0, -ending.length - 1);
  const [release, table] = await Promise.all([
    findRelease(deps),
    deps.store.downloads.findTable(of),
  ]);
  const file = table?.files.find((file) => file.name === name);
  if (release === null || table === null || file === undefined) {
    throw new Fault(
      release === null
        ? `Cannot find the file "${
          shortened(name)
        }": no files have been built yet; they are built after the first sweep of all series`
        : `Cannot find the file "${
          shortened(name)
        }": /downloads/index.json lists all files`,
      { kind: "unknownFile" },
    );
  }
  return { file, table, release };
}

/**
 * Reads bytes of a file, from `start` to `end` inclusive, a chunk at a time. Throws
 * if the file was replaced an hour ago and is deleted meanwhile.
 */
export async function* readFile(
  { store }: Pick<ReadDeps, "store">,
  file: StoredFile,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const last = Math.min(countChunks(file.bytes) - 1, chunkAt(end));
  for (let nth = chunkAt(start); nth <= last; nth++) {
    const chunk = await store.downloads.findChunk(file, nth);
    if (chunk === null) throw new Error(`Cannot read ${file.name}: it is gone`);
    const offset = nth * CHUNK_BYTES;
    yield chunk.subarray(
      Math.max(0, start - offset),
      Math.min(chunk.byteLength, end + 1 - offset),
    );
  }
}

/** Reads a whole document as text. */
export async function readDocument(
  deps: ReadDeps,
  name: string,
): Promise<CacheableAnswer<string>> {
  const { file, release } = await findFile(deps, name);
  const parts = readFile(deps, file, { start: 0, end: file.bytes - 1 });
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of parts) {
    text += decoder.decode(part, { stream: true });
  }
  return { answer: text, ...datesOf(deps, release) };
}

/** Lists all files of the newest release. */
export async function listFiles(
  deps: ReadDeps,
): Promise<CacheableAnswer<DownloadsAnswer>> {
  for (;;) {
    const release = await findRelease(deps);
    const tables = release === null
      ? []
      : await deps.store.downloads.listTables();
    // A release between the two reads would mix both.
    const after = await findRelease(deps);
    if (release?.date !== after?.date) continue;
    const files = tables.flatMap((table) =>
      table.files.map((file) => describeFile(table, file))
    ).sort((a, b) => a.name < b.name ? -1 : 1);
    return {
      answer: { release: release && describeRelease(release), files },
      ...datesOf(deps, release),
    };
  }
}

/** Finds the exact bytes of a manifest, as text, and its signature. Throws a fault if there is none in this format. */
export async function findManifest(
  { store }: Pick<ReadDeps, "store">,
  { date, format }: { readonly date: string; readonly format: string },
): Promise<{ readonly text: string; readonly signature: Uint8Array | null }> {
  const stored = await store.manifests.find(date);
  if (stored === null || (stored.format ?? "json") !== format) {
    throw new Fault(
      `Cannot find a manifest of ${date}: /downloads/index.json names the newest one, and the signature of each names the one before`,
      { kind: "unknownFile" },
    );
  }
  const text = new TextDecoder().decode(await unzip(stored.zipped));
  return { text, signature: stored.signature };
}

/** Returns the ending of the name of a table's file; null if it is another file. */
export function endingOf(name: string): FileEnding | null {
  return FILE_ENDINGS.find((ending) => name.endsWith(`.${ending}`)) ?? null;
}

function chunkAt(byte: number): number {
  return Math.floor(byte / CHUNK_BYTES);
}

function datesOf({ now }: ReadDeps, release: Release | null) {
  return {
    fetchedAt: now().getTime(),
    changedAt: release?.builtAt ?? null,
  };
}

function describeRelease(release: Release): DownloadsAnswer["release"] {
  const { date, builtAt, newestDay, manifestSha256, signedBy } = release;
  return {
    date,
    builtAt: new Date(builtAt).toISOString(),
    dataThrough: formatDay(newestDay),
    manifest: manifestPath(release),
    manifestSha256,
    signedBy,
  };
}

function describeFile(
  { name: table, rows, builtOn }: StoredTable,
  { name, bytes, sha256 }: StoredFile,
): DownloadsAnswer["files"][number] {
  const ending = endingOf(name);
  const format = ending === null ? "json" : FILE_FORMATS[ending].format;
  return { name, table, format, rows, bytes, sha256, changedOn: builtOn };
}

/** When data were retrieved, and the release of that day. */
export interface Retrieval {
  /** The newest release; null before the first one. */
  readonly release:
    | Pick<
      Release,
      "date" | "format" | "manifestSha256"
    >
    | null;
  /** YYYY-MM-DD. */
  readonly retrievedOn: string;
}

/** What is cited. */
interface Cited extends Retrieval {
  readonly title: string;
  /** Absolute. */
  readonly url: string;
  readonly publicUrl: string;
}

/** Returns the retrieval of data that are read now. */
export async function retrievedNow(
  deps: Pick<DownloadsDeps, "now" | "store" | "upstream">,
): Promise<Retrieval> {
  return {
    release: await findRelease(deps),
    retrievedOn: formatDay(dayAt(deps.now().getTime())),
  };
}

/** A citation in two forms. */
export interface Citation {
  readonly text: string;
  readonly bibtex: string;
}

/** Writes the citation of a page or a file. */
export function cite(
  { title, url, publicUrl, release, retrievedOn }: Cited,
): Citation {
  const manifest = release && {
    url: `${publicUrl}${manifestPath(release)}`,
    sha256: release.manifestSha256,
  };
  const vouched = manifest === null
    ? ""
    : ` Manifest ${manifest.url}, SHA-256 ${manifest.sha256}.`;
  const year = retrievedOn.slice(0, 4);
  const fields = {
    author: "{Firn}",
    title: escapeTex(title),
    year,
    url,
    urldate: retrievedOn,
    ...manifest === null ? {} : {
      note: `Manifest ${manifest.url}, SHA-256 ${manifest.sha256}`,
    },
  };
  const lines = Object.entries(fields)
    .map(([name, value]) => `  ${name} = {${value}}`);
  return {
    text:
      `Firn (${year}): ${title}. ${url}, retrieved on ${retrievedOn}.${vouched}`,
    bibtex: `@misc{firn-${retrievedOn},\n${lines.join(",\n")}\n}\n`,
  };
}

function escapeTex(text: string): string {
  return text.replaceAll(/[&%$#_{}]/g, "\\$&");
}
