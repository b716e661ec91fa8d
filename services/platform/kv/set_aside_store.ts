/** Store of lists of which rows were set aside, because they could not be read. */
import { DAY_MS } from "../days.ts";
import type { StoredRecords } from "./store_rule.ts";

/** Keys. */
const keys = {
  /** The rows of a list that could not be read. */
  setAside: (of: string) => ["set_aside", of],
  /** The rows of all lists that could not be read. */
  allSetAside: () => ["set_aside"],
};

/** How long a record is kept. */
const EXPIRE_MS = 2 * DAY_MS;

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
  return {
    /** Records the rows of a list that was read. */
    async put(setAside: SetAside): Promise<void> {
      await kv.set(keys.setAside(setAside.of), setAside, {
        expireIn: EXPIRE_MS,
      });
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

/** The collections and the rules. */
export const SET_ASIDE_RECORDS: StoredRecords = {
  collections: {
    set_aside: { expireMs: EXPIRE_MS, isLeftOut: true, isUnchecked: true },
  },
  rules: [],
};
