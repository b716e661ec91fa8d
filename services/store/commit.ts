/** Read, decide, commit: again where another process was faster. */

/** Attempts after which a key is too contended to go on. */
const MOST_ATTEMPTS = 60;

/** What a decision asks for: a value to return, and the writes that make it true. */
export interface Decision<T> {
  readonly value: T;
  readonly write?: (atomic: Deno.AtomicOperation) => Deno.AtomicOperation;
}

/**
 * Reads a key, lets `decide` choose, and commits its writes if the key is
 * unchanged since; decides anew after a conflict. Returns the decision's value.
 * Throws where the key stays contended.
 */
export async function checkAndSet<Held, T>(
  kv: Deno.Kv,
  key: Deno.KvKey,
  decide: (entry: Deno.KvEntryMaybe<Held>) => Decision<T>,
): Promise<T> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const entry = await kv.get<Held>(key);
    const { value, write } = decide(entry);
    if (write === undefined) return value;
    if (await commits(write(kv.atomic().check(entry)))) return value;
    const longestMs = Math.min(2 ** attempt, 100);
    await new Promise((resolve) =>
      setTimeout(resolve, Math.random() * longestMs)
    );
  }
  throw new Error(`Cannot write ${key.join("/")}: too many others write it`);
}

/**
 * Commits; false after a conflict. On one sqlite file a lost race also shows as
 * this TypeError, and nothing has been written then.
 */
async function commits(atomic: Deno.AtomicOperation): Promise<boolean> {
  try {
    return (await atomic.commit()).ok;
  } catch (error) {
    if (isLostRace(error)) return false;
    throw error;
  }
}

/** Returns whether an error is a lost race on one sqlite file: nothing has been written then. */
export function isLostRace(error: unknown): boolean {
  return error instanceof TypeError && error.message === "database is locked";
}
