/**
 * Quota decisions for a wallet and its keys.
 *
 * A unit counts against the wallet until 30 days after the end of the UTC hour
 * in which it was spent. A request counts against its key for the burst's window.
 */
import type { BurstLimit, BurstName } from "../../payments/plans_schema.ts";
import type { Metered, PlanName } from "../../payments/plans_schema.ts";
import { BURSTS, METERED, METERED_NAMES } from "../../payments/plans_schema.ts";
import { PERIOD_DAYS, PLANS } from "../../payments/plans_schema.ts";
import {
  type Counter,
  EMPTY_COUNTER,
  firstUsed,
  total,
} from "./slot_counter.ts";
import { decrement, foldAfter, increment } from "./slot_counter.ts";
import { CLOCK_SKEW_MS } from "../../platform/clock.ts";
import { DAY_MS, dayAt, HOUR_MS } from "../../platform/days.ts";

const PERIOD_MS = PERIOD_DAYS * DAY_MS;
const PERIOD_HOURS = PERIOD_MS / HOUR_MS;

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
}

/** The period of a wallet without usage. */
export const EMPTY_PERIOD: Period = { hours: EMPTY_COUNTER, days: {} };

/** The burst of an unused key. */
export const EMPTY_BURST: Burst = {
  single: [],
  batch: [],
};

/** The cost of a request and its limits. */
export interface Charge {
  readonly endpoint: Metered;
  readonly units: number;
  /** Units that the wallet's plan includes in 30 days. */
  readonly limit: number;
  readonly burst: BurstLimit;
}

/** Limits and remaining units, as the rate-limit headers report them; times in epoch ms. */
export interface QuotaStatus {
  readonly limit: number;
  readonly remaining: number;
  /**
   * After a refusal: when the refused units fit. Otherwise: when the oldest
   * counted unit expires, or in 30 days if none is counted.
   */
  readonly resetAt: number;
  /** The same for the key's burst, in requests; `resetAt` is now if none counts. */
  readonly burst: Readonly<Record<"limit" | "remaining" | "resetAt", number>>;
}

/** Whether a request is admitted. Store `usage` if it is a new object. */
export type Decision =
  & { readonly quotaStatus: QuotaStatus; readonly usage: Usage }
  & ({ readonly allowed: true } | Refusal);

/** Why a request is refused. Nothing is counted. */
export interface Refusal {
  readonly allowed: false;
  /** The limit with the longer wait. */
  readonly which: "burst" | "period";
  /** The request fits after this time if nothing else is spent. */
  readonly retryAfterMs: number;
  /** Needed and remaining amounts: requests of a burst, units of a period. */
  readonly needed: number;
  readonly remaining: number;
}

/** Returns the charge of a call on a plan. */
export function chargeOf(plan: PlanName, endpoint: Metered, units = 1): Charge {
  const burst = BURSTS[METERED[endpoint].burst];
  return { endpoint, units, limit: PLANS[plan].requests, burst };
}

/** Admits and counts a request at `now` (epoch ms), or returns when it would fit. */
export function decide(stored: Usage, charge: Charge, now: number): Decision {
  const usage = settle(stored, now);
  const burstMs = burstWait(usage.burst, charge, now);
  const periodMs = periodWait(usage.period.hours, charge, now);
  const retryAfterMs = Math.max(burstMs, periodMs);
  if (retryAfterMs === 0) {
    const spent = spend(usage, charge, now);
    const quotaStatus = quotaStatusOf(spent, charge, now);
    return { allowed: true, quotaStatus, usage: spent };
  }
  const quotaStatus = quotaStatusOf(usage, charge, now);
  const asked = burstMs > periodMs
    ? {
      which: "burst",
      needed: 1,
      remaining: quotaStatus.burst.remaining,
    } as const
    : {
      which: "period",
      needed: charge.units,
      remaining: quotaStatus.remaining,
    } as const;
  return {
    allowed: false,
    ...asked,
    retryAfterMs,
    // A full burst does not change when the plan's units expire.
    quotaStatus: periodMs === 0
      ? quotaStatus
      : { ...quotaStatus, resetAt: now + periodMs },
    usage,
  };
}

/** Returns the quota status for an endpoint. Nothing is spent. */
export function quotaStatusOf(
  usage: Usage,
  charge: Omit<Charge, "units">,
  now: number,
): QuotaStatus {
  const { limit, burst: { requests, perMs } } = charge;
  const { hours } = usage.period;
  const hour = firstUsed(hours, oldestHour(now));
  const log = logOf(usage.burst, charge);
  const first = firstCounted(log, charge, now);
  return {
    limit,
    remaining: Math.max(0, limit - total(hours, oldestHour(now))),
    resetAt: hour === null ? now + PERIOD_MS : expiresAt(hour),
    burst: {
      limit: requests,
      remaining: Math.max(0, requests - log.length + first),
      resetAt: first === log.length ? now : log[first]! + perMs,
    },
  };
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
    hours: decrement(hours, hourAt(spentAt), units),
    days: { ...days, [endpoint]: decrement(byDay, dayAt(spentAt), units) },
  };
}

function spend(
  { period: { hours, days }, burst }: Usage,
  charge: Charge,
  now: number,
): Usage {
  const { endpoint, units } = charge;
  const thisHour = { slot: hourAt(now), oldest: oldestHour(now) };
  const today = { slot: dayAt(now), oldest: dayAt(now) - PERIOD_DAYS + 1 };
  const byDay = increment(days[endpoint] ?? EMPTY_COUNTER, today, units);
  const before = logOf(burst, charge);
  // Keep the log in order: another process's clock may be ahead.
  const at = Math.max(now, before.at(-1) ?? now);
  const log = before.slice(firstCounted(before, charge, now)).concat(at);
  return {
    period: {
      hours: increment(hours, thisHour, units),
      days: { ...days, [endpoint]: byDay },
    },
    burst: { ...burst, [METERED[endpoint].burst]: log },
  };
}

/** Returns how long until a request fits the burst; 0 if it does. */
function burstWait(burst: Burst, charge: Charge, now: number): number {
  const { requests, perMs } = charge.burst;
  const log = logOf(burst, charge);
  if (log.length - firstCounted(log, charge, now) < requests) return 0;
  return log[log.length - requests]! + perMs - now;
}

/** Returns how long until the units fit the period; for more units than the limit, until all are free. */
function periodWait(hours: Counter, charge: Charge, now: number): number {
  let excess = total(hours, oldestHour(now)) + charge.units - charge.limit;
  let waitMs = excess > 0 ? PERIOD_MS : 0;
  let hour = firstUsed(hours, oldestHour(now));
  while (excess > 0 && hour !== null) {
    waitMs = expiresAt(hour) - now;
    excess -= hours.units[hour - hours.since]!;
    hour = firstUsed(hours, hour + 1);
  }
  return waitMs;
}

/** Moves entries that are ahead of the clock to now; returns the same object if there are none. */
function settle(usage: Usage, now: number): Usage {
  const { period: { hours, days }, burst } = usage;
  const latest = now + CLOCK_SKEW_MS;
  const periodAhead = hours.since + hours.units.length - 1 > hourAt(latest);
  const [single = now, batch = now] = [burst.single.at(-1), burst.batch.at(-1)];
  if (!periodAhead && Math.max(single, batch) <= latest) return usage;
  const toNow = (log: readonly number[]) => log.map((at) => Math.min(at, now));
  const byDay = Object.entries(days).map(([name, counter]) =>
    [name, foldAfter(counter, dayAt(now))] as const
  );
  return {
    period: {
      hours: foldAfter(hours, hourAt(now)),
      days: Object.fromEntries(byDay),
    },
    burst: { single: toNow(burst.single), batch: toNow(burst.batch) },
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

const hourAt = (now: number) => Math.floor(now / HOUR_MS);

/** The oldest hour that is partly within the last 30 days. */
const oldestHour = (now: number) => hourAt(now) - PERIOD_HOURS;

/** When the units of an hour expire. */
const expiresAt = (hour: number) => (hour + 1 + PERIOD_HOURS) * HOUR_MS;
