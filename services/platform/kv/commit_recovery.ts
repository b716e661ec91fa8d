/**
 * Finds out the outcome of a commit whose response was lost by a hosted database.
 * Deno's client then throws, or sends the commit again, which its own checks refuse.
 */
import { Fault } from "../fault.ts";
import { CommitOutcomeUnknown } from "./commit_outcome_unknown.ts";
import { MAX_KEYS_READ } from "./limits.ts";
import { isLocked } from "./sqlite_errors.ts";

/** What a record stores to show which commits wrote it. */
export interface Marked {
  /** A number of each of the last commits, newest last. */
  readonly marks: readonly number[];
}

/** Marks that a record keeps: other processes may write it before a lost response is noticed. */
const KEPT_MARKS = 3;

/** Returns the marks of a record, and the mark of a new commit. */
export function withMark(marks: readonly number[]): readonly number[] {
  // A small integer, which takes a few bytes.
  const mark = Math.floor(Math.random() * 2 ** 30);
  return [...marks, mark].slice(-KEPT_MARKS);
}

/** A record that a transaction writes. */
export interface Writing<Stored extends Marked> {
  /** Its version before the transaction. */
  readonly version: Deno.AtomicCheck;
  /** Its new value, whose last mark is unique to the transaction. */
  readonly stored: Stored;
}

/** The outcome of a commit. */
type Committed<Stored> =
  | { readonly versionstamp: string }
  /** A conflict, or a commit whose records others have written since. */
  | {
    readonly versionstamp: null;
    readonly isWritten: boolean;
    /** The records, if they were read. */
    readonly found: readonly Deno.KvEntryMaybe<Stored>[];
  };

/**
 * Commits, at least one writing. If the commit conflicts or its response is lost,
 * reads the records, whose marks show whether it was made. Throws the original error
 * if nothing was written, and a `CommitOutcomeUnknown` if others have written too
 * often since or the records cannot be read.
 */
export async function commitWithRecovery<Stored extends Marked>(
  kv: Deno.Kv,
  atomic: Deno.AtomicOperation,
  writings: readonly Writing<Stored>[],
): Promise<Committed<Stored>> {
  // Not a shared read: that one may have started before the commit.
  const readAll = () => readKeys<Stored>(kv, writings);
  try {
    const result = await atomic.commit();
    if (result.ok) return result;
  } catch (error) {
    if (isLocked(error)) {
      return { versionstamp: null, isWritten: false, found: [] };
    }
    if (error instanceof Fault) throw error;
    const found = await readAll().catch(() => []);
    const written = findWritten(writings, found);
    if (written !== null) return written;
    // A commit that is still in progress looks the same and cannot be detected.
    const isUnchanged = found.some(({ versionstamp }, nth) =>
      versionstamp === writings[nth]!.version.versionstamp
    );
    throw isUnchanged ? error : new CommitOutcomeUnknown(error);
  }
  // A repeated commit conflicts with itself, so it may have been made.
  const found = await readAll().catch((error) => {
    throw new CommitOutcomeUnknown(error);
  });
  return findWritten(writings, found) ??
    { versionstamp: null, isWritten: false, found };
}

/** Returns the outcome of a commit that was made; null if no record has its mark. */
function findWritten<Stored extends Marked>(
  writings: readonly Writing<Stored>[],
  found: readonly Deno.KvEntryMaybe<Stored>[],
): Committed<Stored> | null {
  let isWritten = false;
  // All records were written, or none: the first clear one decides.
  for (const [nth, { value, versionstamp }] of found.entries()) {
    const marks = value?.marks ?? [];
    const own = writings[nth]!.stored.marks.at(-1)!;
    if (!marks.includes(own)) continue;
    // Its version is that of the transaction, unless others have written it since.
    if (marks.at(-1) === own && versionstamp !== null) return { versionstamp };
    isWritten = true;
  }
  return isWritten ? { versionstamp: null, isWritten, found } : null;
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
