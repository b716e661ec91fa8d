/** The waiting list: addresses to be scored by a job. */
import { checkAndSet } from "../platform/kv/commit.ts";
import {
  areDistinct,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";

/** The key of the waiting list of addresses to be scored. */
const KEY = ["waiting_scores"];

/** Maximum length of the list. */
export const MAX_WAITING = 500;

/** The waiting list in a store. */
export function waitingScoreStore(kv: Deno.Kv) {
  return {
    /** Lists the addresses, longest wait first. */
    async list(): Promise<readonly string[]> {
      return (await kv.get<readonly string[]>(KEY)).value ?? [];
    },

    /** Returns whether an address would be added. */
    async hasRoomFor(address: string): Promise<boolean> {
      return hasRoom(await this.list(), address);
    },

    /** Adds an address; false if it is on the list or the list is full. */
    add(address: string): Promise<boolean> {
      return checkAndSet<readonly string[], boolean>(kv, KEY, ({ value }) => {
        const waiting = value ?? [];
        if (!hasRoom(waiting, address)) return { value: false };
        const next = [...waiting, address];
        return { value: true, write: (atomic) => atomic.set(KEY, next) };
      });
    },

    /** Removes an address. */
    remove(address: string): Promise<void> {
      return checkAndSet<readonly string[], void>(kv, KEY, ({ value }) => {
        const next = (value ?? []).filter((other) => other !== address);
        return {
          value: undefined,
          write: (atomic) => atomic.set(KEY, next),
        };
      });
    },
  };
}

function hasRoom(waiting: readonly string[], address: string): boolean {
  return waiting.length < MAX_WAITING && !waiting.includes(address);
}

const waiting: Rule<readonly string[]> = {
  name: "waiting-scores",
  of: KEY,
  invariant: `at most ${MAX_WAITING} addresses wait to be scored, each once`,
  holds: ({ value }) => value.length <= MAX_WAITING && areDistinct(value),
};

/** The collections and the rules. */
export const WAITING_RECORDS: StoredRecords = {
  collections: { waiting_scores: {} },
  rules: [waiting],
};
