/** A database as it is at one moment. */
import * as sqlite from "node:sqlite";
import { type Config, isDatabaseFile } from "./config.ts";
import type { Runtime } from "./deps.ts";
import { openRuntime } from "./runtime.ts";

/** Pages that one step of a backup copies: negative for all. */
const ALL_PAGES = -1;

/** A platform whose database is to be given back. */
export interface OpenedPlatform extends AsyncDisposable {
  readonly platform: Runtime;
}

/**
 * Opens a copy of the database where it is a file of this machine, made in one
 * step however much it is written to meanwhile (SQLite's online backup); elsewhere
 * the database itself.
 */
export async function openSnapshot(config: Config): Promise<OpenedPlatform> {
  const { kvPath } = config;
  if (!isDatabaseFile(kvPath)) return opened(await openRuntime(config));
  const folder = await Deno.makeTempDir({ prefix: "firn_snapshot_" });
  const copy = `${folder}/snapshot.sqlite3`;
  await copyDatabase(kvPath, copy);
  const { platform, ...rest } = opened(
    await openRuntime({ ...config, kvPath: copy }),
  );
  return {
    platform,
    async [Symbol.asyncDispose]() {
      await rest[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Opens the database itself. */
export async function openLive(config: Config): Promise<OpenedPlatform> {
  return opened(await openRuntime(config));
}

function opened(platform: Runtime): OpenedPlatform {
  return {
    platform,
    [Symbol.asyncDispose]() {
      platform.kv.close();
      return Promise.resolve();
    },
  };
}

/** Since Node 23.8; the types that packages bring along are older. */
const { backup } = sqlite as unknown as {
  backup(
    source: sqlite.DatabaseSync,
    path: string,
    options: { rate: number },
  ): Promise<number>;
};

async function copyDatabase(path: string, into: string): Promise<void> {
  const database = new sqlite.DatabaseSync(path);
  try {
    await backup(database, into, { rate: ALL_PAGES });
  } finally {
    database.close();
  }
}
