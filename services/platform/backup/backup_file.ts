/** Backup files. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { exportStore, importStore, type Seal } from "./backup.ts";
import type { PlatformDeps } from "../deps.ts";

type BackupDeps = Pick<PlatformDeps, "now" | "store">;

/** Exports the store to a file. The file gets its name once it is complete. */
export async function exportToFile(
  deps: BackupDeps,
  path: string,
): Promise<Seal> {
  const part = `${path}.part`;
  const seal = await exportStore(
    deps,
    (lines) => Deno.writeTextFile(part, lines),
  );
  {
    using file = await Deno.open(part, { write: true });
    await file.sync();
  }
  await Deno.rename(part, path);
  return seal;
}

/** Imports a file of `exportToFile` into an empty store. */
export function importFromFile(
  deps: BackupDeps,
  path: string,
): Promise<Seal> {
  return importStore(
    deps,
    () => createInterface({ input: createReadStream(path) }),
  );
}
