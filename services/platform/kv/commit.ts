/** Optimistic concurrency: read, decide, commit, and retry after a conflict. */
import { contended, Fault } from "../fault.ts";
import { isLocked } from "./sqlite_errors.ts";

/** Limits of Deno KV: keys of one `getMany`. */
export const MAX_KEYS_READ = 10;

/** Records that one transaction may check. */
export const MAX_CHECKS = 100;

/**
 * Attempts before a write gives up, about 4 s after the first. While another process
 * commits to the record without a pause, about every tenth attempt succeeds; while
 * four processes do so, fewer succeed.
 */
export const MAX_ATTEMPTS = 300;
const MAX_PAUSE_MS = 50;

/** A decision: the value to return, and the writes that it needs. */
export interface Decision<T> {
  readonly value: T;
  readonly write?: (atomic: Deno.AtomicOperation) => Deno.AtomicOperation;
  /** Called with the version of the written records, unless the database's answer was lost. */
  readonly onCommit?: (versionstamp: string) => void;
}

/** What `checkAndSet` reads before it decides. */
interface Reads {
  /** Keys that are read with the first one, in one round; at most nine. The commit does not check them. */
  readonly also?: readonly Deno.KvKey[];
  /**
   * Entries of the key and of `also` that were read before. The first decision uses
   * them. If that decision needs no write, no commit verifies them, so they are read
   * again.
   */
  readonly known?: readonly Deno.KvEntryMaybe<unknown>[] | undefined;
  /**
   * Whether entries of `known` are guesses: then the keys are read while the first
   * decision is committed, so that a wrong guess takes no longer than reading first.
   */
  readonly isGuess?: boolean;
}

/** Runs `attempt` until it returns a result; null is a conflict. Returns null if every attempt conflicts. */
export async function retryConflicts<T>(
  attempt: () => Promise<{ readonly value: T } | null>,
): Promise<{ readonly value: T } | null> {
  for (let nth = 0; nth < MAX_ATTEMPTS; nth++) {
    const result = await attempt();
    if (result !== null) return result;
    await pauseAfterConflict(nth);
  }
  return null;
}

/**
 * Pauses after the attempt of a number, from 0 on, that conflicted. The random pauses are
 * real time: another process holds the record, whatever the injected clock says.
 */
export async function pauseAfterConflict(nth: number): Promise<void> {
  // Every other attempt follows at once. A writer that always pauses loses to one
  // that never does: a commit of the other falls between its read and its commit.
  if (nth % 2 === 0) return;
  const pauseMs = Math.random() * Math.min(2 ** nth, MAX_PAUSE_MS);
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
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
    also: readonly Deno.KvEntryMaybe<unknown>[],
  ) => Decision<T> | Promise<Decision<T>>,
  { also = [], known, isGuess = false }: Reads = {},
): Promise<T> {
  const readAll = () => readTogether(kv, [key, ...also]);
  let read = known;
  for (let nth = 0; nth < MAX_ATTEMPTS; nth++) {
    const isKnown = nth === 0 && known !== undefined;
    const [first, ...others] = read ?? await readAll();
    read = undefined;
    const entry = first as Deno.KvEntryMaybe<Held>;
    const { value, write, onCommit } = await decide(entry, others);
    if (write !== undefined) {
      const committing = commitOnce(kv, write(kv.atomic().check(entry)));
      const reading = isKnown && isGuess
        ? readAll().catch(() => undefined)
        : undefined;
      const committed = await committing.finally(async () => {
        read = await reading;
      });
      if (committed !== null) {
        if (committed.versionstamp !== null) onCommit?.(committed.versionstamp);
        return value;
      }
    } else if (!isKnown) return value;
    await pauseAfterConflict(nth);
  }
  const message = "Cannot write: too many others write the same record";
  throw contended(message, { cause: key });
}

/** Reads keys in one round and one snapshot. */
async function readTogether(
  kv: Deno.Kv,
  keys: readonly Deno.KvKey[],
): Promise<readonly Deno.KvEntryMaybe<unknown>[]> {
  const [first, ...others] = keys;
  return others.length === 0
    ? [await kv.get(first!)]
    : await kv.getMany<unknown[]>(keys);
}

/** For each transaction, a key that only this transaction writes. */
const receipts = new WeakMap<Deno.AtomicOperation, Deno.KvKey>();

/**
 * Notes a key that only this transaction writes. If the key exists later, the
 * transaction was committed.
 */
export function addReceipt(
  atomic: Deno.AtomicOperation,
  key: Deno.KvKey,
): void {
  receipts.set(atomic, key);
}

/**
 * Commits. Returns the version; null after a conflict, which SQLite may also report as
 * a locked database. If a hosted database loses the response, Deno's client throws, or
 * sends the transaction again, which conflicts with itself: a receipt shows that it was
 * committed, but not its version, which is null then.
 */
export async function commitOnce(
  kv: Deno.Kv,
  atomic: Deno.AtomicOperation,
): Promise<{ readonly versionstamp: string | null } | null> {
  const receipt = receipts.get(atomic);
  const isWritten = async () =>
    receipt !== undefined && (await kv.get(receipt)).versionstamp !== null;
  try {
    const result = await atomic.commit();
    if (result.ok) return result;
  } catch (error) {
    if (!isLocked(error)) {
      if (error instanceof Fault) throw error;
      if (await isWritten().catch(() => false)) return { versionstamp: null };
      throw error;
    }
  }
  return await isWritten() ? { versionstamp: null } : null;
}

/**
 * Reads and deletes a key in one step: one of several callers gets the value, the
 * others get null. A receipt is kept beside the key as long as the options say.
 */
export function takeOnce<Value>(
  kv: Deno.Kv,
  key: Deno.KvKey,
  options: { readonly expireIn: number },
): Promise<Value | null> {
  const receipt = [...key, crypto.randomUUID()];
  return checkAndSet<Value, Value | null>(kv, key, ({ value }) => {
    if (value === null) return { value };
    return {
      value,
      write(atomic) {
        addReceipt(atomic, receipt);
        return atomic.delete(key).set(receipt, true, options);
      },
    };
  });
}
