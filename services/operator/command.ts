/** Operator commands, their arguments, and the files that must not outlive them. */
import * as sqlite from "node:sqlite";
import { parseArgs } from "node:util";
import { ADDRESS, hasChecksum } from "../platform/address_schema.ts";
import { dirname } from "node:path";
import { DAY_MS } from "../platform/days.ts";
import { type Config, isDatabaseFile } from "../config.ts";
import type { Runtime } from "../deps.ts";
import { openDatabase } from "../platform/kv/database.ts";
import { openRuntime } from "../runtime.ts";
import { StartError } from "../start_error.ts";

/** A command: its name, usage, description and work. It returns an exit status. */
export interface Command<CommandDeps> {
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  /** Whether it reads a consistent copy of the database and writes nothing. */
  readonly readsSnapshot?: true;
  /** Whether it deletes or grants something, so that it takes `--dry-run`. */
  readonly mayDryRun?: true;
  /** Whether it takes a store whose import is unfinished. */
  readonly takesPartialStore?: true;
  /** Whether it reads the sources that jobs read. */
  readonly readsChains?: true;
  readonly run: (deps: CommandDeps, args: readonly string[]) => Promise<number>;
  /** What a command that read a copy writes into the database itself after it succeeded. `startedAt` is epoch ms. */
  readonly record?: (kv: Deno.Kv, startedAt: number) => Promise<void>;
}

/** Exit status of wrong usage. */
const BAD_USAGE = 2;

/** Parses options with values and positional arguments. Throws on an unknown option. */
export function readOptions<Name extends string>(
  args: readonly string[],
  ...names: readonly Name[]
): { positional: string[] } & Partial<Record<Name, string>> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      names.map((name) => [name, { type: "string" as const }]),
    ),
    allowPositionals: true,
  });
  return { positional: positionals, ...values } as
    & { positional: string[] }
    & Partial<Record<Name, string>>;
}

/** Returns an option that the usage of a command does not have; undefined if there is none. */
export function findUnknownOption(
  { usage, mayDryRun }: Pick<Command<never>, "usage" | "mayDryRun">,
  args: readonly string[],
): string | undefined {
  const known = [...usage.match(/--[a-z-]+/g) ?? []];
  if (mayDryRun) known.push(DRY_RUN);
  return args.find((argument) =>
    argument.startsWith("--") && !known.includes(argument.split("=")[0]!)
  );
}

/** The option of commands that run on a copy of the database. */
export const DRY_RUN = "--dry-run";

/** Returns whether an error is an option that `readOptions` refused. */
export function isBadOption(error: unknown): error is Error {
  return error instanceof Error && "code" in error &&
    String(error.code).startsWith("ERR_PARSE_ARGS");
}

/** Returns whether a text is an address: in one case, or with a valid checksum. */
export function isAddress(text = ""): text is string {
  return ADDRESS.test(text) && hasChecksum(text);
}

/** Refuses a wallet argument; returns the exit status. */
export function refuseWallet(given = ""): number {
  return usageError(
    `Invalid wallet "${given}": expected 0x and 40 hexadecimal digits, in one case or with a valid checksum (EIP-55)`,
  );
}

/** Returns whether a text is the path of a file. */
export function isFile(path: string): Promise<boolean> {
  return Deno.stat(path).then((found) => found.isFile, () => false);
}

/** Refuses a path of a file; returns the exit status. */
export function refuseFile(given: string | undefined): number {
  return usageError(
    given === undefined
      ? "Missing file: expected the path of an NDJSON file"
      : `Invalid file "${given}": expected the path of a file that exists`,
  );
}

/** Refuses an argument beyond those of a command; returns the exit status. */
export function refuseExtra(given: string, usage: string): number {
  return usageError(`Unknown argument "${given}": expected ${usage}`);
}

/** Prints a usage error. Returns the exit status. */
export function usageError(message: string): number {
  print(message);
  return BAD_USAGE;
}

/** Prints a line on the terminal. */
export function print(text: string): void {
  // deno-lint-ignore no-console
  console.log(text);
}

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
  const onSignal = removedOnSignal(() =>
    Deno.makeTempDirSync({ prefix: SNAPSHOT })
  );
  const folder = onSignal.path;
  await removeOldSnapshots(dirname(folder));
  async function remove(): Promise<void> {
    await Deno.remove(folder, { recursive: true });
    onSignal[Symbol.dispose]();
  }
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

/** Prefix of the folders of copies. */
const SNAPSHOT = "firn_snapshot_";

/** Removes the copies of commands that were killed more than a day ago. */
async function removeOldSnapshots(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.startsWith(SNAPSHOT)) continue;
    const path = `${folder}/${name}`;
    // Its command may remove it meanwhile.
    const { mtime } = await Deno.stat(path).catch(() => ({ mtime: null }));
    const isOld = mtime !== null && Date.now() - mtime.getTime() > DAY_MS;
    // Another user's copy is not ours to remove.
    if (isOld) await Deno.remove(path, { recursive: true }).catch(() => {});
  }
}

/**
 * Writes what a command that read a copy records. It prepares no store, because the
 * service may be of an earlier version. Without a record the command has succeeded too.
 */
export async function recordInPlace(
  { kvPath }: Config,
  { record }: Pick<Command<never>, "record">,
  startedAt: number,
): Promise<void> {
  if (record === undefined) return;
  try {
    using kv = await openDatabase(kvPath);
    await record(kv, startedAt);
  } catch (error) {
    print(`The database cannot record that it was exported: ${error}`);
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

/** Signals that end a command, and its exit code after them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

const paths = new Set<string>();

const listeners = Object.entries(SIGNALS).map(([signal, code]) => ({
  signal: signal as keyof typeof SIGNALS,
  onSignal() {
    for (const path of paths) removeIfThere(path);
    Deno.exit(code);
  },
}));

/**
 * Removes a file or a folder, whose path `make` returns, if a signal ends the process
 * before the answer is disposed. No signal comes between making it and this promise.
 */
export function removedOnSignal(
  make: () => string,
): Disposable & { readonly path: string } {
  if (paths.size === 0) {
    for (const { signal, onSignal } of listeners) {
      Deno.addSignalListener(signal, onSignal);
    }
  }
  const path = make();
  paths.add(path);
  return {
    path,
    [Symbol.dispose]() {
      paths.delete(path);
      if (paths.size > 0) return;
      for (const { signal, onSignal } of listeners) {
        Deno.removeSignalListener(signal, onSignal);
      }
    },
  };
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
