/** Store of lists of which rows were set aside, because they could not be read. */
import * as keys from "./keys.ts";

/** Rows of one list that could not be read. */
interface SetAside {
  /** What the list is of. */
  readonly of: string;
  readonly rows: number;
  /** Why the first of them cannot be read. */
  readonly reason: string;
  /** When it was read, epoch ms. */
  readonly foundAt: number;
}

/** Rows that were set aside, in a store: one record for each list. */
export function setAsideStore(kv: Deno.Kv) {
  const { expireMs: expireIn } = keys.COLLECTIONS.set_aside;
  return {
    /** Records the rows of a list that was read. */
    async put(setAside: SetAside): Promise<void> {
      await kv.set(keys.setAside(setAside.of), setAside, { expireIn });
    },

    /** Forgets the rows of a list that was read whole. */
    async remove(of: string): Promise<void> {
      await kv.delete(keys.setAside(of));
    },

    /** Lists the records of all lists. */
    async list(): Promise<SetAside[]> {
      const entries = kv.list<SetAside>({ prefix: keys.allSetAside() });
      return await Array.fromAsync(entries, ({ value }) => value);
    },
  };
}
