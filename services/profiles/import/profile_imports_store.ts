/** How far files of profiles were put in. */
import * as keys from "../keys.ts";

/** A line that was not put in. */
export interface RefusedLine {
  readonly line: number;
  readonly reason: string;
}

/** How far a file was put in, and what was refused so far. */
export interface ImportState {
  /** Lines that were seen to, the first is 1. */
  readonly lines: number;
  readonly refusedCount: number;
  /** The first of them. */
  readonly refused: readonly RefusedLine[];
}

/** Imports under way in a store. */
export function profileImportStore(kv: Deno.Kv) {
  return {
    /** Finds how far a file was put in, by its hash; null where it was not begun, or is done. */
    async find(sha256: string): Promise<ImportState | null> {
      return (await kv.get<ImportState>(keys.profileImport(sha256))).value;
    },

    /** Says how far a file was put in. */
    async put(sha256: string, state: ImportState): Promise<void> {
      await kv.set(keys.profileImport(sha256), state);
    },

    /** Says that all of a file was put in. */
    async end(sha256: string): Promise<void> {
      await kv.delete(keys.profileImport(sha256));
    },
  };
}
