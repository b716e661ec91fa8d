/** The use of an address weighed by time, for the model `s4-2026.2`. */
import {
  daysSince,
  decay,
  meanDecay,
  type Tenure,
} from "../../../services/model/scoring_model.ts";
import type { Tables } from "./s4_2026_2_tables.ts";
import type { EarlierChain } from "./earlier_model.ts";
import { dayAt } from "../../../services/platform/days.ts";

/** The use of an address, weighed at an instant. */
export interface UseOverTime extends Tenure {
  /** Days of use, decayed by age. */
  readonly dayWeight: number;
  /** Transactions, at most three a day to one target. */
  readonly variedWeight: number;
  /** Distinct months with a transaction. */
  readonly months: number;
  readonly targets: number;
  readonly methods: number;
  /** AVAX paid for gas, decayed by age. */
  readonly gasWeight: number;
}

/** Days of a month by which the model estimates unseen months. A change of it changes scores. */
const UNSEEN_MONTH_DAYS = 30.4;

/**
 * Maximum number of transactions a day that count for transactions that were not seen:
 * their target is unknown.
 */
const UNSEEN_A_DAY = 3;

/**
 * Weighs the use of an address at `now`, epoch ms. Transactions that are not in the
 * summary are spread evenly between the first and the known ones.
 */
export function useOverTime(
  { firstTxAt, recentTxAt, nonce, use }: EarlierChain,
  now: number,
  { activity, economic }: Pick<Tables, "activity" | "economic">,
): UseOverTime {
  const newest = recentTxAt[0] ?? firstTxAt;
  const oldest = recentTxAt.at(-1) ?? firstTxAt;
  const today = dayAt(now);
  const most = activity.counted.base + activity.counted.perSlot * use.slots;
  // A day with failed transactions alone counts with its gas only.
  const activeDays = use.days.reduce(
    (count, { varied }) => varied > 0 ? count + 1 : count,
    0,
  );
  const isBound = activeDays > most;
  const varied = new Float64Array(isBound ? activeDays : 0);
  const byActivity = decaysOf(activity.halfLifeDays);
  const byGas = decaysOf(economic.gasHalfLifeDays);
  let dayWeight = 0;
  let allVaried = 0;
  let gasWeight = 0;
  let nth = 0;
  for (const active of use.days) {
    const age = Math.max(0, today - active.day);
    gasWeight += Math.min(economic.mostGasADay, active.gasAvax) * byGas(age);
    if (active.varied === 0) continue;
    const weight = byActivity(age);
    if (nth < most) dayWeight += weight;
    allVaried += weight * active.varied;
    if (isBound) varied[nth] = weight * active.varied;
    nth++;
  }
  const unseen = unseenOf({ firstTxAt, oldest, nonce, use });
  const left = Math.max(0, most - activeDays);
  const unseenDecay = unseen.days === 0 ? 0 : meanDecay(
    daysSince(oldest!, now),
    daysSince(firstTxAt!, now),
    activity.halfLifeDays,
  );
  const variedUnseen = unseenDecay * unseen.aDay;
  const boundVaried = isBound ? sumOfLargest(varied, most) : allVaried;
  return {
    activeDays: activeDays + unseen.days,
    ageDays: firstTxAt === null ? null : daysSince(firstTxAt, now),
    idleDays: newest === null ? null : daysSince(newest, now),
    months: use.months + unseen.months,
    targets: use.targets,
    methods: use.methods,
    gasWeight,
    dayWeight: dayWeight + Math.min(left, unseen.days) * unseenDecay,
    variedWeight: boundVaried + Math.min(left, unseen.days) * variedUnseen,
  };
}

/** Spreads the transactions that are not in the summary over days. */
function unseenOf(
  { firstTxAt, oldest, nonce, use }:
    & Pick<EarlierChain, "firstTxAt" | "nonce" | "use">
    & { readonly oldest: number | null },
): { days: number; aDay: number; months: number } {
  const missing = nonce - use.count;
  if (missing <= 0 || firstTxAt === null || oldest === null) {
    return { days: 0, aDay: 0, months: 0 };
  }
  const from = dayAt(firstTxAt);
  const until = dayAt(oldest);
  const known = use.days
    .filter(({ day }) => day >= from && day <= until).length;
  const days = Math.min(missing, Math.max(1, until - from + 1 - known));
  return {
    days,
    aDay: Math.min(UNSEEN_A_DAY, missing / days),
    months: Math.min(days, Math.floor((until - from) / UNSEEN_MONTH_DAYS)),
  };
}

/** Sorts the values, and adds up the largest. */
function sumOfLargest(values: Float64Array, count: number): number {
  let sum = 0;
  for (const value of values.sort().subarray(-count)) sum += value;
  return sum;
}

/** The ages that are computed once: twenty years of days. */
const TABLE_DAYS = 7_300;

const tables = new Map<number, Float64Array>();

/** Returns the decay by whole days. A score of a busy wallet needs thousands of them. */
function decaysOf(halfLifeDays: number): (days: number) => number {
  let table = tables.get(halfLifeDays);
  if (table === undefined) {
    table = Float64Array.from(
      { length: TABLE_DAYS },
      (_, days) => decay(days, halfLifeDays),
    );
    tables.set(halfLifeDays, table);
  }
  const known = table;
  return (days) => known[days] ?? decay(days, halfLifeDays);
}
