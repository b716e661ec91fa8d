/** The waiting list: addresses to be scored by a job. */
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";

/** Maximum length of the list. */
export const MAX_WAITING = 500;

/** The waiting list in a store. */
export function waitingScoreStore(kv: Deno.Kv) {
  const key = keys.waitingScores();
  return {
    /** Lists the addresses, longest wait first. */
    async list(): Promise<readonly string[]> {
      return (await kv.get<readonly string[]>(key)).value ?? [];
    },

    /** Returns whether an address would be added. */
    async hasRoomFor(address: string): Promise<boolean> {
      return hasRoom(await this.list(), address);
    },

    /** Adds an address; false if it is on the list or the list is full. */
    add(address: string): Promise<boolean> {
      return checkAndSet<readonly string[], boolean>(kv, key, ({ value }) => {
        const waiting = value ?? [];
        if (!hasRoom(waiting, address)) return { value: false };
        const next = [...waiting, address];
        return { value: true, write: (atomic) => atomic.set(key, next) };
      });
    },

    /** Removes an address. */
    remove(address: string): Promise<void> {
      return checkAndSet<readonly string[], void>(kv, key, ({ value }) => {
        const next = (value ?? []).filter((other) => other !== address);
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, next),
        };
      });
    },
  };
}

function hasRoom(waiting: readonly string[], address: string): boolean {
  return waiting.length < MAX_WAITING && !waiting.includes(address);
}
