/**
 * Store of daily series: a head, one `Float64Array` per year with `NaN` for absent
 * days, and the log of each year.
 */
import { EMPTY_SERIES, isEmpty, newestDay } from "./series.ts";
import { nameSeries, type SeriesId } from "../catalogue/series_id.ts";
import {
  checkAndSet,
  commitOnce,
  MAX_KEYS_READ,
} from "../../platform/kv/commit.ts";
import {
  decisionOn,
  type Doubt,
  type DoubtDecision,
  doubtedGaps,
} from "./doubted_days.ts";
import { logWrite, revisedDays, seenDays } from "./revision_log.ts";
import type { YearLog } from "./revision_log_codec.ts";
import {
  joinYears,
  newestAtOf,
  type NextSeries,
  type SeriesHead,
  type SeriesState,
  stateOf,
  type StoredSeries,
  valuesOfYear,
  type WriteOptions,
  yearsOf,
} from "./stored_series.ts";
import { tailOf, withTail } from "./series_tail.ts";
import { joinRuns } from "./withdrawals.ts";
import { CLOCK_SKEW_MS } from "../../platform/clock.ts";
import { startOfYear, yearOf } from "../../platform/days.ts";
import {
  ANY,
  ANY_NUMBER,
  isSame,
  numberAt,
  type Records,
  type Rule,
  type StoredRecords,
} from "../../platform/kv/store_rule.ts";

/** Keys. The head of a series comes before its logs and years. */
const keys = {
  /** The head, the logs and all years of a series. The head comes first. */
  series: ({ subject, metric }: SeriesId) => [
    "series",
    subject,
    metric,
  ],
  /** The head of a series. */
  seriesHead: ({ subject, metric }: SeriesId) => [
    "series",
    subject,
    metric,
    "head",
  ],
  /** One year of a series. */
  seriesYear: ({ subject, metric }: SeriesId, year: number) => [
    "series",
    subject,
    metric,
    year,
  ],
  /** When the days of one year of a series were first seen, and what changed since. */
  seriesLog: ({ subject, metric }: SeriesId, year: number) => [
    "series",
    subject,
    metric,
    "log",
    year,
  ],
  /** The first day of a series that is not believed, and that no operator has decided on. */
  seriesDoubted: ({ subject, metric }: SeriesId) => [
    "series_doubts",
    subject,
    metric,
  ],
  /** All series with such days. */
  seriesDoubts: () => ["series_doubts"],
  /** When fetching a series last failed. */
  seriesFailure: ({ subject, metric }: SeriesId) => [
    "series_failures",
    subject,
    metric,
  ],
  /** The failures of all series. */
  seriesFailures: () => ["series_failures"],
};

/** The head of a series as it was read, with its version. */
export interface FoundHead {
  readonly head: SeriesHead;
  readonly versionstamp: string;
}

/** Series in a store. */
export function seriesStore(kv: Deno.Kv) {
  /**
   * Finds a series in one round trip, from one snapshot. It uses `list` because
   * `getMany` is limited to ten keys, and a series passes ten years in 2029.
   */
  async function find(id: SeriesId): Promise<StoredSeries | null> {
    const entries = await Array.fromAsync(
      kv.list<SeriesHead | Float64Array | YearLog["bytes"]>(
        { prefix: keys.series(id) },
        { batchSize: 500 },
      ),
    );
    const [head, ...parts] = entries;
    if (head === undefined) return null;
    const { days, tail, ...rest } = head.value as SeriesHead;
    const yearLogs: YearLog[] = [];
    const years: { year: number; values: Float64Array }[] = [];
    for (const { key, value } of parts) {
      const year = key.at(-1) as number;
      if (value instanceof Float64Array) years.push({ year, values: value });
      else yearLogs.push({ year, bytes: value as YearLog["bytes"] });
    }
    const { series: joined, logs } = withTail({
      series: days === null ? EMPTY_SERIES : joinYears(days, years),
      logs: yearLogs,
    }, tail);
    const revised = revisedDays(logs);
    const { withdrawals = [], unread = [] } = rest;
    const unused = [
      ...unread.map(({ day }) => ({ day, reason: UNREAD })),
      ...doubtedGaps(rest, joined),
    ];
    const series = {
      ...joined,
      ...withdrawals.length > 0 && { withdrawn: joinRuns(withdrawals) },
      ...revised.size > 0 && { revised },
      ...unused.length > 0 && { unread: unused },
    };
    return { ...rest, series, logs, versionstamp: head.versionstamp };
  }

  /** Lists the head of each series; null if it is not stored. */
  async function listEntries(
    ids: readonly SeriesId[],
  ): Promise<Deno.KvEntryMaybe<SeriesHead>[]> {
    const entries: Deno.KvEntryMaybe<SeriesHead>[] = [];
    for (let from = 0; from < ids.length; from += MAX_KEYS_READ) {
      const some = ids.slice(from, from + MAX_KEYS_READ);
      const found = await kv.getMany<SeriesHead[]>(
        some.map((id) => keys.seriesHead(id)),
      );
      for (const entry of found) entries.push(entry);
    }
    return entries;
  }

  /**
   * Lists the heads of series. A series that is not stored, or that came from another
   * upstream, is null.
   */
  async function listHeads<Id extends SeriesId>(
    ids: readonly Id[],
    originOf: (id: Id) => string,
  ): Promise<(FoundHead | null)[]> {
    return (await listEntries(ids)).map(({ value: head, versionstamp }, nth) =>
      versionstamp !== null && head.origin === originOf(ids[nth]!)
        ? { head, versionstamp }
        : null
    );
  }

  return {
    find,
    listHeads,

    /**
     * Replaces the head of a series, and returns its new version. Returns null, without
     * writing, if the stored head is not the given version any more.
     */
    async replaceHead(
      id: SeriesId,
      { head, versionstamp }: FoundHead,
      { hasFailed = true }: Pick<WriteOptions, "hasFailed">,
    ): Promise<string | null> {
      const key = keys.seriesHead(id);
      const atomic = kv.atomic().check({ key, versionstamp }).set(key, head);
      if (hasFailed) atomic.delete(keys.seriesFailure(id));
      return (await commitOnce(kv, atomic))?.versionstamp ?? null;
    },

    /**
     * Lists the states of series. A series that is not stored, or that came from
     * another upstream, is null.
     */
    async listStates<Id extends SeriesId>(
      ids: readonly Id[],
      originOf: (id: Id) => string,
    ): Promise<(SeriesState | null)[]> {
      return (await listHeads(ids, originOf))
        .map((found) => found && stateOf(found.head));
    },

    /**
     * Lists when the last read of a series failed, lacked a day or showed withdrawn
     * days, in epoch ms, by the name of the series.
     */
    async listFailures(): Promise<ReadonlyMap<string, number>> {
      const prefix = keys.seriesFailures();
      const failures = new Map<string, number>();
      for await (const { key, value } of kv.list<number>({ prefix })) {
        const [, subject, metric] = key;
        failures.set(nameSeries({ subject, metric } as SeriesId), value);
      }
      return failures;
    },

    /** Lists the withdrawn days, the unread rows and the doubted days of each series. */
    async listHeld(
      ids: readonly SeriesId[],
    ): Promise<Required<Pick<SeriesHead, HeldField>>[]> {
      return (await listEntries(ids)).map(({ value: head }) => ({
        withdrawals: head?.withdrawals ?? [],
        unread: head?.unread ?? [],
        doubts: head?.doubts ?? [],
        decisions: head?.decisions ?? [],
      }));
    },

    /** Lists the series with doubted days that no operator has decided on, and the first such days of each. */
    async listDoubted(): Promise<DoubtedSeries[]> {
      const prefix = keys.seriesDoubts();
      const entries = await Array.fromAsync(kv.list<Undecided>({ prefix }));
      return entries.map(({ key: [, subject, metric], value }) => ({
        id: { subject, metric } as SeriesId,
        ...value,
      }));
    },

    /** Records a decision about every doubted day of a series. Returns the number of runs that it is about. */
    decide(
      id: SeriesId,
      decision: Pick<DoubtDecision, "isAccepted" | "by" | "at">,
    ): Promise<number> {
      const key = keys.seriesHead(id);
      return checkAndSet<SeriesHead, number>(kv, key, ({ value: head }) => {
        const doubts = head?.doubts ?? [];
        if (head === null || doubts.length === 0) return { value: 0 };
        const decisions = [
          ...(head.decisions ?? []).filter((earlier) =>
            !doubts.some((doubt) => decisionOn(doubt, [earlier]))
          ),
          ...doubts.map(({ from, to, kind }) => ({
            from,
            to,
            kind,
            ...decision,
          })),
        ].slice(-MAX_DECISIONS);
        return {
          value: doubts.length,
          write: (atomic) =>
            writeDoubted(id, { doubts, decisions }, atomic)
              .set(key, { ...head, decisions }),
        };
      });
    },

    /** Records a failed fetch of a series, or one that lacks a day. The next success removes it. */
    async putFailure(id: SeriesId, at: number) {
      await kv.set(keys.seriesFailure(id), at);
    },

    /**
     * Replaces a series, and logs what that changes, in one transaction. Returns its
     * head; null, without writing, if the stored head is no longer the version that
     * `next` was made from.
     */
    async replace(
      id: SeriesId,
      next: NextSeries & Pick<StoredSeries, "versionstamp">,
      options?: WriteOptions,
    ): Promise<FoundHead | null> {
      let committed: string | undefined;
      const head = await checkAndSet<SeriesHead, SeriesHead | null>(
        kv,
        keys.seriesHead(id),
        async ({ value, versionstamp }) => {
          if (versionstamp !== next.versionstamp) return { value: null };
          const { replaced, write } = writerOf(id, value, {
            // Its head, years and logs change in the same transactions.
            stored: options?.stored === undefined
              ? await find(id)
              : options.stored,
            next,
            options,
          });
          const onCommit = (version: string) => committed = version;
          return { value: replaced, write, onCommit };
        },
      );
      return head && { head, versionstamp: committed! };
    },

    /** Replaces a series by what `change` returns for the stored one. Retries after a conflict. */
    update(
      id: SeriesId,
      change: (stored: StoredSeries | null) => NextSeries,
      options?: WriteOptions,
    ): Promise<void> {
      return checkAndSet<SeriesHead, void>(
        kv,
        keys.seriesHead(id),
        async ({ value }) => {
          const stored = await find(id);
          const next = change(stored);
          const { write } = writerOf(id, value, { stored, next, options });
          return { value: undefined, write };
        },
      );
    },

    /** Removes a series and its logs. Returns false if there is none. */
    remove(id: SeriesId): Promise<boolean> {
      const key = keys.seriesHead(id);
      return checkAndSet<SeriesHead, boolean>(
        kv,
        key,
        async ({ value: head }) => {
          if (head === null) return { value: false };
          const logs = (await find(id))?.logs ?? [];
          const write = (atomic: Deno.AtomicOperation) => {
            for (const year of yearsOf(head.days)) {
              atomic.delete(keys.seriesYear(id, year));
            }
            for (const { year } of logs) {
              atomic.delete(keys.seriesLog(id, year));
            }
            return atomic.delete(keys.seriesDoubted(id)).delete(key);
          };
          return { value: true, write };
        },
      );
    },
  };
}

/** Returns the new head of a series, and the write that replaces the stored head and years, and logs it. */
function writerOf(
  id: SeriesId,
  head: SeriesHead | null,
  { stored, next: { series, ...next }, options = {} }: {
    readonly stored: StoredSeries | null;
    readonly next: NextSeries;
    readonly options: WriteOptions | undefined;
  },
): {
  readonly replaced: SeriesHead;
  readonly write: (atomic: Deno.AtomicOperation) => Deno.AtomicOperation;
} {
  const days = isEmpty(series)
    ? null
    : { first: series.firstDay, newest: newestDay(series)! };
  const { withdrawals = [], unread = [], doubts = [], decisions = [] } = next;
  const { wholeAt, origin, source } = next;
  const { inferred = NONE_INFERRED, hasFailed = true, hasTail = false } =
    options;
  // Answers tell until when they know the series, and readers ask for what changed
  // since. The clock of the process that wrote before may be ahead, so each change is
  // later than the write before it.
  const at = Math.max(options.at ?? next.fetchedAt, writtenAt(head) + 1);
  const fetchedAt = fetchedAtOf(head, next);
  // A value of another upstream is replaced, not revised.
  const held = stored?.origin === origin ? stored : null;
  const changedLogs = logWrite(held ?? { series: EMPTY_SERIES, logs: [] }, {
    next: { series, withdrawals },
    at,
    inferred,
    isTxCount: id.metric === "txCount",
  });
  const logs = [
    ...changedLogs,
    ...(held?.logs ?? []).filter(({ year }) =>
      !changedLogs.some((log) => log.year === year)
    ),
  ];
  // The years and logs lack what a tail has.
  const { tail = null, days: daysBefore = null } = head ?? {};
  const tailedYear = tail &&
    yearOf(daysBefore!.newest - tail.values.length + 1);
  const isTailed = (year: number) => tailedYear !== null && year >= tailedYear;
  const nextTail = hasTail ? tailOf({ series, ...next }, logs) : null;
  const isUnchanged = changedLogs.length === 0 &&
    next.changedAt === head?.changedAt;
  const changedAt = isUnchanged ? next.changedAt : at;
  // Answers as of an instant begin with the first write of the whole history.
  const since = held !== null && held.wholeAt > 0 ? held.since : at;
  const before = yearsOf(head?.days ?? null);
  const after = yearsOf(days);
  const replaced: SeriesHead = {
    ...{ days, fetchedAt, newestAt: newestAtOf(head, days, next) },
    ...{ wholeAt, changedAt, since, origin, source },
    ...withdrawals.length > 0 && { withdrawals },
    ...unread.length > 0 && { unread },
    ...doubts.length > 0 && { doubts },
    ...decisions.length > 0 && { decisions },
    ...nextTail !== null && { tail: nextTail },
  };
  function write(atomic: Deno.AtomicOperation): Deno.AtomicOperation {
    for (const year of before) {
      if (!after.includes(year)) atomic.delete(keys.seriesYear(id, year));
    }
    for (const year of after) {
      const values = valuesOfYear(series, year);
      // Most reads change the last days only, and a year costs three write units.
      const isStored = stored !== null && before.includes(year) &&
        !isTailed(year) && valuesOfYear(stored.series, year)
        .every((value, slot) => Object.is(value, values[slot]));
      if (!isStored) atomic.set(keys.seriesYear(id, year), values);
    }
    for (const { year } of held === null ? stored?.logs ?? [] : []) {
      atomic.delete(keys.seriesLog(id, year));
    }
    for (const { year, bytes } of logs) {
      const isStored = !isTailed(year) &&
        !changedLogs.some((log) => log.year === year);
      if (!isStored) atomic.set(keys.seriesLog(id, year), bytes);
    }
    const failure = keys.seriesFailure(id);
    atomic.set(keys.seriesHead(id), replaced);
    if (doubts.length > 0 || head?.doubts !== undefined) {
      writeDoubted(id, { doubts, decisions }, atomic);
    }
    // Withdrawn and unread days have to be read again, like a series that could not be read.
    if (withdrawals.length + unread.length > 0) {
      return atomic.set(failure, fetchedAt);
    }
    return hasFailed ? atomic.delete(failure) : atomic;
  }
  return { replaced, write };
}

/** Returns the last instant that a stored series tells, in epoch ms; -Infinity without one. */
function writtenAt(head: SeriesHead | null): number {
  return head === null ? -Infinity : Math.max(head.fetchedAt, head.changedAt);
}

/** Returns when a series was last fetched. The clock of the process that fetched it before may be ahead. */
function fetchedAtOf(
  head: SeriesHead | null,
  { fetchedAt }: Pick<SeriesHead, "fetchedAt">,
): number {
  const before = head?.fetchedAt ?? -Infinity;
  const isSetBack = before > fetchedAt + CLOCK_SKEW_MS;
  return isSetBack ? fetchedAt : Math.max(before, fetchedAt);
}

/** What a head tells of days that are not used as the source has them. */
type HeldField = "withdrawals" | "unread" | "doubts" | "decisions";

/** Why an unread day has no value. */
const UNREAD = "rows of the source that can't be read";

/** The first doubted days of a series that no operator has decided on. */
type Undecided = Pick<Doubt, "from" | "kind">;

/** A series with such days. */
export interface DoubtedSeries extends Undecided {
  readonly id: SeriesId;
}

/** Decisions that a series keeps. */
const MAX_DECISIONS = 100;

/** Lists a series among those with undecided days, or removes it from them. */
function writeDoubted(
  id: SeriesId,
  { doubts, decisions }: Required<Pick<SeriesHead, "doubts" | "decisions">>,
  atomic: Deno.AtomicOperation,
): Deno.AtomicOperation {
  const first = doubts.find((doubt) => !decisionOn(doubt, decisions));
  const key = keys.seriesDoubted(id);
  if (first === undefined) return atomic.delete(key);
  const undecided: Undecided = { from: first.from, kind: first.kind };
  return atomic.set(key, undecided);
}

const NONE_INFERRED: ReadonlyMap<number, number> = new Map();

const ANY_SERIES = { subject: ANY, metric: ANY } as unknown as SeriesId;

const seriesWhole: Rule<SeriesHead> = {
  name: "series",
  of: keys.seriesHead(ANY_SERIES),
  invariant:
    "a series has exactly the years from its first to its newest day, and both days have a value",
  async holds({ key, value: { days, tail } }, records) {
    const years = await listYears(records, seriesAt(key));
    if (!isSame(years.map(({ year }) => year), yearsOf(days))) return false;
    if (days === null) return true;
    const values = years.flatMap(({ year, values }) =>
      Array.from(
        values,
        (value, slot) => ({ value, day: startOfYear(year) + slot }),
      )
    ).filter(({ value }) => !Number.isNaN(value));
    return values[0]?.day === days.first &&
      values.at(-1)?.day === days.newest - (tail?.seenAt.length ?? 0);
  },
};

const seriesYear: Rule<Float64Array> = {
  name: "series-year",
  of: keys.seriesYear(ANY_SERIES, ANY_NUMBER),
  invariant:
    "a year of a series has one slot per day, the series has a head, and a year with values has a log",
  async holds({ key, value }, { find }) {
    if (key[3] === "head") return true;
    const year = numberAt(key, 3);
    const id = seriesAt(key);
    const head = await find<SeriesHead>(keys.seriesHead(id));
    const log = await find(keys.seriesLog(id, year));
    const isEmpty = value.every((each) => Number.isNaN(each));
    return head !== null && (log !== null || isEmpty) &&
      value.length === startOfYear(year + 1) - startOfYear(year);
  },
};

const seriesLog: Rule<YearLog["bytes"]> = {
  name: "series-log",
  of: keys.seriesLog(ANY_SERIES, ANY_NUMBER),
  invariant:
    "a log tells of days of its year, and when each day with a value was first seen",
  async holds({ key, value: bytes }, { find }) {
    const id = seriesAt(key);
    const year = numberAt(key, 4);
    const head = await find<SeriesHead>(keys.seriesHead(id));
    if (head === null) return false;
    const values = await find<Float64Array>(keys.seriesYear(id, year));
    const seen = seenDays([{ year, bytes }]);
    return [...seen].every((day) => yearOf(day) === year) &&
      (values ?? new Float64Array()).every((value, slot) =>
        Number.isNaN(value) || seen.has(startOfYear(year) + slot)
      );
  },
};

function seriesAt([, subject, metric]: Deno.KvKey): SeriesId {
  return { subject, metric } as SeriesId;
}

/** Lists the stored years of a series. */
async function listYears(
  { list }: Records,
  id: SeriesId,
): Promise<{ year: number; values: Float64Array }[]> {
  const years = [];
  for await (const { key, value } of list<Float64Array>(keys.series(id))) {
    if (typeof key[3] === "number") {
      years.push({ year: numberAt(key, 3), values: value });
    }
  }
  return years;
}

/** The collections and the rules. */
export const SERIES_RECORDS: StoredRecords = {
  collections: {
    series: {},
    series_doubts: { isUnchecked: true },
    series_failures: { isUnchecked: true },
  },
  rules: [seriesWhole, seriesYear, seriesLog],
};
