/** Finds out the outcome of a commit whose response was lost, for example by a hosted database. */
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

/**
 * Commits. Returns the new versionstamp, or null after a conflict. If the response
 * is lost, reads the records: the mark of each value is unique to its commit.
 * Throws the original error if nothing was written, and a `CommitOutcomeUnknown`
 * if others have written since or the records cannot be read.
 */
export async function commitWithRecovery<Stored>(
  kv: Deno.Kv,
  atomic: Deno.AtomicOperation,
  writings: readonly Writing<Stored>[],
  markOf: (stored: Stored) => unknown,
): Promise<string | null> {
  try {
    const result = await atomic.commit();
    return result.ok ? result.versionstamp : null;
  } catch (error) {
    if (isLocked(error)) return null;
    if (error instanceof Fault) throw error;
    // Not a shared read: that one may have started before the commit.
    const entries = await Promise.all(
      writings.map(({ version: { key } }) => kv.get<Stored>(key)),
    ).catch(() => []);
    // All records were written, or none: the first clear one decides.
    for (const [nth, entry] of entries.entries()) {
      const { version, stored } = writings[nth]!;
      // A commit that is still in progress looks the same and cannot be detected.
      if (entry.versionstamp === version.versionstamp) throw error;
      if (entry.value && markOf(entry.value) === markOf(stored)) {
        return entry.versionstamp;
      }
    }
    throw new CommitOutcomeUnknown(error);
  }
}
