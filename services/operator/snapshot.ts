/** Opens the live database or a consistent copy of it. */
import * as sqlite from "node:sqlite";
import { type Config, isDatabaseFile } from "../config.ts";
import type { Runtime } from "../deps.ts";
import { openRuntime } from "../runtime.ts";
import { StartError } from "../start_error.ts";

/** A negative step copies all pages at once. */
const ALL_PAGES = -1;

/** An opened runtime, which closes its database on disposal. */
interface OpenedRuntime extends AsyncDisposable {
  readonly runtime: Runtime;
}

/**
 * Opens a consistent copy of a local database file (SQLite's online backup).
 * Other databases are opened themselves. Throws a `StartError` if there is no such
 * file: SQLite would make an empty one, whose export would replace a backup.
 */
export async function openSnapshot(config: Config): Promise<OpenedRuntime> {
  const { kvPath } = config;
  if (!isDatabaseFile(kvPath)) return opened(await openRuntime(config));
  await requireDatabase(kvPath);
  const folder = await Deno.makeTempDir({ prefix: "firn_snapshot_" });
  const remove = () => Deno.remove(folder, { recursive: true });
  try {
    const copy = `${folder}/snapshot.sqlite3`;
    await copyDatabase(kvPath, copy);
    const { runtime, ...rest } = opened(
      await openRuntime({ ...config, kvPath: copy }),
    );
    return {
      runtime,
      async [Symbol.asyncDispose]() {
        await rest[Symbol.asyncDispose]();
        await remove();
      },
    };
  } catch (error) {
    // The disk may be full, and an incomplete copy would keep it so.
    await remove();
    throw error;
  }
}

/** Opens the live database. */
export async function openLive(config: Config): Promise<OpenedRuntime> {
  return opened(await openRuntime(config));
}

function opened(runtime: Runtime): OpenedRuntime {
  return {
    runtime,
    [Symbol.asyncDispose]() {
      runtime.kv.close();
      return Promise.resolve();
    },
  };
}

/** Available since Node 23.8; the bundled types are older. */
const { backup } = sqlite as unknown as {
  backup(
    source: sqlite.DatabaseSync,
    path: string,
    options: { rate: number },
  ): Promise<number>;
};

/** Throws unless there is a file with content, as every database has from the start. */
async function requireDatabase(path: string): Promise<void> {
  const isDatabase = await Deno.stat(path)
    .then(({ isFile, size }) => isFile && size > 0, () => false);
  if (isDatabase) return;
  throw new StartError(
    "cannot copy the database of KV_PATH: expected a database file that exists",
  );
}

async function copyDatabase(path: string, into: string): Promise<void> {
  const database = new sqlite.DatabaseSync(path);
  try {
    await backup(database, into, { rate: ALL_PAGES });
  } finally {
    database.close();
  }
}
