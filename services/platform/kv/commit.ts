/** Optimistic concurrency: read, decide, commit, and retry after a conflict. */
import { Fault } from "../fault.ts";
import { isLocked } from "./sqlite_errors.ts";

/**
 * Attempts before a write gives up, about 4 s after the first. A process that
 * commits to a record without a pause leaves another one about every tenth attempt,
 * and four processes do so less often.
 */
const MAX_ATTEMPTS = 300;
const MAX_PAUSE_MS = 50;

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
    // Every other attempt follows at once. A writer that always pauses loses to one
    // that does not: a commit of the other falls between its read and its commit.
    if (nth % 2 === 0) continue;
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
    const atomic = write(kv.atomic().check(entry));
    return await commitOnce(kv, atomic) ? { value } : null;
  });
  if (result !== null) return result.value;
  throw new Fault(
    "Cannot write: too many others write the same",
    { kind: "contended", retryAfterMs: CONTENDED_MS },
    { cause: key },
  );
}

/** A key that each transaction writes and no other one does. */
const receipts = new WeakMap<Deno.AtomicOperation, Deno.KvKey>();

/** Notes that a transaction writes a key that no other one writes, which shows whether it was committed. */
export function addReceipt(
  atomic: Deno.AtomicOperation,
  key: Deno.KvKey,
): void {
  receipts.set(atomic, key);
}

/**
 * Commits. Returns false after a conflict. If a hosted database loses the response,
 * Deno's client throws, or sends the transaction again, which conflicts with itself:
 * a receipt shows that it was committed.
 */
async function commitOnce(
  kv: Deno.Kv,
  atomic: Deno.AtomicOperation,
): Promise<boolean> {
  const receipt = receipts.get(atomic);
  const isWritten = async () =>
    receipt !== undefined && (await kv.get(receipt)).versionstamp !== null;
  try {
    if (await tryCommit(atomic)) return true;
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (await isWritten().catch(() => false)) return true;
    throw error;
  }
  return await isWritten();
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
