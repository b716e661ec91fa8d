/**
 * Finds out the outcome of a commit whose response was lost by a hosted database.
 * Deno's client then throws, or sends the commit again, which its own checks refuse.
 */
import { Fault } from "../fault.ts";
import { MAX_KEYS_READ } from "./commit.ts";
import { isLocked } from "./sqlite_errors.ts";

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
