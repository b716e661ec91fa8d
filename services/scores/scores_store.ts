/** Score history: one record per address. */
import {
  type ScoreHistory,
  type ScorePoint,
  withPoint,
} from "./score_history.ts";
import {
  packHistory,
  type StoredHistory,
  unpackHistory,
} from "./packed_history.ts";
import type { ChainSignals } from "../model/signals.ts";
import type { StoredWith } from "./signals/signals_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import { HISTORY_DAYS } from "./score_requests_schema.ts";
import { SIGNALS_EXPIRE_MS } from "../profiles/follows/follow_edges.ts";
import {
  ANY,
  areRising,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** The score history of an address. */
  scoreHistory: (address: string) => ["score_histories", address],
  /** All score histories. */
  scoreHistories: () => ["score_histories"],
  /** The address whose score the job tried to record last. */
  scoreCursor: () => ["score_cursor"],
};
import { type ReadKey, sharedReads } from "../platform/kv/shared_reads.ts";

/** The record of a history and its version. */
export type HistoryEntry = Deno.KvEntryMaybe<StoredHistory>;

/** Returns the record with a point, and with the day of the read; the same one if nothing changes. */
function storedWithPoint(
  stored: StoredHistory | null,
  point: ScorePoint,
  read: Parameters<typeof withPoint>[2],
): StoredHistory {
  const before = unpackHistory(stored);
  const after = withPoint(before, point, read);
  return after === before ? stored! : packHistory(after);
}

/** Score history in a store. */
export function scoreStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  const expireIn = SIGNALS_EXPIRE_MS;

  return {
    /** Finds the history of an address. */
    async find(address: string): Promise<ScoreHistory | null> {
      return unpackHistory(
        (await read<StoredHistory>(keys.scoreHistory(address))).value,
      );
    },

    /** Finds the record of an address, for `put`. */
    findEntry(address: string): Promise<HistoryEntry> {
      return read<StoredHistory>(keys.scoreHistory(address));
    },

    /**
     * Stores the point of a day, replacing an earlier one of the same day, and the
     * day of the read. Writes nothing if nothing changes. A history that was found
     * before is not read again unless it has changed.
     */
    async put(
      address: string,
      point: ScorePoint,
      { readAt, found }: {
        readonly readAt: number | null;
        readonly found?: HistoryEntry;
      },
    ): Promise<void> {
      const key = keys.scoreHistory(address);
      const nextOf = (stored: StoredHistory | null) =>
        storedWithPoint(stored, point, { readAt });
      if (found && nextOf(found.value) === found.value) return;
      await checkAndSet<StoredHistory, void>(kv, key, ({ value: stored }) => {
        const next = nextOf(stored);
        if (next === stored) return { value: undefined };
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, next, { expireIn }),
        };
      }, { known: found && [found] });
    },

    /**
     * Returns how to store a point in the transaction that stores the signals of its
     * score. `pointFor` returns null to record nothing.
     */
    storedWithSignals(
      address: string,
      { pointFor, readAt, found, onCommit }: {
        readonly pointFor: (signals: ChainSignals) => ScorePoint | null;
        readonly readAt: number;
        /** The history as it was read before. */
        readonly found?: HistoryEntry;
        readonly onCommit: (written: ScoreHistory) => void;
      },
    ): StoredWith {
      return {
        key: keys.scoreHistory(address),
        found,
        expireIn,
        next(stored, signals) {
          const point = pointFor(signals);
          return point === null
            ? stored
            : storedWithPoint(stored as StoredHistory | null, point, {
              readAt,
            });
        },
        onCommit: (written) =>
          onCommit(unpackHistory(written as StoredHistory)!),
      };
    },

    /** Iterates over all histories, starting after the cursor. */
    async *list(): AsyncGenerator<ScoreHistory & { address: string }> {
      const prefix = keys.scoreHistories();
      const { value: last } = await kv.get<string>(keys.scoreCursor());
      const next = [...keys.scoreHistory(last ?? ""), 0];
      for (const selector of [{ prefix, start: next }, { prefix, end: next }]) {
        for await (const { key, value } of kv.list<StoredHistory>(selector)) {
          yield { address: key[1] as string, ...unpackHistory(value)! };
        }
      }
    },

    /** Moves the cursor to an address. */
    async putCursor(address: string): Promise<void> {
      await kv.set(keys.scoreCursor(), address);
    },
  };
}

const history: Rule<StoredHistory> = {
  name: "score-history",
  of: keys.scoreHistory(ANY),
  invariant:
    `a score history has one point per day, in order, at most ${HISTORY_DAYS}`,
  holds({ value }) {
    const { points } = unpackHistory(value)!;
    return points.length <= HISTORY_DAYS &&
      areRising(points.map(({ day }) => day));
  },
};

/** The collections and the rules. */
export const SCORE_RECORDS: StoredRecords = {
  collections: {
    score_cursor: { isUnchecked: true },
    score_histories: { expireMs: SIGNALS_EXPIRE_MS, isIndependent: true },
  },
  rules: [history],
};
