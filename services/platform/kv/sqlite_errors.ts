/** The error messages of SQLite on failed writes. */
import { Fault } from "../fault.ts";

const LOCKED = "database is locked";
const FULL = "database or disk is full";

/** Retry-After of a full disk: an operator has to free space. */
const FULL_MS = 60_000;

/** Returns whether another connection held the lock. Nothing was written then. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message === LOCKED;
}

/** Returns the fault of a full disk; any other error unchanged. Nothing was written then. */
export function withFullAsFault(error: unknown): unknown {
  if (!(error instanceof Error && error.message === FULL)) return error;
  return new Fault(
    "Cannot write to the store: it is full",
    { kind: "storeFull", retryAfterMs: FULL_MS },
    { cause: error },
  );
}
