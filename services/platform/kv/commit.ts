/** Read, decide, commit: again where another process was faster. */
import { Fault } from "../fault.ts";
import { isLocked } from "./sqlite_errors.ts";

/** Attempts after which a key is too contended to go on. */
const MOST_ATTEMPTS = 60;

/** The wait that a caller is told then. */
const CONTENDED_MS = 1_000;

/** What a decision asks for: a value to return, and the writes that make it true. */
export interface Decision<T> {
  readonly value: T;
  readonly write?: (atomic: Deno.AtomicOperation) => Deno.AtomicOperation;
}

/**
 * Reads a key, lets `decide` choose, and commits its writes if the key is
 * unchanged since; decides anew after a conflict. Returns the decision's value.
 * Throws a fault where the key stays contended; its cause names the key.
 */
export async function checkAndSet<Held, T>(
  kv: Deno.Kv,
  key: Deno.KvKey,
  decide: (
    entry: Deno.KvEntryMaybe<Held>,
  ) => Decision<T> | Promise<Decision<T>>,
): Promise<T> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const entry = await kv.get<Held>(key);
    const { value, write } = await decide(entry);
    if (write === undefined) return value;
    if (await commits(write(kv.atomic().check(entry)))) return value;
    const longestMs = Math.min(2 ** attempt, 100);
    await new Promise((resolve) =>
      setTimeout(resolve, Math.random() * longestMs)
    );
  }
  throw new Fault(
    "Cannot write: too many others write the same",
    { kind: "contended", retryAfterMs: CONTENDED_MS },
    { cause: key },
  );
}

/**
 * Commits; false after a conflict. On one sqlite file a lost race also shows as
 * a locked database.
 */
export async function commits(atomic: Deno.AtomicOperation): Promise<boolean> {
  try {
    return (await atomic.commit()).ok;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}
