/**
 * Backup of the whole store as NDJSON: a header, one entry per line, and a seal
 * that proves completeness; its file, and the operator's commands over the whole store.
 */
import { Fault } from "../platform/fault.ts";
import { type Clock, CLOCK_SKEW_MS } from "../platform/clock.ts";
import { parse, stringify } from "devalue";
import { z } from "zod";
import type { PlatformDeps } from "../platform/open/deps.ts";
import { entryStore } from "../platform/kv/entries_store.ts";
import { FORMAT } from "../platform/kv/store_format.ts";
import { sha256 } from "../platform/bytes.ts";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { parseJson } from "../platform/text.ts";
import {
  type Command,
  isFile,
  print,
  readOptions,
  refuseFile,
  removedOnSignal,
} from "./command.ts";

/** The clock, and the store that is copied. */
interface BackupDeps extends Clock {
  readonly store: { readonly entries: ReturnType<typeof entryStore> };
}

/** Version of the format. Other versions are refused. */
const VERSION = 1;

/** Attempts to read a store in use until two reads agree. */
const MAX_READS = 5;

/**
 * Characters of one transaction. The database counts up to 4.5 times as much
 * and accepts 800 kB.
 */
const CHARS_A_COMMIT = 120_000;
const ENTRIES_A_COMMIT = 500;

/** The first line of a backup. */
const Header = z.object({
  firn: z.literal("backup"),
  version: z.literal(VERSION),
  takenAt: z.iso.datetime(),
  /** The format of the records. */
  format: z.int().positive(),
});
type Header = z.infer<typeof Header>;

/**
 * The last line of a backup: the number of entries before it, and the SHA-256
 * of their lines.
 */
export const Seal = z.object({ entries: z.int(), sha256: z.string() });
/** The last line of a backup. */
export type Seal = z.infer<typeof Seal>;

/**
 * Writes every entry of the store and returns the seal. Entries of one commit
 * stay consistent: a store in use is read again until nothing changed
 * meanwhile. Throws if the store changes during every read; a snapshot never
 * changes.
 */
export async function exportStore(
  deps: BackupDeps,
  save: (lines: AsyncIterable<string>) => Promise<void>,
): Promise<Seal> {
  if (await deps.store.entries.findImport() !== null) {
    throw refusal("Cannot export the store: an import is unfinished");
  }
  for (let read = 1; read <= MAX_READS; read++) {
    const versions = sha256();
    const copy = copyEntries(deps, versions);
    await save(copy.lines());
    if (versions.hex() === await hashVersions(deps)) return copy.seal();
  }
  throw refusal(
    `Cannot export the store: it changed during each of ${MAX_READS} reads`,
  );
}

/** The result of an import. */
interface Imported extends Seal {
  /** What happened to records that may be outdated, each with their number. */
  readonly changes: ReadonlyMap<string, number>;
}

/**
 * Imports a backup into an empty store. An interrupted import continues with
 * the same backup. What was revoked or used after the backup cannot be known:
 * unless the caller says that the backup is current, records that may have been
 * revoked or used are not usable at once.
 */
export async function importStore(
  { now, store }: BackupDeps,
  open: () => AsyncIterable<string>,
  { isCurrent }: { readonly isCurrent: boolean },
): Promise<Imported> {
  const { seal, takenAt, format } = await checkCopy(open());
  const at = now();
  // Nonces and payments go on from the clock, so it must be past the backup's.
  if (Date.parse(takenAt) > at.getTime() + CLOCK_SKEW_MS) {
    throw refusal(
      `Cannot import the backup: it was taken at ${takenAt}, and the clock says ${at.toISOString()}`,
    );
  }
  if (format > FORMAT) {
    throw refusal(
      `Cannot import the backup: its records have format ${format}, expected at most ${FORMAT}`,
    );
  }
  const { sha256 } = seal;
  const mark = { sha256, isCurrent };
  const begun = await store.entries.findImport();
  if (begun === null && !await store.entries.isEmpty()) {
    throw refusal("Cannot import the backup: the store is not empty");
  }
  if (begun !== null && begun.sha256 !== sha256) {
    throw refusal(
      "Cannot import the backup: the import of another one is unfinished",
    );
  }
  if (begun !== null && begun.isCurrent !== isCurrent) {
    throw refusal(
      `Cannot import the backup: its import was begun ${
        begun.isCurrent ? "with" : "without"
      } --keep-keys`,
    );
  }
  await store.entries.startImport(mark, format);
  const changes = new Map<string, number>();
  let waiting: string[] = [];
  let chars = 0;
  const put = async () => {
    const entries = waiting.map((line) => {
      const [key, value] = parse(line) as [Deno.KvKey, unknown];
      return { key, value };
    });
    waiting = [];
    chars = 0;
    for (const says of await store.entries.put(entries, mark)) {
      changes.set(says, (changes.get(says) ?? 0) + 1);
    }
  };
  for await (const { line, kind } of readCopy(open())) {
    if (kind !== "entry") continue;
    const isFull = waiting.length === ENTRIES_A_COMMIT ||
      chars + line.length > CHARS_A_COMMIT;
    if (isFull && waiting.length > 0) await put();
    waiting.push(line);
    chars += line.length;
  }
  await put();
  await store.entries.endImport();
  return { ...seal, changes };
}

type Hash = ReturnType<typeof sha256>;

/** Makes the lines of a backup, and hashes the versionstamp of each dependent entry. */
function copyEntries({ now, store }: BackupDeps, versions: Hash) {
  const hash = sha256();
  let entries = 0;
  const seal = (): Seal => ({ entries, sha256: hash.hex() });
  async function* lines(): AsyncGenerator<string> {
    const takenAt = now().toISOString();
    const header: Header = {
      firn: "backup",
      version: VERSION,
      takenAt,
      format: FORMAT,
    };
    yield `${JSON.stringify(header)}\n`;
    for await (const entry of store.entries.list()) {
      const line = `${stringify([entry.key, entry.value])}\n`;
      hash.update(line);
      entries += 1;
      addVersion(versions, entry);
      yield line;
    }
    yield `${JSON.stringify(seal())}\n`;
  }
  return { lines, seal };
}

/** Hashes the versionstamps as they are now: a store of any size takes no memory. */
async function hashVersions({ store }: BackupDeps): Promise<string> {
  const versions = sha256();
  for await (const entry of store.entries.list()) addVersion(versions, entry);
  return versions.hex();
}

function addVersion(
  versions: Hash,
  { key, versionstamp, isIndependent }: {
    readonly key: Deno.KvKey;
    readonly versionstamp: string;
    readonly isIndependent: boolean;
  },
): void {
  if (!isIndependent) versions.update(`${stringify(key)} ${versionstamp}\n`);
}

/** Reads a whole backup. Throws if it is invalid or incomplete. */
async function checkCopy(
  lines: AsyncIterable<string>,
): Promise<{ seal: Seal } & Pick<Header, "takenAt" | "format">> {
  const hash = sha256();
  let entries = 0;
  let seal: Seal | undefined;
  let header: Pick<Header, "takenAt" | "format"> = { takenAt: "", format: 1 };
  for await (const { line, kind } of readCopy(lines)) {
    if (kind === "header") header = readHeader(line);
    else if (kind === "seal") seal = Seal.safeParse(parseJson(line)).data;
    else {
      hash.update(`${line}\n`);
      entries += 1;
    }
  }
  if (seal?.entries !== entries || seal.sha256 !== hash.hex()) {
    throw refusal("Invalid backup: it is incomplete");
  }
  return { seal, takenAt: header.takenAt, format: header.format };
}

/** A line of a backup. */
interface Line {
  readonly line: string;
  readonly kind: "header" | "entry" | "seal";
}

/** Yields all lines. The first one is the header, the last one the seal. */
async function* readCopy(lines: AsyncIterable<string>): AsyncGenerator<Line> {
  let held: Line | undefined;
  for await (const line of lines) {
    if (held !== undefined) yield held;
    held = { line, kind: held === undefined ? "header" : "entry" };
  }
  if (held !== undefined) {
    yield held.kind === "header" ? held : { ...held, kind: "seal" };
  }
}

function readHeader(line: string): Header {
  const header = Header.safeParse(parseJson(line)).data;
  if (header !== undefined) return header;
  throw refusal(
    `Invalid backup: expected a file of "operator export", version ${VERSION}`,
  );
}

/** The fault of an export or import that cannot be done; nothing is changed. */
function refusal(message: string): Fault {
  return new Fault(message, { kind: "badInput" });
}

/** Only the user who made the backup may read it: it holds profiles, payments and hashes of keys. */
const PRIVATE = 0o600;

/**
 * Exports the store to a file. The file gets its name when it is complete; an
 * incomplete file is removed. If two exports write to one file, the one that started
 * first fails.
 */
export async function exportToFile(
  deps: BackupDeps,
  path: string,
): Promise<Seal> {
  const part = partOf(path);
  let written: number | null | undefined;
  const isOurs = async () => await fileId(part) === written;
  try {
    const seal = await exportStore(deps, async (lines) => {
      await removeFile(part);
      // Made anew, so that neither an old file's mode nor a link survives.
      const options = { write: true, createNew: true, mode: PRIVATE };
      using file = await Deno.open(part, options);
      written = (await file.stat()).ino;
      await writeInBlocks(file, lines);
    });
    if (!await isOurs()) throw new Error(`another export writes ${path}`);
    await Deno.rename(part, path);
    return seal;
  } catch (error) {
    // On a full disk it would take the room that the service needs.
    if (await isOurs()) await removeFile(part);
    throw error;
  }
}

/** Returns the name of a file until its export is complete. */
function partOf(path: string): string {
  return `${path}.part`;
}

/** Characters that are written at once: a stream of single lines leaves several objects a line. */
const BLOCK_CHARS = 64 * 1024;

/** Writes lines to a file, and waits until the disk has them. */
async function writeInBlocks(
  file: Deno.FsFile,
  lines: AsyncIterable<string>,
): Promise<void> {
  const encoder = new TextEncoder();
  let block = "";
  async function write(): Promise<void> {
    let left = encoder.encode(block);
    block = "";
    while (left.length > 0) left = left.subarray(await file.write(left));
  }
  for await (const line of lines) {
    block += line;
    if (block.length >= BLOCK_CHARS) await write();
  }
  await write();
  await file.sync();
}

/** Returns what identifies a file while it exists: null where the system has no such number, undefined without a file. */
async function fileId(path: string): Promise<number | null | undefined> {
  try {
    return (await Deno.lstat(path)).ino;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Imports a file of `exportToFile` into an empty store. */
function importFromFile(
  deps: BackupDeps,
  path: string,
  options: { readonly isCurrent: boolean },
): Promise<Imported> {
  const open = () => createInterface({ input: createReadStream(path) });
  return importStore(deps, open, options);
}

async function removeFile(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The option for a backup that is not older than the last change. */
const KEEP_KEYS = "--keep-keys";

/** Exports the store to a file. */
export const exportBackup: Command<PlatformDeps> = {
  name: "export",
  usage: "export <file.ndjson>",
  description: "copies the whole store into a file, while the service runs",
  readsSnapshot: true,
  takesPartialStore: true,
  async run(deps, [file]) {
    if (file === undefined) return refuseFile(file);
    using _ = removedOnSignal(() => partOf(file));
    const { entries, sha256 } = await exportToFile(deps, file);
    print(`${entries} entries, SHA-256 ${sha256}`);
    return 0;
  },
  record: (kv, startedAt) => entryStore(kv, {}).putExport(startedAt),
};

/** Imports a backup into an empty store. */
export const importBackup: Command<PlatformDeps> = {
  name: "import",
  usage: "import <file.ndjson> [--keep-keys]",
  mayDryRun: true,
  description:
    "imports a file of export into an empty store; if interrupted, run it again.\n" +
    "      API keys then wait until their owners sign in, since the file does not\n" +
    "      show which were revoked after it. --keep-keys: nothing has changed since\n" +
    "      the export, so keys, quotes and the payment scan continue unchanged",
  takesPartialStore: true,
  async run(deps, args) {
    const isCurrent = args.includes(KEEP_KEYS);
    const { positional: [file] } = readOptions(
      args.filter((arg) => arg !== KEEP_KEYS),
    );
    if (file === undefined || !await isFile(file)) return refuseFile(file);
    const imported = await importFromFile(deps, file, { isCurrent });
    const { entries, sha256, changes } = imported;
    for (const [says, count] of changes) print(`${count} ${says}`);
    print(`${entries} entries, SHA-256 ${sha256}`);
    return 0;
  },
};

/** Gives the store an id, without which the service does not start on Deno Deploy. */
export const initStore: Command<PlatformDeps> = {
  name: "store init",
  usage: "store init",
  description:
    "gives the database an id, so that the service starts on it on Deno Deploy;\n" +
    "      run it from outside, with the connect URL in KV_PATH",
  async run({ store }) {
    print(`store ${await store.identity.init()}`);
    return 0;
  },
};

type BrokenRule = Awaited<
  ReturnType<PlatformDeps["store"]["invariants"]["check"]>
>["broken"][number];

/** Checks every record against the store rules. */
export const checkStore: Command<PlatformDeps> = {
  name: "check-store",
  usage: "check-store",
  description:
    "checks every record against the rules of the store, for example after a crash;\n" +
    "      names each record that breaks a rule, and changes nothing",
  readsSnapshot: true,
  takesPartialStore: true,
  async run({ now, store }) {
    const { records, brokenCount, broken } = await store.invariants.check(
      now().getTime(),
    );
    for (const one of broken) print(showBroken(one));
    if (brokenCount > broken.length) {
      print(`and ${brokenCount - broken.length} more`);
    }
    print(`${records} records, ${brokenCount} rules broken`);
    return brokenCount > 0 ? 1 : 0;
  },
};

function showBroken({ key, rule, invariant, error }: BrokenRule): string {
  const why = error === null ? "" : `; the check failed: ${error}`;
  return `${rule} ${JSON.stringify(key)} breaks the rule "${invariant}"${why}`;
}
