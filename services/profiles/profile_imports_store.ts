/** Store of the progress of profile imports. */
import {
  ANY,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** Progress of a profile import, by the hash of the file. */
  profileImport: (sha256: string) => ["profile_imports", sha256],
};

/** A rejected line. */
interface RefusedLine {
  readonly line: number;
  readonly reason: string;
}

/** Progress of an import, and its rejected lines. */
interface ImportState {
  /** Number of processed lines. */
  readonly lines: number;
  readonly refusedCount: number;
  /** The first rejected lines. */
  readonly refused: readonly RefusedLine[];
}

/** Store of imports in progress. */
export function profileImportStore(kv: Deno.Kv) {
  return {
    /** Finds the progress of a file by its hash; null if no import is in progress. */
    async find(sha256: string): Promise<ImportState | null> {
      return (await kv.get<ImportState>(keys.profileImport(sha256))).value;
    },

    /** Stores the progress of a file. */
    async put(sha256: string, state: ImportState): Promise<void> {
      await kv.set(keys.profileImport(sha256), state);
    },

    /** Removes the progress of a finished file. */
    async end(sha256: string): Promise<void> {
      await kv.delete(keys.profileImport(sha256));
    },
  };
}

const profileImport: Rule<ImportState> = {
  name: "profile-import",
  of: keys.profileImport(ANY),
  invariant: "an import rejected no more lines than it has processed",
  holds: ({ value: { lines, refusedCount, refused } }) =>
    refusedCount <= lines && refused.length <= refusedCount,
};

/** The collections and the rules. */
export const PROFILE_IMPORT_RECORDS: StoredRecords = {
  collections: { profile_imports: {} },
  rules: [profileImport],
};
