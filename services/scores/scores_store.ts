/** Score history: one record an address, a point a day for 90 days. */
import {
  type ScoreHistory,
  type ScorePoint,
  withPoint,
} from "./score_history.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";
import { type ReadKey, sharedReads } from "../platform/kv/shared_reads.ts";

/** Score history in a store. */
export function scoreStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  const expireIn = keys.COLLECTIONS.score_histories.expireMs;

  return {
    /** Finds the history of an address. */
    async find(address: string): Promise<ScoreHistory | null> {
      return (await read<ScoreHistory>(keys.scoreHistory(address))).value;
    },

    /**
     * Puts the point of a day in place of an earlier one of the same day, and on
     * which day it was read; nothing is written where that is there already.
     */
    put(
      address: string,
      point: ScorePoint,
      { readAt }: { readAt: number | null },
    ): Promise<void> {
      const key = keys.scoreHistory(address);
      return checkAndSet<ScoreHistory, void>(kv, key, ({ value: held }) => {
        const next = withPoint(held, point, { readAt });
        if (next === held) return { value: undefined };
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, next, { expireIn }),
        };
      });
    },

    /** Goes through all histories. */
    async *list(): AsyncGenerator<ScoreHistory & { address: string }> {
      const prefix = keys.scoreHistories();
      for await (const { key, value } of kv.list<ScoreHistory>({ prefix })) {
        yield { address: key[1] as string, ...value };
      }
    },
  };
}
