/** Where either side of a comparison keeps its counts: what one survives, the other does too. */

/** A place, and what Redis is told of it. */
export interface Storage {
  readonly name: string;
  /** Where files are; the machine's own place for temporary ones where null. */
  readonly folder: string | null;
  readonly redis: readonly string[];
}

/** A file system that ends with the machine; of Linux alone. */
const MEMORY = "/dev/shm";

/**
 * The service answers once its database has told the disk to keep what was
 * counted (`fsync`). On a disk Redis does the same; where it writes nothing at
 * all, our database is in memory, too.
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

/** Makes a folder for a run; whoever asks deletes it. */
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
