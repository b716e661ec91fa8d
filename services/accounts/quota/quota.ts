/**
 * Quota decisions for a wallet and its keys.
 *
 * A unit counts against the wallet until 30 days after the end of the UTC hour
 * in which it was spent, and against the cap of its key until 30 days after the end
 * of the UTC day. A request counts against its key for the burst's window.
 */
import {
  type BurstLimit,
  type BurstName,
  BURSTS,
  METERED,
  type Metered,
  METERED_NAMES,
  PERIOD_DAYS,
  type PlanName,
  PLANS,
} from "../../payments/plans_schema.ts";
import {
  type Counter,
  DAILY,
  decrement,
  EMPTY_COUNTER,
  foldAfter,
  HOURLY,
  increment,
  oldestSlot,
  slotAt,
  total,
  type Window,
  type WindowStatus,
  windowStatus,
  windowWait,
} from "./rolling_window.ts";
import { CLOCK_SKEW_MS } from "../../platform/clock.ts";
import { dayAt, MINUTE_MS } from "../../platform/days.ts";

/** Units of a wallet: by hour for decisions, by endpoint and day for reports. */
export interface Period {
  readonly hours: Counter;
  readonly days: Readonly<Partial<Record<Metered, Counter>>>;
}

/** Times of a key's admitted requests, oldest first, one log per burst. */
export type Burst = Readonly<Record<BurstName, readonly number[]>>;

/** The state that a decision depends on. */
export interface Usage {
  readonly period: Period;
  readonly burst: Burst;
  /** Units of the key and of all keys in its chain of rotations, by day. */
  readonly keyDays: Counter;
}

/** The period of a wallet without usage. */
const EMPTY_PERIOD: Period = { hours: EMPTY_COUNTER, days: {} };

/** The burst of an unused key. */
const EMPTY_BURST: Burst = {
  single: [],
  batch: [],
};

/** The cost of a request and its limits. */
export interface Charge {
  readonly endpoint: Metered;
  readonly units: number;
  /** Units that the wallet's plan includes in 30 days. */
  readonly limit: number;
  /** Units that the key may spend in 30 days; null without a cap. */
  readonly cap: number | null;
  readonly burst: BurstLimit;
}

/** Limits and remaining units, as the rate-limit headers report them; times in epoch ms. */
export interface QuotaStatus {
  readonly limit: number;
  /** Units of the last 30 days. */
  readonly used: number;
  readonly remaining: number;
  /**
   * After a refusal: when the refused units fit. Otherwise: when the oldest
   * counted unit expires, or in 30 days if none is counted.
   */
  readonly resetAt: number;
  /** The same for the key's cap; null without one. */
  readonly cap: WindowStatus | null;
  /**
   * Which of the two limits is tighter: the one that refused, otherwise the one
   * with fewer units left.
   */
  readonly tighter: "cap" | "period";
  /** The same for the key's burst, in requests; `resetAt` is now if none counts. */
  readonly burst: Omit<WindowStatus, "used"> & Pick<BurstLimit, "perMs">;
}

/** Whether a request is admitted. Store `usage` if it is a new object. */
export type QuotaDecision =
  & { readonly quotaStatus: QuotaStatus; readonly usage: Usage }
  & ({ readonly allowed: true } | Refusal);

/** Why a request is refused. Nothing is counted. */
interface Refusal {
  readonly allowed: false;
  /** The limit with the longer wait. */
  readonly which: "burst" | "cap" | "period";
  /** The request fits after this time if nothing else is spent. */
  readonly retryAfterMs: number;
  /** Needed and remaining amounts: requests of a burst, units of a cap or a period. */
  readonly needed: number;
  readonly remaining: number;
}

/** Returns the charge of a call on a plan, by a key with or without a cap. */
export function chargeOf(
  plan: PlanName,
  endpoint: Metered,
  { units = 1, cap = null }: { units?: number; cap?: number | null } = {},
): Charge {
  return {
    endpoint,
    units,
    limit: PLANS[plan].requests,
    cap,
    burst: BURSTS[METERED[endpoint].burst],
  };
}

/** Admits and counts a request at `now` (epoch ms), or returns when it would fit. */
export function decide(
  stored: Usage,
  charge: Charge,
  now: number,
): QuotaDecision {
  const usage = settle(stored, now);
  const { units, limit, cap } = charge;
  const { period: { hours }, keyDays } = usage;
  const burstMs = burstWait(usage.burst, charge, now);
  const periodMs = windowWait(HOURLY, hours, { units, limit, now });
  const capMs = cap === null
    ? 0
    : windowWait(DAILY, keyDays, { units, limit: cap, now });
  const retryAfterMs = Math.max(burstMs, periodMs, capMs);
  if (retryAfterMs === 0) {
    const spent = spend(usage, charge, now);
    const quotaStatus = quotaStatusOf(spent, charge, now);
    return { allowed: true, quotaStatus, usage: spent };
  }
  const status = quotaStatusOf(usage, charge, now);
  // A full burst does not change when units expire.
  const quotaStatus = {
    ...status,
    resetAt: periodMs === 0 ? status.resetAt : now + periodMs,
    cap: status.cap && capMs > 0
      ? { ...status.cap, resetAt: now + capMs }
      : status.cap,
  };
  const refusal = { allowed: false, retryAfterMs, quotaStatus, usage } as const;
  if (burstMs > periodMs && burstMs > capMs) {
    const { remaining } = status.burst;
    return { ...refusal, which: "burst", needed: 1, remaining };
  }
  const which = capMs > periodMs ? "cap" : "period";
  return {
    ...refusal,
    which,
    needed: units,
    remaining: (which === "cap" ? status.cap! : status).remaining,
    quotaStatus: { ...quotaStatus, tighter: which },
  };
}

/** Returns the quota status for an endpoint. Nothing is spent. */
export function quotaStatusOf(
  usage: Usage,
  charge: Omit<Charge, "units">,
  now: number,
): QuotaStatus {
  const { limit, cap, burst: { requests, perMs } } = charge;
  const log = logOf(usage.burst, charge);
  const first = firstCounted(log, charge, now);
  const ofPeriod = windowStatus(HOURLY, usage.period.hours, { limit, now });
  const ofCap = cap === null
    ? null
    : windowStatus(DAILY, usage.keyDays, { limit: cap, now });
  const isCapTighter = ofCap !== null && ofCap.remaining < ofPeriod.remaining;
  return {
    ...ofPeriod,
    cap: ofCap,
    tighter: isCapTighter ? "cap" : "period",
    burst: {
      limit: requests,
      perMs,
      remaining: Math.max(0, requests - log.length + first),
      resetAt: first === log.length ? now : log[first]! + perMs,
    },
  };
}

/** Returns the units that a key spent in the last 30 days. */
export function unitsOfKey(keyDays: Counter, now: number): number {
  return total(keyDays, oldestSlot(DAILY, now));
}

/** Lists the days of the last 30 with units of a key, oldest first. */
export function listKeyDays(
  { since, units }: Counter,
  now: number,
): { day: number; units: number }[] {
  const oldest = oldestSlot(DAILY, now);
  return units.map((units, nth) => ({ day: since + nth, units }))
    .filter(({ day, units }) => day >= oldest && units > 0);
}

/** Lists the units per endpoint of the last 30 UTC days, oldest first. */
export function listDays(
  { days }: Period,
  now: number,
): { day: number; units: Record<Metered, number> }[] {
  const first = dayAt(now) - PERIOD_DAYS + 1;
  return Array.from({ length: PERIOD_DAYS }, (_, index) => {
    const day = first + index;
    const units = METERED_NAMES.map((name) => {
      const { since, units } = days[name] ?? EMPTY_COUNTER;
      return [name, units[day - since] ?? 0] as const;
    });
    return { day, units: Object.fromEntries(units) as Record<Metered, number> };
  });
}

/** Refunds units that were spent at an instant. The key's burst still counts the request. */
export function refund(
  { hours, days }: Period,
  { endpoint, units }: Pick<Charge, "endpoint" | "units">,
  spentAt: number,
): Period {
  const byDay = days[endpoint] ?? EMPTY_COUNTER;
  return {
    hours: decrement(hours, slotAt(HOURLY, spentAt), units),
    days: { ...days, [endpoint]: decrement(byDay, dayAt(spentAt), units) },
  };
}

function spend(
  { period: { hours, days }, burst, keyDays }: Usage,
  charge: Charge,
  now: number,
): Usage {
  const { endpoint, units } = charge;
  const today = { slot: dayAt(now), oldest: dayAt(now) - PERIOD_DAYS + 1 };
  const byDay = increment(days[endpoint] ?? EMPTY_COUNTER, today, units);
  const before = logOf(burst, charge);
  // Keep the log in order: another process's clock may be ahead.
  const at = Math.max(now, before.at(-1) ?? now);
  const log = before.slice(firstCounted(before, charge, now)).concat(at);
  return {
    period: {
      hours: increment(hours, slotsAt(HOURLY, now), units),
      days: { ...days, [endpoint]: byDay },
    },
    burst: { ...burst, [METERED[endpoint].burst]: log },
    keyDays: increment(keyDays, slotsAt(DAILY, now), units),
  };
}

/** Returns the slot of an instant, and the oldest one that counts. */
function slotsAt(window: Window, now: number) {
  const slot = slotAt(window, now);
  return { slot, oldest: slot - window.slots };
}

/** Returns how long until a request fits the burst; 0 if it does. */
function burstWait(burst: Burst, charge: Charge, now: number): number {
  const { requests, perMs } = charge.burst;
  const log = logOf(burst, charge);
  if (log.length - firstCounted(log, charge, now) < requests) return 0;
  return log[log.length - requests]! + perMs - now;
}

/** Moves entries that are ahead of the clock to now; returns the same object if there are none. */
function settle(usage: Usage, now: number): Usage {
  const { period: { hours, days }, burst, keyDays } = usage;
  const latest = now + CLOCK_SKEW_MS;
  const isAhead =
    hours.since + hours.units.length - 1 > slotAt(HOURLY, latest) ||
    keyDays.since + keyDays.units.length - 1 > slotAt(DAILY, latest);
  const [single = now, batch = now] = [burst.single.at(-1), burst.batch.at(-1)];
  if (!isAhead && Math.max(single, batch) <= latest) return usage;
  const toNow = (log: readonly number[]) => log.map((at) => Math.min(at, now));
  const byDay = Object.entries(days).map(([name, counter]) =>
    [name, foldAfter(counter, dayAt(now))] as const
  );
  return {
    period: {
      hours: foldAfter(hours, slotAt(HOURLY, now)),
      days: Object.fromEntries(byDay),
    },
    burst: { single: toNow(burst.single), batch: toNow(burst.batch) },
    keyDays: foldAfter(keyDays, dayAt(now)),
  };
}

/** Returns the log of an endpoint's burst. */
function logOf(burst: Burst, { endpoint }: Pick<Charge, "endpoint">) {
  return burst[METERED[endpoint].burst];
}

/** Returns the index of the first entry that still counts. */
function firstCounted(
  log: readonly number[],
  { burst: { perMs } }: Pick<Charge, "burst">,
  now: number,
): number {
  const first = log.findIndex((at) => at + perMs > now);
  return first < 0 ? log.length : first;
}

/** Period, bursts and keys share a record, so that a request writes one record. */
export interface WalletUsage {
  readonly period: Period;
  /** By the id of the key. */
  readonly bursts: Readonly<Record<string, Burst>>;
  /** Units by day, by the id of the first key in a chain of rotations. */
  readonly keys: Readonly<Record<string, Counter>>;
}

/** The ids of a key: its own, and that of the first key in its chain of rotations. */
export interface KeyIds {
  readonly keyId: string;
  readonly originId: string;
}

/** A wallet without a record. */
export const NO_USAGE: WalletUsage = {
  period: EMPTY_PERIOD,
  bursts: {},
  keys: {},
};

/** A log without a request for this long no longer counts, whatever the clock skew. */
const LOG_MS = 5 * MINUTE_MS;

/**
 * Logs of other keys that are kept, most recent first. More than the keys of a
 * wallet, and few enough for a record of 64 KiB even if keys are replaced fast.
 */
const MAX_LOGS = 40;

/**
 * Counters of other keys that are kept, most recent first: three times the keys
 * that a wallet can have, replaced ones included.
 */
const MAX_COUNTERS = 60;

/** Returns the usage that a decision about one key depends on. */
export function usageOf(
  { period, bursts, keys }: WalletUsage,
  { keyId, originId }: KeyIds,
): Usage {
  return {
    period,
    burst: bursts[keyId] ?? EMPTY_BURST,
    keyDays: keys[originId] ?? EMPTY_COUNTER,
  };
}

/** Replaces the usage of a key and drops logs and counters that no longer count. */
export function withUsage(
  { bursts, keys }: WalletUsage,
  { keyId, originId }: KeyIds,
  { period, burst, keyDays }: Usage,
): WalletUsage {
  const oldest = lastOf(burst) - LOG_MS;
  let kept = Object.entries(bursts)
    .filter(([id, log]) => id !== keyId && lastOf(log) > oldest);
  if (kept.length > MAX_LOGS) {
    kept = kept.toSorted(([, a], [, b]) => lastOf(b) - lastOf(a))
      .slice(0, MAX_LOGS);
  }
  return {
    period,
    bursts: { ...Object.fromEntries(kept), [keyId]: burst },
    keys: { ...othersOf(keys, originId, keyDays), [originId]: keyDays },
  };
}

const NO_COUNTERS: WalletUsage["keys"] = {};

/** Returns the counters of other keys that are kept beside the newest one. */
function othersOf(
  keys: WalletUsage["keys"],
  originId: string,
  newest: Counter,
): WalletUsage["keys"] {
  // Most wallets use one key.
  if (Object.keys(keys).every((id) => id === originId)) return NO_COUNTERS;
  const oldest = lastDayOf(newest) - PERIOD_DAYS;
  let kept = Object.entries(keys)
    .filter(([id, days]) => id !== originId && lastDayOf(days) >= oldest);
  if (kept.length > MAX_COUNTERS) {
    kept = kept.toSorted(([, a], [, b]) => lastDayOf(b) - lastDayOf(a))
      .slice(0, MAX_COUNTERS);
  }
  return Object.fromEntries(kept);
}

const lastDayOf = ({ since, units }: Counter) => since + units.length - 1;

/** Returns when a key was last used, in epoch ms; 0 if never. */
function lastOf({ single, batch }: Burst): number {
  return Math.max(single.at(-1) ?? 0, batch.at(-1) ?? 0);
}
