/**
 * Finds out the outcome of a commit whose response was lost by a hosted database.
 * Deno's client then throws, or sends the commit again, which its own checks refuse.
 */
import { Fault } from "../fault.ts";
import {
  CommitOutcomeUnknown,
  type CommitTrace,
} from "./commit_outcome_unknown.ts";
import { MAX_KEYS_READ } from "./limits.ts";
import { isLocked } from "./sqlite_errors.ts";

/** What a record stores to show which commits wrote it. */
export interface Marked {
  /** The last commit of each writer, and those of unknown outcome; newest last. */
  readonly marks: readonly number[];
}

/** Marks that a record keeps: those of as many writers, which are processes, that wrote it last. */
const KEPT_MARKS = 8;

/** A mark is the number of its writer, times this, plus a number of the commit. */
const COMMITS = 2 ** 16;
const WRITERS = 2 ** 15;

/** Commits of unknown outcome whose marks a writer keeps in the records that it writes. */
const MAX_UNSETTLED = 1_000;

/** Marks of the commits of one process to one collection. */
export function commitMarks() {
  // A mark is a small integer, which takes a few bytes. Those of earlier versions are below 2^30.
  const writer = WRITERS / 2 + Math.floor(Math.random() * WRITERS / 2);
  const unsettled = new Set<number>();
  let commits = 0;
  const isOwn = (mark: number) => Math.floor(mark / COMMITS) === writer;
  return {
    /**
     * Returns the marks of a record, and the mark of a new commit, which replaces that
     * of this writer's last commit. So however often others write the record, the mark
     * shows whether the commit was made.
     */
    withMark(marks: readonly number[]): readonly number[] {
      let mark: number;
      do mark = writer * COMMITS + commits++ % COMMITS; while (
        marks.includes(mark)
      );
      return [
        ...marks.filter((mark) => !isOwn(mark) || unsettled.has(mark)),
        mark,
      ].slice(-KEPT_MARKS);
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
 * longer be made. Its mark is dropped after all marks before it; if all have been
 * dropped, by many writers since, it counts as made.
 */
export function isCommitted(
  record: Marked | null,
  { mark, before }: CommitTrace,
): boolean {
  const marks = record?.marks ?? [];
  return marks.includes(mark) ||
    marks.length >= KEPT_MARKS && !before.some((each) => marks.includes(each));
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
 * Finds out the outcome of a commit, of at least one writing, that conflicted or whose
 * response was lost: reads the records, whose marks show whether it was made. Throws
 * the error of the commit if nothing was written, and a `CommitOutcomeUnknown` if others
 * have written too often since or the records cannot be read.
 */
export async function findOutcome<Stored extends Marked>(
  kv: Deno.Kv,
  writings: readonly Writing<Stored>[],
  failed: { readonly ok: false; readonly error?: unknown },
): Promise<Committed<Stored>> {
  // Not a shared read: that one may have started before the commit.
  const readAll = () => readKeys<Stored>(kv, writings);
  if ("error" in failed) {
    const { error } = failed;
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
