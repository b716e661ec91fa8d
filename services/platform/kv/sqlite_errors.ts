/** The error messages of databases on failed writes: SQLite's, and those of Deno's client of hosted ones. */
import { MINUTE_MS } from "../days.ts";
import { Fault } from "../fault.ts";

const LOCKED = "database is locked";

/** Why a database refuses writes, by the message of its error. */
const REFUSALS: Readonly<Record<string, string>> = {
  "database or disk is full": "it is full",
  "Writes are disabled for this database": "it accepts no writes",
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
