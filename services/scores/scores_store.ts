/** Score history: one record per address. */
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
     * Stores the point of a day, replacing an earlier one of the same day, and the
     * day of the read. Writes nothing if nothing changes.
     */
    put(
      address: string,
      point: ScorePoint,
      { readAt }: { readAt: number | null },
    ): Promise<void> {
      const key = keys.scoreHistory(address);
      return checkAndSet<ScoreHistory, void>(kv, key, ({ value: stored }) => {
        const next = withPoint(stored, point, { readAt });
        if (next === stored) return { value: undefined };
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, next, { expireIn }),
        };
      });
    },

    /** Iterates over all histories. */
    async *list(): AsyncGenerator<ScoreHistory & { address: string }> {
      const prefix = keys.scoreHistories();
      for await (const { key, value } of kv.list<ScoreHistory>({ prefix })) {
        yield { address: key[1] as string, ...value };
      }
    },
  };
}
