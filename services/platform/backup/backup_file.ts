/** Backups as files. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { exportStore, importStore, type Seal } from "./backup.ts";
import type { PlatformDeps } from "../deps.ts";

type BackupDeps = Pick<PlatformDeps, "now" | "store">;

/** Copies the store into a file, which has its name when it is whole and not before. */
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

/** Puts a file of `exportToFile` into an empty store. */
export function importFromFile(
  deps: BackupDeps,
  path: string,
): Promise<Seal> {
  return importStore(
    deps,
    () => createInterface({ input: createReadStream(path) }),
  );
}
