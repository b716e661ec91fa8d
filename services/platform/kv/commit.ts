/**
 * Optimistic concurrency: read, decide, commit, and retry after a conflict. If a hosted
 * database loses the response of a commit, Deno's client throws, or sends the commit
 * again, which its own checks refuse: receipts and marks show whether it was made.
 */
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

/** What shows later whether a commit was made: its mark in a record, and the marks before it. */
export interface CommitTrace {
  readonly mark: number;
  readonly before: readonly number[];
}

/** A change may or may not have been written: the response of its commit was lost, and the stored records do not show the outcome. */
export class CommitOutcomeUnknown extends Error {
  /** Creates the error from the error of the commit; `trace` is null if the change has none. */
  constructor(cause: unknown, readonly trace: CommitTrace | null = null) {
    super("the answer of a commit was lost", { cause });
    this.name = "CommitOutcomeUnknown";
  }
}

/** What a record stores to show which commits wrote it. */
export interface Marked {
  /** For each writer its last commit, and its commits of unknown outcome; newest last. */
  readonly marks: readonly number[];
}

/** Writers, which are processes, whose marks a record keeps: those that wrote it last. */
const KEPT_WRITERS = 8;

/** Marks that a record keeps. More are of unknown outcomes, until a job has settled them. */
const KEPT_MARKS = 64;

/**
 * A mark is the number of its writer, times this, plus a number of the commit. Writers
 * choose their numbers at random, and two of one number would take each other's marks
 * for their own: so the larger share of the bits is theirs.
 */
const COMMITS = 2 ** 10;
const WRITERS = 2 ** 21;

/** Stands for all processes that settle: no writer has this number. */
const SETTLER = 0;

/** Commits of unknown outcome whose marks a writer keeps in the records that it writes. */
const MAX_UNSETTLED = 500;

const writerOf = (mark: number) => Math.floor(mark / COMMITS);

/** Returns the newest mark of each writer, the writer that wrote last first. */
function newestMarks(marks: readonly number[]): ReadonlyMap<number, number> {
  const newest = new Map<number, number>();
  for (const mark of marks.toReversed()) {
    if (!newest.has(writerOf(mark))) newest.set(writerOf(mark), mark);
  }
  return newest;
}

/** Marks of the commits of one process to one collection. */
export function commitMarks() {
  // A mark is a small integer, which takes a few bytes.
  const writer = WRITERS / 2 + Math.floor(Math.random() * WRITERS / 2);
  const unsettled = new Set<number>();
  let commits = 0;
  return {
    /**
     * Returns the marks of a record, and the mark of a new commit, which replaces that
     * of this writer's last commit. So however often others write the record, the mark
     * shows whether the commit was made.
     */
    withMark(marks: readonly number[]): readonly number[] {
      let mark: number;
      do mark = writer * COMMITS + commits++ % COMMITS; while (
        marks.includes(mark) || unsettled.has(mark)
      );
      const all = [
        ...marks.filter((each) =>
          writerOf(each) !== writer || unsettled.has(each)
        ),
        mark,
      ];
      const writers = [...newestMarks(all).keys()].slice(0, KEPT_WRITERS);
      return all.filter((each) => writers.includes(writerOf(each)))
        .slice(-KEPT_MARKS);
    },

    /** Keeps the mark of a commit of unknown outcome in its record. */
    keep(mark: number): void {
      unsettled.add(mark);
      for (const oldest of unsettled) {
        if (unsettled.size <= MAX_UNSETTLED) break;
        unsettled.delete(oldest);
      }
    },
  };
}

/**
 * Returns whether a commit was made, by a record that was read when the commit could no
 * longer be made. Its mark is dropped with its writer, after all writers that wrote last
 * before it; if all of these are gone, or have written since, it counts as made.
 */
export function isCommitted(
  record: Marked | null,
  { mark, before }: CommitTrace,
): boolean {
  const marks = record?.marks ?? [];
  if (marks.includes(mark)) return true;
  const newest = newestMarks(marks);
  return newest.size >= KEPT_WRITERS && !newest.has(writerOf(mark)) &&
    !newest.values().some((each) => before.includes(each));
}

/**
 * Returns the marks of a record after a settlement: without that of the settled commit,
 * unless it is its writer's newest, and with one of the settlement. So a process that
 * finds its own mark in the record sees that it has changed since.
 */
export function settledMarks(
  marks: readonly number[],
  settled: number,
): readonly number[] {
  const newest = newestMarks(marks).get(writerOf(settled));
  const left = marks.filter((each) =>
    writerOf(each) !== SETTLER && (each !== settled || each === newest)
  );
  return [...left, SETTLER * COMMITS + Math.floor(Math.random() * COMMITS)];
}

/** A record that a transaction writes. */
export interface Writing<Stored extends Marked> {
  /** Its version before the transaction. */
  readonly version: Deno.AtomicCheck;
  /** Its new value, whose last mark is unique to the transaction. */
  readonly stored: Stored;
}

/** The outcome of a commit that conflicted or whose response was lost. */
interface Outcome<Stored> {
  readonly isWritten: boolean;
  /** The records, if they were read. */
  readonly found: readonly Deno.KvEntryMaybe<Stored>[];
}

/**
 * Finds out the outcome of a commit, of at least one writing, that conflicted or whose
 * response was lost: reads the records, whose marks show whether it was made. Throws
 * the error of the commit if nothing was written, and a `CommitOutcomeUnknown` if others
 * have written too often since or the records cannot be read.
 */
export async function findOutcome<Stored extends Marked>(
  kv: Deno.Kv,
  writings: readonly Writing<Stored>[],
  failed: { readonly ok: false; readonly error?: unknown },
): Promise<Outcome<Stored>> {
  const { error } = failed;
  if (isLocked(error)) return { isWritten: false, found: [] };
  if (error instanceof Fault) throw error;
  // Not a shared read: that one may have started before the commit.
  const found = await readKeys<Stored>(kv, writings).catch((cause) => {
    throw new CommitOutcomeUnknown(error ?? cause);
  });
  // All records were written, or none.
  const isWritten = found.some(({ value }, nth) =>
    (value?.marks ?? []).includes(writings[nth]!.stored.marks.at(-1)!)
  );
  // A repeated commit conflicts with itself, so one without an error may have been made.
  if (isWritten || error === undefined) return { isWritten, found };
  // A commit that is still in progress looks the same and cannot be detected.
  const isUnchanged = found.some(({ versionstamp }, nth) =>
    versionstamp === writings[nth]!.version.versionstamp
  );
  throw isUnchanged ? error : new CommitOutcomeUnknown(error);
}

async function readKeys<Stored extends Marked>(
  kv: Deno.Kv,
  writings: readonly Writing<Stored>[],
): Promise<Deno.KvEntryMaybe<Stored>[]> {
  const keys = writings.map(({ version: { key } }) => key);
  const calls: Promise<Deno.KvEntryMaybe<Stored>[]>[] = [];
  while (keys.length > 0) {
    calls.push(kv.getMany<Stored[]>(keys.splice(0, MAX_KEYS_READ)));
  }
  return (await Promise.all(calls)).flat();
}
