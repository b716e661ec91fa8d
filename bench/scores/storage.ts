/** Storage of both sides of a comparison, with equal durability. */

/** A storage and the matching options of Redis. */
export interface Storage {
  readonly name: string;
  /** The parent folder of the files; null for the default temporary folder. */
  readonly folder: string | null;
  readonly redis: readonly string[];
}

/** The file system in memory on Linux. */
const MEMORY = "/dev/shm";

/**
 * The service answers after its database has flushed the counts to disk (`fsync`).
 * On disk, Redis does the same. Where Redis writes nothing, our database is in
 * memory, too.
 */
export const STORAGES: readonly Storage[] = [
  {
    name: "on disk",
    folder: null,
    redis: ["--save", "", "--appendonly", "yes", "--appendfsync", "always"],
  },
  {
    name: "in memory",
    folder: MEMORY,
    redis: ["--save", "", "--appendonly", "no"],
  },
].filter(({ folder }) => folder === null || isThere(folder));

/** Creates a folder for a run. The caller deletes it. */
export function makeFolder(
  { folder }: Pick<Storage, "folder">,
): Promise<string> {
  const prefix = "firn_bench_";
  return Deno.makeTempDir(
    folder === null ? { prefix } : { dir: folder, prefix },
  );
}

function isThere(folder: string): boolean {
  try {
    return Deno.statSync(folder).isDirectory;
  } catch {
    return false;
  }
}
