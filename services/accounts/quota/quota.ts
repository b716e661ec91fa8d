/**
 * What a wallet and its key may still spend: decisions over small records.
 *
 * A unit counts against its wallet until 30 days after the end of the UTC hour
 * it was spent in, a request against its key for exactly the burst's window.
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

/** What a wallet spent: by hour, which decides, and by endpoint and day. */
export interface Period {
  readonly hours: Counter;
  readonly days: Readonly<Partial<Record<Metered, Counter>>>;
}

/** When the requests of a key were admitted, oldest first, one log a burst. */
export type Burst = Readonly<Record<BurstName, readonly number[]>>;

/** All that a decision depends on. */
export interface Usage {
  readonly period: Period;
  readonly burst: Burst;
}

/** A wallet that never spent. */
export const EMPTY_PERIOD: Period = { hours: EMPTY_COUNTER, days: {} };

/** A key that was never used. */
export const EMPTY_BURST: Burst = {
  single: [],
  batch: [],
};

/** What a request costs, and what it may use at most. */
export interface Charge {
  readonly endpoint: Metered;
  readonly units: number;
  /** Units that the wallet's plan has in 30 days. */
  readonly limit: number;
  readonly burst: BurstLimit;
}

/** How a caller stands, as the rate-limit headers say it; instants in epoch ms. */
export interface QuotaStatus {
  readonly limit: number;
  readonly remaining: number;
  /** When units that were refused fit the plan; else when a unit next leaves; else in 30 days. */
  readonly resetAt: number;
  /** The same of the key's burst, in requests; `resetAt` is now where none counts. */
  readonly burst: Readonly<Record<"limit" | "remaining" | "resetAt", number>>;
}

/** May the request be served? `usage` is to be kept where it is another object. */
export type Decision =
  & { readonly quotaStatus: QuotaStatus; readonly usage: Usage }
  & ({ readonly allowed: true } | Refusal);

/** Why a request is refused: nothing of it is counted. */
export interface Refusal {
  readonly allowed: false;
  /** The limit that takes longest to let it through. */
  readonly which: "burst" | "period";
  /** After this long it fits, if nobody spends meanwhile. */
  readonly retryAfterMs: number;
  /** What it needs of that limit and what is left of it: requests of a burst, units of a period. */
  readonly needed: number;
  readonly remaining: number;
}

/** Returns what a call of an endpoint costs on a plan. */
export function chargeOf(plan: PlanName, endpoint: Metered, units = 1): Charge {
  const burst = BURSTS[METERED[endpoint].burst];
  return { endpoint, units, limit: PLANS[plan].requests, burst };
}

/** Admits a request at `now` (epoch ms) and counts it, or says when it would fit. */
export function decide(held: Usage, charge: Charge, now: number): Decision {
  const usage = settle(held, now);
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
    // A full burst says nothing of when the plan's own units come back.
    quotaStatus: periodMs === 0
      ? quotaStatus
      : { ...quotaStatus, resetAt: now + periodMs },
    usage,
  };
}

/** Returns how a caller stands towards an endpoint; nothing is spent. */
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
    resetAt: hour === null ? now + PERIOD_MS : leavesAt(hour),
    burst: {
      limit: requests,
      remaining: Math.max(0, requests - log.length + first),
      resetAt: first === log.length ? now : log[first]! + perMs,
    },
  };
}

/** Lists what a wallet spent in the last 30 UTC days, today the last, by endpoint. */
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

/** Returns units spent at an instant to the wallet; the key's burst keeps the request. */
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
  const held = logOf(burst, charge);
  // Never before the one it follows: another process's clock may be faster.
  const at = Math.max(now, held.at(-1) ?? now);
  const log = held.slice(firstCounted(held, charge, now)).concat(at);
  return {
    period: {
      hours: increment(hours, thisHour, units),
      days: { ...days, [endpoint]: byDay },
    },
    burst: { ...burst, [METERED[endpoint].burst]: log },
  };
}

/** How long until a request fits the burst; 0 where it does. */
function burstWait(burst: Burst, charge: Charge, now: number): number {
  const { requests, perMs } = charge.burst;
  const log = logOf(burst, charge);
  if (log.length - firstCounted(log, charge, now) < requests) return 0;
  return log[log.length - requests]! + perMs - now;
}

/** How long until the units fit the period; more than the limit: until all is free. */
function periodWait(hours: Counter, charge: Charge, now: number): number {
  let excess = total(hours, oldestHour(now)) + charge.units - charge.limit;
  let waitMs = excess > 0 ? PERIOD_MS : 0;
  let hour = firstUsed(hours, oldestHour(now));
  while (excess > 0 && hour !== null) {
    waitMs = leavesAt(hour) - now;
    excess -= hours.units[hour - hours.since]!;
    hour = firstUsed(hours, hour + 1);
  }
  return waitMs;
}

/** Returns records that are not ahead of the clock: they themselves, or settled to now. */
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

/** The log that a request is written to. */
function logOf(burst: Burst, { endpoint }: Pick<Charge, "endpoint">) {
  return burst[METERED[endpoint].burst];
}

/** Where the part of a log begins that still counts. */
function firstCounted(
  log: readonly number[],
  { burst: { perMs } }: Pick<Charge, "burst">,
  now: number,
): number {
  const first = log.findIndex((at) => at + perMs > now);
  return first < 0 ? log.length : first;
}

const hourAt = (now: number) => Math.floor(now / HOUR_MS);

/** The oldest hour that counts: part of it is within the last 30 days. */
const oldestHour = (now: number) => hourAt(now) - PERIOD_HOURS;

/** When the units of an hour stop counting. */
const leavesAt = (hour: number) => (hour + 1 + PERIOD_HOURS) * HOUR_MS;
