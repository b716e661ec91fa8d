/** Score history: one record per address; and the addresses that are to be scored. */
import {
  isReadOften,
  packHistory,
  type ScoreHistory,
  type ScorePoint,
  type StoredHistory,
  unpackHistory,
  withPoint,
} from "./score_history.ts";
import { DAY_MS, HOUR_MS } from "../platform/days.ts";
import { dayEndOf } from "./signals/signal_freshness.ts";
import type { ChainSignals } from "../model/signals.ts";
import type { StoredWith } from "./signals/signals_store.ts";
import { checkAndSet, commitOnce } from "../platform/kv/commit.ts";
import { HISTORY_DAYS } from "../model/scores_schema.ts";
import { SIGNALS_EXPIRE_MS } from "../profiles/follows/follow_edges.ts";
import {
  ANY,
  areDistinct,
  areRising,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";
import { type ReadKey, sharedReads } from "../platform/kv/reads.ts";

/** Keys. */
const keys = {
  /** The score history of an address. */
  scoreHistory: (address: string) => ["score_histories", address],
  /** All score histories. */
  scoreHistories: () => ["score_histories"],
  /** The address whose score the job tried to record last. */
  scoreCursor: () => ["score_cursor"],
  /** An address that is read often, by the hour in which the day of its signals ends. */
  refresh: (
    hour: number,
    address: string,
  ) => [...keys.refreshes(hour), address],
  /** All of an hour. */
  refreshes: (hour: number) => ["score_refreshes", hour],
  /** The waiting list of addresses to be scored. */
  waitingScores: () => ["waiting_scores"],
};

/** How long an address is listed whose day ended while no call was left. */
const LISTED_MS = 8 * DAY_MS;

/** An address whose signals are to be read again. */
interface ListedRefresh {
  readonly entry: Deno.KvEntry<unknown>;
  readonly address: string;
  /** When the day of its signals ended at the latest, epoch ms. */
  readonly before: number;
}

const hourOf = (at: number) => Math.floor(at / HOUR_MS);

/** The record of a history and its version. */
export type HistoryEntry = Deno.KvEntryMaybe<StoredHistory>;

/** A history, as it is stored and unpacked. */
interface Unpacked {
  readonly stored: StoredHistory;
  readonly history: ScoreHistory;
}

/** Returns a history with a point, and with the day of the read; the same record if nothing changes. */
function withStoredPoint(
  stored: StoredHistory | null,
  point: ScorePoint,
  read: Parameters<typeof withPoint>[2],
): Unpacked {
  const before = unpackHistory(stored);
  const history = withPoint(before, point, read);
  const isSame = history === before;
  return { stored: isSame ? stored! : packHistory(history), history };
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
      { readAt, found, signals }: {
        readonly readAt: number | null;
        readonly found?: HistoryEntry;
        /** The signals of a score that was read. */
        readonly signals?: ChainSignals;
      },
    ): Promise<void> {
      const key = keys.scoreHistory(address);
      const nextOf = (stored: StoredHistory | null) =>
        withStoredPoint(stored, point, { readAt });
      const first = found && nextOf(found.value);
      if (found && first!.stored === found.value) return;
      await checkAndSet<StoredHistory, void>(kv, key, ({ value: stored }) => {
        const next = found && stored === found.value ? first! : nextOf(stored);
        if (next.stored === stored) return { value: undefined };
        return {
          value: undefined,
          write: (atomic) =>
            listed(atomic.set(key, next.stored, { expireIn }), address, {
              history: next.history,
              signals,
            }),
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
      // What `next` returned last is what is written.
      let history: ScoreHistory;
      return {
        key: keys.scoreHistory(address),
        found,
        expireIn,
        next(stored, signals) {
          const point = pointFor(signals);
          if (point === null) return stored;
          const made = withStoredPoint(
            stored as StoredHistory | null,
            point,
            { readAt },
          );
          history = made.history;
          return made.stored;
        },
        also: (atomic, _, signals) =>
          listed(atomic, address, { history, signals }),
        onCommit: () => onCommit(history),
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

    /** Lists addresses that are read often and whose signals expire within one to two hours, or have, soonest first; at most `limit`. */
    async *listRefreshes(
      now: number,
      options: Pick<Deno.KvListOptions, "limit"> = {},
    ): AsyncGenerator<ListedRefresh> {
      const start = keys.refreshes(0);
      const end = keys.refreshes(hourOf(now) + 2);
      for await (const entry of kv.list({ start, end }, options)) {
        const [, hour, address] = entry.key;
        const before = (Number(hour) + 1) * HOUR_MS;
        yield { entry, address: String(address), before };
      }
    },

    /** Lists an address whose day ends at a time, epoch ms. */
    async listRefresh(address: string, dayEnd: number): Promise<void> {
      await addRefresh(kv.atomic(), address, dayEnd).commit();
    },

    /**
     * Lists an address again, for a day that ends at another time, epoch ms; never for
     * null. False, and nothing is changed, if another process has done so or the database is locked.
     */
    async moveRefresh(
      { entry, address }: ListedRefresh,
      dayEnd: number | null,
    ): Promise<boolean> {
      const atomic = kv.atomic().check(entry).delete(entry.key);
      if (dayEnd !== null) addRefresh(atomic, address, dayEnd);
      return await commitOnce(kv, atomic) !== null;
    },

    /** Moves the cursor to an address. */
    async putCursor(address: string): Promise<void> {
      await kv.set(keys.scoreCursor(), address);
    },
  };
}

/** Store of score histories. */
export type ScoreStore = ReturnType<typeof scoreStore>;

/** Lists an address that is read often, with what stores its history. */
function listed(
  atomic: Deno.AtomicOperation,
  address: string,
  { history, signals }: {
    readonly history: ScoreHistory;
    readonly signals: ChainSignals | undefined;
  },
): Deno.AtomicOperation {
  return signals !== undefined && isReadOften(history, history.readAt)
    ? addRefresh(atomic, address, dayEndOf(signals))
    : atomic;
}

function addRefresh(
  atomic: Deno.AtomicOperation,
  address: string,
  dayEnd: number,
): Deno.AtomicOperation {
  const key = keys.refresh(hourOf(dayEnd), address);
  return atomic.set(key, true, { expireIn: LISTED_MS });
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

/** Maximum length of the list. */
export const MAX_WAITING = 500;

/** The waiting list in a store. */
export function waitingScoreStore(kv: Deno.Kv) {
  return {
    /** Lists the addresses, longest wait first. */
    async list(): Promise<readonly string[]> {
      const { value } = await kv.get<readonly string[]>(keys.waitingScores());
      return value ?? [];
    },

    /** Returns whether an address would be added. */
    async hasRoomFor(address: string): Promise<boolean> {
      return hasRoom(await this.list(), address);
    },

    /** Adds an address; false if it is on the list or the list is full. */
    add(address: string): Promise<boolean> {
      const key = keys.waitingScores();
      return checkAndSet<readonly string[], boolean>(kv, key, ({ value }) => {
        const waiting = value ?? [];
        if (!hasRoom(waiting, address)) return { value: false };
        const next = [...waiting, address];
        return { value: true, write: (atomic) => atomic.set(key, next) };
      });
    },

    /** Removes an address. */
    remove(address: string): Promise<void> {
      const key = keys.waitingScores();
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

/** Store of the waiting list. */
export type WaitingScoreStore = ReturnType<typeof waitingScoreStore>;

function hasRoom(waiting: readonly string[], address: string): boolean {
  return waiting.length < MAX_WAITING && !waiting.includes(address);
}

const waiting: Rule<readonly string[]> = {
  name: "waiting-scores",
  of: keys.waitingScores(),
  invariant: `at most ${MAX_WAITING} addresses wait to be scored, each once`,
  holds: ({ value }) => value.length <= MAX_WAITING && areDistinct(value),
};

/** The collections and the rules. */
export const SCORE_RECORDS: StoredRecords = {
  collections: {
    score_cursor: { isUnchecked: true },
    score_histories: { expireMs: SIGNALS_EXPIRE_MS, isIndependent: true },
    // The next read of a day lists the address again.
    score_refreshes: {
      expireMs: LISTED_MS,
      isLeftOut: true,
      isUnchecked: true,
    },
    waiting_scores: {},
  },
  rules: [history, waiting],
};
