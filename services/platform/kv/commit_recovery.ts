/**
 * Finds out the outcome of a commit whose response was lost by a hosted database.
 * Deno's client then throws, or sends the commit again, which its own checks refuse.
 */
import { Fault } from "../fault.ts";
import { CommitOutcomeUnknown } from "./commit_outcome_unknown.ts";
import { isLocked } from "./sqlite_errors.ts";

/** A record that a transaction writes. */
export interface Writing<Stored> {
  /** Its version before. */
  readonly version: Deno.AtomicCheck;
  /** Its new value. */
  readonly stored: Stored;
}

/** The outcome of a commit: its versionstamp; or, after a conflict, null and the records if they were read. */
export type Committed<Stored> =
  | { readonly versionstamp: string }
  | {
    readonly versionstamp: null;
    readonly found: readonly Deno.KvEntryMaybe<Stored>[];
  };

/**
 * Commits, at least one writing. If the commit conflicts or its response is lost,
 * reads the records: the mark of each value is unique to its commit. Throws the
 * original error if nothing was written, and a `CommitOutcomeUnknown` if others
 * have written since or the records cannot be read.
 */
export async function commitWithRecovery<Stored>(
  kv: Deno.Kv,
  atomic: Deno.AtomicOperation,
  writings: readonly Writing<Stored>[],
  markOf: (stored: Stored) => unknown,
): Promise<Committed<Stored>> {
  // Not a shared read: that one may have started before the commit.
  const readAll = () => readKeys<Stored>(kv, writings);
  const findOwn = (found: readonly Deno.KvEntryMaybe<Stored>[]) =>
    found.find(({ value }, nth) =>
      value !== null && markOf(value) === markOf(writings[nth]!.stored)
    );
  try {
    const result = await atomic.commit();
    if (result.ok) return result;
  } catch (error) {
    if (isLocked(error)) return { versionstamp: null, found: [] };
    if (error instanceof Fault) throw error;
    const found = await readAll().catch(() => []);
    // All records were written, or none: the first clear one decides.
    const own = findOwn(found);
    if (own?.versionstamp) return own;
    // A commit that is still in progress looks the same and cannot be detected.
    const isUnchanged = found.some(({ versionstamp }, nth) =>
      versionstamp === writings[nth]!.version.versionstamp
    );
    throw isUnchanged ? error : new CommitOutcomeUnknown(error);
  }
  const found = await readAll();
  const own = findOwn(found);
  return own?.versionstamp ? own : { versionstamp: null, found };
}

/** Keys of one `getMany`: the limit of Deno KV. */
const KEYS_A_CALL = 10;

async function readKeys<Stored>(
  kv: Deno.Kv,
  writings: readonly Writing<Stored>[],
): Promise<Deno.KvEntryMaybe<Stored>[]> {
  const keys = writings.map(({ version: { key } }) => key);
  const calls: Promise<Deno.KvEntryMaybe<Stored>[]>[] = [];
  while (keys.length > 0) {
    calls.push(kv.getMany<Stored[]>(keys.splice(0, KEYS_A_CALL)));
  }
  return (await Promise.all(calls)).flat();
}
