/** Score history: one record an address, a point a day for 90 days. */
import type { Breakdown } from "../contract/scores.ts";
import type { TierId } from "../contract/score_terms.ts";
import { checkAndSet } from "./commit.ts";
import * as keys from "./keys.ts";

/** The last score of a UTC day. */
export interface ScorePoint {
  readonly day: number;
  readonly score: number;
  readonly tier: TierId;
  readonly breakdown: Breakdown;
}

/** The scores of an address. */
export interface ScoreHistory {
  /** Oldest first, at most one a day. */
  readonly points: readonly ScorePoint[];
  /** When somebody last asked for its score, epoch ms. */
  readonly readAt: number;
}

/** Points that are kept. */
const MOST_POINTS = 90;

/** Garbage collection: nobody is shown points of an address that was not read for this long. */
const EXPIRE_MS = 180 * 86_400_000;

/** Score history in a store. */
export function scoreStore(kv: Deno.Kv) {
  return {
    /** Finds the history of an address. */
    async find(address: string): Promise<ScoreHistory | null> {
      return (await kv.get<ScoreHistory>(keys.scoreHistory(address))).value;
    },

    /** Puts the point of a day in place of an earlier one of the same day. */
    put(
      address: string,
      point: ScorePoint,
      { readAt }: { readAt: number | null },
    ): Promise<void> {
      const key = keys.scoreHistory(address);
      return checkAndSet<ScoreHistory, void>(kv, key, ({ value: held }) => {
        const others = (held?.points ?? []).filter(({ day }) =>
          day !== point.day
        );
        const points = [...others, point].sort((a, b) => a.day - b.day)
          .slice(-MOST_POINTS);
        const next = { points, readAt: readAt ?? held?.readAt ?? 0 };
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, next, { expireIn: EXPIRE_MS }),
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
