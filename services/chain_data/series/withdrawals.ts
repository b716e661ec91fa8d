/** Days that a source takes back: held until several reads agree, then accepted as revisions. */
import { isCertain } from "../catalogue/chains.ts";
import type { DayWindow } from "./buckets.ts";
import type { UnreadRow } from "./daily_rows.ts";
import {
  type DailySeries,
  type DailyValue,
  isEmpty,
  newestDay,
  pointsOf,
  seriesOf,
  valueOn,
} from "./series.ts";

/** Maximum number of runs that a series can hold. More are an error of the source. */
const MAX_RUNS = 500;

/** What a source answers for a withdrawn day: 0 in place of a positive value, or nothing. */
type Answer = 0 | null;

/** A run of days that the source withdraws. Their last values stand. */
export interface Withdrawal {
  /** First and last day. */
  readonly from: number;
  readonly to: number;
  readonly answer: Answer;
  /** When a read first showed it, in epoch ms. */
  readonly foundAt: number;
  /** Number of consecutive reads that showed it; 0 if only empty reads did. */
  readonly reads: number;
}

/** A stored series after a read. */
export interface Reconciled {
  readonly series: DailySeries;
  readonly withdrawals: readonly Withdrawal[];
}

/** What a series holds. */
interface Held {
  readonly series: DailySeries;
  readonly withdrawals?: readonly Withdrawal[];
}

/** What a source answered. */
interface Answered {
  readonly read: DailySeries;
  /** The days that were asked for. */
  readonly days: DayWindow;
  /** Epoch ms. */
  readonly readAt: number;
  /** Rows that could not be read. They show nothing about their days. */
  readonly unread?: readonly UnreadRow[];
}

/**
 * Merges a read into a series. A day that is absent from the read, or fell from
 * a positive value to 0, keeps its value until three reads over at least two
 * hours agree; then it is revised. A read without any value marks its days but
 * is not counted: it shows nothing about single days. While the newest days are
 * withdrawn, the read comes from an earlier time or from a lagging replica, so
 * none of its values is used. Returns null if days are withdrawn in too many
 * runs to be recorded.
 */
export function reconcile(
  { series, withdrawals = [] }: Held,
  { read, days, readAt, unread = [] }: Answered,
): Reconciled | null {
  const known = byDay(withdrawals);
  const unreadDays = new Set(unread.map(({ day }) => day));
  // A row without a day may be that of any day that the read lacks.
  const isRead = (day: number) =>
    days.start <= day && day <= days.end && !unreadDays.has(day) &&
    !(unreadDays.has(null) && Number.isNaN(valueOn(read, day)));
  const standing = new Map<number, DayWithdrawal>();
  const accepted = new Map<number, Answer>();
  const isSilent = isEmpty(read);
  for (const { day, value } of pointsOf(series)) {
    const pending = known.get(day);
    if (!isRead(day)) {
      if (pending) standing.set(day, pending);
      continue;
    }
    const answer = answerOf(read, { day, value });
    if (answer === undefined) continue;
    const seen = isSilent
      ? pending ?? { answer, foundAt: readAt, reads: 0 }
      : seeAgain(pending, answer, readAt);
    if (!isSilent && isCertain(seen, readAt)) accepted.set(day, answer);
    else standing.set(day, seen);
  }
  const runs = runsOf(standing);
  if (runs.length > MAX_RUNS) return null;
  const newestRead = newestDay(read) ?? -Infinity;
  const isBehind = days.end >= newestDay(series)! &&
    [...standing.keys()].some((day) => isRead(day) && day > newestRead);
  const next = seriesOf([
    ...pointsOf(series).filter(({ day }) =>
      !isRead(day) || standing.has(day) || (isBehind && !accepted.has(day))
    ),
    ...isBehind
      ? []
      : pointsOf(read).filter(({ day }) => isRead(day) && !standing.has(day)),
    ...zeroesOf(accepted),
  ]);
  return { series: next, withdrawals: runs };
}

/** Returns whether an answer, `NaN` for none, takes a value back instead of restating it. */
export function isWithdrawnBy(answer: number, value: number): boolean {
  return Number.isNaN(answer) || (answer === 0 && value > 0);
}

/** Joins neighbouring runs of days. The runs are in order. */
export function joinRuns(
  days: readonly Pick<Withdrawal, "from" | "to">[],
): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const { from, to } of days) {
    const last = runs.at(-1);
    if (last?.to === from - 1) last.to = to;
    else runs.push({ from, to });
  }
  return runs;
}

/** Returns whether two series withdraw the same days, whatever the number of reads. */
export function sameWithdrawn(
  a: readonly Withdrawal[] = [],
  b: readonly Withdrawal[] = [],
): boolean {
  return a.length === b.length &&
    a.every(({ from, to, answer }, nth) =>
      from === b[nth]!.from && to === b[nth]!.to && answer === b[nth]!.answer
    );
}

type DayWithdrawal = Pick<Withdrawal, "answer" | "foundAt" | "reads">;

/** Returns how a read withdraws a day; undefined if it does not. */
function answerOf(
  read: DailySeries,
  { day, value }: DailyValue,
): Answer | undefined {
  const answer = valueOn(read, day);
  if (!isWithdrawnBy(answer, value)) return undefined;
  return answer === 0 ? 0 : null;
}

function seeAgain(
  pending: DayWithdrawal | undefined,
  answer: Answer,
  readAt: number,
): DayWithdrawal {
  return pending?.answer === answer && pending.reads > 0
    ? { ...pending, reads: pending.reads + 1 }
    : { answer, foundAt: readAt, reads: 1 };
}

function zeroesOf(accepted: ReadonlyMap<number, Answer>): DailyValue[] {
  return [...accepted].flatMap(([day, answer]) =>
    answer === 0 ? [{ day, value: 0 }] : []
  );
}

function byDay(withdrawals: readonly Withdrawal[]): Map<number, DayWithdrawal> {
  const days = new Map<number, DayWithdrawal>();
  for (const { from, to, ...withdrawal } of withdrawals) {
    for (let day = from; day <= to; day++) days.set(day, withdrawal);
  }
  return days;
}

/** Joins neighbouring days whose withdrawal was read the same way. The days are in order. */
function runsOf(days: ReadonlyMap<number, DayWithdrawal>): Withdrawal[] {
  const runs: Withdrawal[] = [];
  for (const [day, { answer, foundAt, reads }] of days) {
    const last = runs.at(-1);
    const isNext = last?.to === day - 1 && last.answer === answer &&
      last.foundAt === foundAt && last.reads === reads;
    if (isNext) runs[runs.length - 1] = { ...last, to: day };
    else runs.push({ from: day, to: day, answer, foundAt, reads });
  }
  return runs;
}
