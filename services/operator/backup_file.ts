/** Backup files. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import {
  type BackupDeps,
  exportStore,
  type Imported,
  importStore,
  type Seal,
} from "./backup.ts";

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
      const file = await Deno.open(part, options);
      written = (await file.stat()).ino;
      // Its end closes the file, which writes what the runtime still buffers.
      await lines.pipeThrough(new TextEncoderStream()).pipeTo(file.writable);
    });
    if (!await isOurs()) throw new Error(`another export writes ${path}`);
    await syncFile(part);
    await Deno.rename(part, path);
    return seal;
  } catch (error) {
    // On a full disk it would take the room that the service needs.
    if (await isOurs()) await removeFile(part);
    throw error;
  }
}

/** Returns the name of a file until its export is complete. */
export function partOf(path: string): string {
  return `${path}.part`;
}

/** Waits until the disk has a file. */
async function syncFile(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true });
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
export function importFromFile(
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
