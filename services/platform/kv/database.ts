/** Opens the database. */
import { isLocked } from "./sqlite_errors.ts";

/** Attempts to open, and the longest pause between them. */
const MAX_ATTEMPTS = 20;
const MAX_PAUSE_MS = 100;

/** Opens a database. Retries while it is locked: several processes may create one file at the same time. */
export async function openDatabase(
  path: string | undefined,
  open: typeof Deno.openKv = Deno.openKv,
): Promise<Deno.Kv> {
  for (let attempt = 1;; attempt++) {
    try {
      return await open(path);
    } catch (error) {
      if (!isLocked(error) || attempt === MAX_ATTEMPTS) throw error;
      const pauseMs = Math.random() * MAX_PAUSE_MS;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
