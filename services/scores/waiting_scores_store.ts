/** Addresses that somebody asked for and nobody has scored yet: one short list. */
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";

/** Addresses that wait at a time; who comes later asks again. */
export const MOST_WAITING = 500;

/** The list in a store. */
export function waitingScoreStore(kv: Deno.Kv) {
  const key = keys.waitingScores();
  return {
    /** Lists the addresses, who waits longest first. */
    async list(): Promise<readonly string[]> {
      return (await kv.get<readonly string[]>(key)).value ?? [];
    },

    /** Returns whether an address would be added. */
    async hasRoomFor(address: string): Promise<boolean> {
      return hasRoom(await this.list(), address);
    },

    /** Adds an address; false where it waits already or the list is full. */
    add(address: string): Promise<boolean> {
      return checkAndSet<readonly string[], boolean>(kv, key, ({ value }) => {
        const held = value ?? [];
        if (!hasRoom(held, address)) return { value: false };
        const next = [...held, address];
        return { value: true, write: (atomic) => atomic.set(key, next) };
      });
    },

    /** Takes an address off the list. */
    remove(address: string): Promise<void> {
      return checkAndSet<readonly string[], void>(kv, key, ({ value }) => {
        const next = (value ?? []).filter((held) => held !== address);
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, next),
        };
      });
    },
  };
}

function hasRoom(held: readonly string[], address: string): boolean {
  return held.length < MOST_WAITING && !held.includes(address);
}
