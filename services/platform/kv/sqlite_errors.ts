/** The error messages of databases: SQLite's, and those of Deno's client of hosted ones. */
import { MINUTE_MS } from "../days.ts";
import { Fault } from "../fault.ts";

const LOCKED = "database is locked";

/** Why a database refuses writes, by the message of its error. */
const REFUSALS: Readonly<Record<string, string>> = {
  "database or disk is full": "it is full",
  "Writes are disabled for this database": "it accepts no writes",
  "Can not write to a read-only database.": "it is read-only",
};

/** Retry-After of refused writes: an operator has to act. */
const REFUSED_MS = MINUTE_MS;

/** Returns whether another connection held the lock. Nothing was written then. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message === LOCKED;
}

/** A hosted database that limits its calls answers so; Deno's client does not repeat the call. */
const THROTTLED = /^KV Connect failed to call .*status=429/;

/** Retry-After of a database that is too slow. */
export const STORE_BUSY_MS = 2_000;

/** Returns the fault of a database that does not answer now. */
export function storeBusy(reason: string, cause?: unknown): Fault {
  return new Fault(
    `The database ${reason}; try again in ${STORE_BUSY_MS / 1_000} seconds`,
    { kind: "storeBusy", retryAfterMs: STORE_BUSY_MS },
    { cause },
  );
}

/** Returns the fault of a database that refuses writes, or calls; any other error unchanged. Nothing was written then. */
export function withRefusalAsFault(error: unknown): unknown {
  if (error instanceof Error && THROTTLED.test(error.message)) {
    return storeBusy("has too much to do", error);
  }
  const reason = error instanceof Error ? REFUSALS[error.message] : undefined;
  if (reason === undefined) return error;
  return new Fault(
    `Cannot write to the store: ${reason}`,
    { kind: "storeFull", retryAfterMs: REFUSED_MS },
    { cause: error },
  );
}

/** Why a database file cannot be opened, by the errors of SQLite and of the file system, and what to do. */
const OPENING: readonly (readonly [error: RegExp, reason: string])[] = [
  [
    /file is not a database|malformed/,
    "it is corrupt; restore a backup with deno task operator import",
  ],
  [/database is locked/, "another program has locked it; end that program"],
  [/disk is full|ENOSPC/, "the disk is full; free some space"],
  [
    /read-?only/i,
    "it is read-only; allow writes to the file, its folder and its disk",
  ],
  [
    /^PermissionDenied/,
    "it is forbidden; let the user of the process read and write the file and its folder",
  ],
  [/^NotFound/, "its folder does not exist; create it"],
  [
    /disk I\/O error/,
    "the disk is full or fails; free some space, or check it",
  ],
];

/** Returns why a database file cannot be opened and what to do; null if that is unknown. The reason contains no path. */
export async function whyClosed(
  error: unknown,
  path: string,
): Promise<string | null> {
  const find = (text: string) =>
    OPENING.find(([pattern]) => pattern.test(text))?.[1] ?? null;
  return find(String(error)) ?? find(String(await findFileError(path)));
}

/** Finds out why a file cannot be written, which SQLite does not say. */
async function findFileError(path: string): Promise<unknown> {
  try {
    (await Deno.open(path, { write: true })).close();
    return null;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return error;
  }
  try {
    (await Deno.open(path, { write: true, createNew: true })).close();
    await Deno.remove(path);
    return null;
  } catch (error) {
    return error;
  }
}
