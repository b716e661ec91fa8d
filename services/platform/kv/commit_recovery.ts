/** Commits whose answer may get lost on its way, as that of a hosted database. */
import { Fault } from "../fault.ts";
import { CommitOutcomeUnknown } from "./commit_outcome_unknown.ts";
import { isLocked } from "./sqlite_errors.ts";

/** A record that a transaction writes. */
export interface Writing<Stored> {
  /** What it was. */
  readonly version: Deno.AtomicCheck;
  /** What it becomes. */
  readonly stored: Stored;
}

/**
 * Commits, and returns the new versionstamp; null where somebody else was faster.
 * Where no answer comes, the records tell what became of it by their mark, which
 * no other commit has given. Throws the error of a commit that was not written,
 * and an `CommitOutcomeUnknown` where others have written since or nothing can be read.
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
    // Not read together with others: such a read may have begun before the commit.
    const entries = await Promise.all(
      writings.map(({ version: { key } }) => kv.get<Stored>(key)),
    ).catch(() => []);
    // All were written, or none was: the first that tells is enough.
    for (const [nth, entry] of entries.entries()) {
      const { version, stored } = writings[nth]!;
      // One that is still on its way looks the same; there is no sign of it.
      if (entry.versionstamp === version.versionstamp) throw error;
      if (entry.value && markOf(entry.value) === markOf(stored)) {
        return entry.versionstamp;
      }
    }
    throw new CommitOutcomeUnknown(error);
  }
}
