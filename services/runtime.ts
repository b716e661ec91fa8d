/** The real clock, timers, log output, database and network, and whether the store is whole. */
import * as fs from "node:fs/promises";
import {
  type Config,
  isDatabaseFile,
  isHostedDatabase,
  secretsOf,
} from "./config.ts";
import type { Level } from "./platform/observability/log_events_schema.ts";
import type { Runtime } from "./deps.ts";
import type { DiskSpace, PlatformDeps } from "./platform/open/deps.ts";
import { openTelemetry } from "./platform/open/open_telemetry.ts";
import { redactor } from "./platform/observability/redact.ts";
import { SETTING_NAMES } from "./settings.ts";
import { NoStore, StartError } from "./start_error.ts";
import { openDatabase, pooledKv } from "./platform/kv/database.ts";
import {
  findStoreId,
  healthProbes,
  NewerStore,
  prepareStore,
} from "./platform/kv/store_format.ts";
import { whyClosed } from "./platform/kv/sqlite_errors.ts";

/** Opens the database and returns the runtime of a process. */
export async function openRuntime(config: Config): Promise<Runtime> {
  return {
    kv: await openStore(config),
    fetch,
    now: clock(config),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    write: (line, level) => WRITERS[level](line),
    telemetry: await openTelemetry(redactor(secretsOf(config))),
    readDisk: () => readDisk(config),
  };
}

/** Reads the size of a database file, and what its disk has left. Null if there is no file, and in Deno 2.5, which has no `statfs` to import by name. */
async function readDisk(
  { kvPath }: Pick<Config, "kvPath">,
): Promise<DiskSpace | null> {
  if (!isDatabaseFile(kvPath) || fs.statfs === undefined) return null;
  const [{ size }, { bavail, bsize }] = await Promise.all([
    Deno.stat(kvPath),
    fs.statfs(kvPath),
  ]);
  return { used: size, free: bavail * bsize };
}

/** Opens the database. The runtime's own errors name its path, so they become the cause. */
async function openStore(
  { kvPath, requiresStoreId }: Config,
): Promise<Deno.Kv> {
  try {
    const open = () => openDatabase(kvPath);
    const kv = await (isHostedDatabase(kvPath) ? pooledKv(open) : open());
    try {
      if (requiresStoreId && await findStoreId(kv) === null) {
        throw new NoStore();
      }
      await prepareStore(kv);
      // A file that may not be written opens, and would refuse every keyed request.
      if (isDatabaseFile(kvPath)) await refuseReadOnly(kv);
    } catch (error) {
      kv.close();
      throw error;
    }
    return kv;
  } catch (cause) {
    if (cause instanceof NoStore) throw cause;
    if (cause instanceof NewerStore) {
      throw new StartError(
        `${cause.message}; run the version that wrote it, or a newer one`,
        { cause },
      );
    }
    const reason = isDatabaseFile(kvPath)
      ? await whyClosed(cause, kvPath) ??
        "expected a database file in a folder that exists and can be written"
      : "expected a database server that answers and accepts DENO_KV_ACCESS_TOKEN, with endpoints on its host or on those of KV_ENDPOINT_URLS";
    throw new StartError(
      `cannot open the database of KV_PATH: ${reason}`,
      { cause },
    );
  }
}

/** Says where the database is. `mode` has the octal permissions of its file, which follow from the umask. */
export function describeStore(
  { kvPath, hasHostedDatabase }: Pick<Config, "kvPath" | "hasHostedDatabase">,
): { readonly store: string; readonly mode?: string } {
  if (isDatabaseFile(kvPath)) {
    const { mode } = Deno.statSync(kvPath);
    return {
      store: kvPath,
      ...mode !== null && { mode: (mode & 0o777).toString(8) },
    };
  }
  return {
    store: isHostedDatabase(kvPath)
      ? new URL(kvPath).host
      : kvPath ?? (hasHostedDatabase
        ? "the database of Deno Deploy"
        : "the database of Deno for this folder"),
  };
}

/** Throws if a database is read-only. A full one still answers reads. */
async function refuseReadOnly(kv: Deno.Kv): Promise<void> {
  await healthProbes(kv).pingWrite().catch((error) => {
    if (/read-only/.test(String(error))) throw error;
  });
}

/** Deno exports a log line with the severity of the console method. */
const WRITERS: Record<Level, (line: string) => void> = {
  // deno-lint-ignore no-console
  error: (line) => console.error(line),
  // deno-lint-ignore no-console
  warn: (line) => console.warn(line),
  // deno-lint-ignore no-console
  info: (line) => console.info(line),
};

/** Reads the environment variables that are settings. */
export function readEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(
    SETTING_NAMES.map((name) => [name, Deno.env.get(name)]),
  );
}

/** Returns the real clock, or one that starts at the configured instant. */
function clock({ startsAt }: Config): () => Date {
  if (startsAt === null) return () => new Date();
  const offset = startsAt - Date.now();
  return () => new Date(Date.now() + offset);
}

/**
 * Returns the dependencies if the store is whole. While an import is unfinished, a
 * ledger may be there without its plan: a payment would overwrite an entry, and the
 * rest of the import would overwrite the payment.
 */
export async function requireWholeStore<
  Deps extends Pick<PlatformDeps, "store">,
>(deps: Deps): Promise<Deps> {
  if (await deps.store.entries.findImport() === null) return deps;
  throw new StartError(
    "the import of a backup is unfinished; run operator import again with the same file",
  );
}
