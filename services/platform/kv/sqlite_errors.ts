/** What the embedded database says where it cannot write: the one place that knows its words. */
import { Fault } from "../fault.ts";

const LOCKED = "database is locked";
const FULL = "database or disk is full";

/** Wait that a caller is told where the disk is full: somebody has to make room. */
const FULL_MS = 60_000;

/** Returns whether another connection to the file was faster: nothing has been written then. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message === LOCKED;
}

/** Returns the fault of a full disk, where nothing has been written either; any other error as it is. */
export function withFullAsFault(error: unknown): unknown {
  if (!(error instanceof Error && error.message === FULL)) return error;
  return new Fault(
    "Cannot write: there is no room left here, and nothing was written",
    { kind: "storeFull", retryAfterMs: FULL_MS },
    { cause: error },
  );
}
