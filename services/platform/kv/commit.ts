/** Optimistic concurrency: read, decide, commit, and retry after a conflict. */
import { Fault } from "../fault.ts";
import { isLocked } from "./sqlite_errors.ts";

/** Attempts before a write gives up, 2 to 3 s after the first. */
const MAX_ATTEMPTS = 60;
const MAX_PAUSE_MS = 100;

/** Retry-After of a write that gave up. */
const CONTENDED_MS = 1_000;

/** A decision: the value to return, and the writes that it needs. */
export interface Decision<T> {
  readonly value: T;
  readonly write?: (atomic: Deno.AtomicOperation) => Deno.AtomicOperation;
}

/**
 * Runs `attempt` until it returns a result; null is a conflict. Returns null if
 * every attempt conflicts. The random pauses between attempts are real time:
 * another process holds the record, whatever the injected clock says.
 */
export async function retryConflicts<T>(
  attempt: () => Promise<{ readonly value: T } | null>,
): Promise<{ readonly value: T } | null> {
  for (let nth = 0; nth < MAX_ATTEMPTS; nth++) {
    const result = await attempt();
    if (result !== null) return result;
    const pauseMs = Math.random() * Math.min(2 ** nth, MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return null;
}

/**
 * Reads a key, lets `decide` choose, and commits its writes if the key is
 * unchanged. Decides again after a conflict. Returns the decision's value.
 * Throws a `contended` fault, whose cause is the key, if conflicts continue.
 */
export async function checkAndSet<Held, T>(
  kv: Deno.Kv,
  key: Deno.KvKey,
  decide: (
    entry: Deno.KvEntryMaybe<Held>,
  ) => Decision<T> | Promise<Decision<T>>,
): Promise<T> {
  const result = await retryConflicts(async () => {
    const entry = await kv.get<Held>(key);
    const { value, write } = await decide(entry);
    if (write === undefined) return { value };
    return await tryCommit(write(kv.atomic().check(entry))) ? { value } : null;
  });
  if (result !== null) return result.value;
  throw new Fault(
    "Cannot write: too many others write the same",
    { kind: "contended", retryAfterMs: CONTENDED_MS },
    { cause: key },
  );
}

/** Reads and deletes a key in one step: one of several callers gets the value, the others get null. */
export function takeOnce<Value>(
  kv: Deno.Kv,
  key: Deno.KvKey,
): Promise<Value | null> {
  return checkAndSet<Value, Value | null>(
    kv,
    key,
    ({ value }) =>
      value === null
        ? { value: null }
        : { value, write: (atomic) => atomic.delete(key) },
  );
}

/** Commits. Returns false after a conflict, which SQLite may also report as a locked database. */
export async function tryCommit(
  atomic: Deno.AtomicOperation,
): Promise<boolean> {
  try {
    return (await atomic.commit()).ok;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}
