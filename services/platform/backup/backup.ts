/** A copy of the whole store as NDJSON: a header, an entry a line, and a seal that proves it whole. */
import { parse, stringify } from "devalue";
import { z } from "zod";
import type { PlatformDeps } from "../deps.ts";
import { sha256 } from "../sha256.ts";

type BackupDeps = Pick<PlatformDeps, "now" | "store">;

/** The form of the copy; another one is refused. */
const VERSION = 1;

/** Times that a store in use is read until two reads agree. */
const MOST_READS = 5;

/** Text of one transaction: the database counts it as 4.5 times as much at worst, and takes 800 kB. */
const CHARS_A_COMMIT = 120_000;
const ENTRIES_A_COMMIT = 500;

/** The first line of a copy. */
const Header = z.object({
  firn: z.literal("backup"),
  version: z.literal(VERSION),
  takenAt: z.iso.datetime(),
});
type Header = z.infer<typeof Header>;

/** The last line of a copy: how many entries stand before it, and the SHA-256 of their lines. */
export const Seal = z.object({ entries: z.int(), sha256: z.string() });
/** The last line of a copy. */
export type Seal = z.infer<typeof Seal>;

/**
 * Collections whose records each stand for themselves: counters, caches, leases.
 * Copied a moment apart they contradict nothing.
 */
const INDEPENDENT: ReadonlySet<string> = new Set([
  "attestation_nonces",
  "budgets",
  "challenges",
  "job_leases",
  "job_runs",
  "ping",
  "score_histories",
  "sessions",
  "signals",
  "usage",
]);

/**
 * Copies every entry of the store, and returns the seal of the copy. What was
 * written together is copied together: a store in use is read and saved again
 * until nothing changed meanwhile. Throws where it never stands still; a snapshot
 * of a database file always does.
 */
export async function exportStore(
  deps: BackupDeps,
  save: (lines: ReadableStream<string>) => Promise<void>,
): Promise<Seal> {
  if (await deps.store.entries.findImport() !== null) {
    throw new Error("Cannot copy the store: a backup is half there");
  }
  for (let read = 1; read <= MOST_READS; read++) {
    const versions = new Map<string, string>();
    const copy = copyEntries(deps, versions);
    await save(ReadableStream.from(copy.lines()));
    if (await isUnchanged(deps, versions)) return copy.seal();
  }
  throw new Error(
    `Cannot copy the store: it changed during each of ${MOST_READS} reads`,
  );
}

/** Puts a copy into an empty store; one that was broken off goes on with the same copy. */
export async function importStore(
  { store }: Pick<PlatformDeps, "store">,
  open: () => AsyncIterable<string>,
): Promise<Seal> {
  const seal = await checkCopy(open());
  const { sha256 } = seal;
  const begun = await store.entries.findImport();
  if (begun === null && !await store.entries.isEmpty()) {
    throw new Error("Cannot put the backup in: the store is not empty");
  }
  if (begun !== null && begun.sha256 !== sha256) {
    throw new Error("Cannot put the backup in: another one is half there");
  }
  await store.entries.startImport({ sha256 });
  let waiting: string[] = [];
  let chars = 0;
  const put = () => {
    const entries = waiting.map((line) => {
      const [key, value] = parse(line) as [Deno.KvKey, unknown];
      return { key, value };
    });
    waiting = [];
    chars = 0;
    return store.entries.put(entries);
  };
  for await (const { line, isEntry } of readCopy(open())) {
    if (!isEntry) continue;
    const isFull = waiting.length === ENTRIES_A_COMMIT ||
      chars + line.length > CHARS_A_COMMIT;
    if (isFull && waiting.length > 0) await put();
    waiting.push(line);
    chars += line.length;
  }
  await put();
  await store.entries.endImport();
  return seal;
}

/** Makes the lines of a copy, and notes which commit wrote each entry that does not stand for itself. */
function copyEntries(
  { now, store }: BackupDeps,
  versions: Map<string, string>,
) {
  const hash = sha256();
  let entries = 0;
  const seal = (): Seal => ({ entries, sha256: hash.hex() });
  async function* lines(): AsyncGenerator<string> {
    const takenAt = now().toISOString();
    const header: Header = { firn: "backup", version: VERSION, takenAt };
    yield `${JSON.stringify(header)}\n`;
    for await (const { key, value, versionstamp } of store.entries.list()) {
      const line = `${stringify([key, value])}\n`;
      hash.update(line);
      entries += 1;
      if (!isIndependent(key)) versions.set(stringify(key), versionstamp);
      yield line;
    }
    yield `${JSON.stringify(seal())}\n`;
  }
  return { lines, seal };
}

async function isUnchanged(
  { store }: BackupDeps,
  versions: ReadonlyMap<string, string>,
): Promise<boolean> {
  let seen = 0;
  for await (const { key, versionstamp } of store.entries.list()) {
    if (isIndependent(key)) continue;
    if (versions.get(stringify(key)) !== versionstamp) return false;
    seen += 1;
  }
  return seen === versions.size;
}

const isIndependent = ([collection]: Deno.KvKey) =>
  INDEPENDENT.has(String(collection));

/** Reads a copy to its end. Throws where it is none, or not whole. */
async function checkCopy(lines: AsyncIterable<string>): Promise<Seal> {
  const hash = sha256();
  let entries = 0;
  let seal: Seal | undefined;
  for await (const { line, isEntry } of readCopy(lines)) {
    if (isEntry) {
      hash.update(`${line}\n`);
      entries += 1;
    } else seal = Seal.safeParse(tryParse(line)).data;
  }
  if (seal?.entries !== entries || seal.sha256 !== hash.hex()) {
    throw new Error("Cannot use the backup: it is not whole");
  }
  return seal;
}

/** Goes through the lines behind the header; the last of them is the seal, not an entry. */
async function* readCopy(
  lines: AsyncIterable<string>,
): AsyncGenerator<{ line: string; isEntry: boolean }> {
  let held: string | undefined;
  let isHeader = true;
  for await (const line of lines) {
    if (isHeader) {
      if (!Header.safeParse(tryParse(line)).success) {
        throw new Error(
          `Cannot use the backup: accepted is a file of "operator export", version ${VERSION}`,
        );
      }
      isHeader = false;
      continue;
    }
    if (held !== undefined) yield { line: held, isEntry: true };
    held = line;
  }
  yield { line: held ?? "", isEntry: false };
}

function tryParse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
