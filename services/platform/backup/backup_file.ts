/** Backup files. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import {
  exportStore,
  type Imported,
  importStore,
  type Seal,
} from "./backup.ts";
import type { PlatformDeps } from "../deps.ts";

type BackupDeps = Pick<PlatformDeps, "now" | "store">;

/** Only the user who made the backup may read it: it holds profiles, payments and hashes of keys. */
const PRIVATE = 0o600;

/** Exports the store to a file. The file gets its name once it is complete; what is incomplete is removed. */
export async function exportToFile(
  deps: BackupDeps,
  path: string,
): Promise<Seal> {
  const part = `${path}.part`;
  try {
    const seal = await writePart(deps, part);
    await Deno.rename(part, path);
    return seal;
  } catch (error) {
    // On a full disk it would take the room that the service needs.
    await removeFile(part);
    throw error;
  }
}

/** Exports the store to a file that may stay incomplete, and waits until the disk has it. */
async function writePart(deps: BackupDeps, part: string): Promise<Seal> {
  const seal = await exportStore(
    deps,
    async (lines) => {
      await removeFile(part);
      // Made anew, so that neither an old file's mode nor a link survives.
      await Deno.writeTextFile(part, lines, { createNew: true, mode: PRIVATE });
    },
  );
  using file = await Deno.open(part, { write: true });
  await file.sync();
  return seal;
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
