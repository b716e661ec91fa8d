/** Paid time on plans: consecutive spans and their value. */
import { PERIOD_DAYS, type PlanName } from "./plans_schema.ts";
import { DAY_MS } from "../platform/days.ts";

/** Length of one paid period in milliseconds. */
export const PERIOD_MS = PERIOD_DAYS * DAY_MS;

/** Time on a plan, up to an instant. */
export interface PaidTime {
  readonly plan: PlanName;
  /** Epoch ms. */
  readonly paidUntil: number;
  /** Price of 30 days in base units; 0 for granted time. */
  readonly price: bigint;
}

/** An amount of time on a plan, not yet placed on the calendar. */
export interface Span {
  readonly plan: PlanName;
  readonly price: bigint;
  readonly ms: number;
}

/** Returns the time in force at an instant; null on the free plan. */
export function timeAt(
  times: readonly PaidTime[],
  now: number,
): PaidTime | null {
  return times.find(({ paidUntil }) => paidUntil > now) ?? null;
}

/** Returns the spans that remain at an instant. */
export function spansFrom(times: readonly PaidTime[], at: number): Span[] {
  let from = at;
  return times.filter(({ paidUntil }) => paidUntil > at)
    .map(({ plan, price, paidUntil }) => {
      const ms = paidUntil - from;
      from = paidUntil;
      return { plan, price, ms };
    });
}

/** Places spans one after the other from an instant. Equal neighbours are merged. */
export function placeSpans(spans: readonly Span[], at: number): PaidTime[] {
  const times: PaidTime[] = [];
  let paidUntil = at;
  for (const { plan, price, ms } of spans) {
    paidUntil += ms;
    const last = times.at(-1);
    if (last?.plan === plan && last.price === price) times.pop();
    times.push({ plan, price, paidUntil });
  }
  return times;
}

/** Returns spans without time of an exact value, taken from the last ones, rounded up. */
export function shortenSpans(spans: readonly Span[], value: bigint): Span[] {
  let left = value;
  return spans.toReversed().map((span) => {
    if (left <= 0n || span.price === 0n) return span;
    const lacking = (left + span.price - 1n) / span.price;
    const ms = Math.min(span.ms, Number(lacking));
    left -= BigInt(ms) * span.price;
    return { ...span, ms: span.ms - ms };
  }).filter(({ ms }) => ms > 0).toReversed();
}

/** Returns the total length of spans in milliseconds. */
export function totalMs(spans: readonly Span[]): number {
  return spans.reduce((sum, { ms }) => sum + ms, 0);
}

/** One base unit for one period: the unit of exact values. */
export const UNIT_PERIOD = BigInt(PERIOD_MS);

/** Returns the total value of spans in base units times the milliseconds of a period, which is exact. */
export function exactValueOf(spans: readonly Span[]): bigint {
  return spans.reduce((sum, { ms, price }) => sum + BigInt(ms) * price, 0n);
}

/** Returns the total value of spans in base units, rounded down. */
export function valueOf(spans: readonly Span[]): bigint {
  return exactValueOf(spans) / UNIT_PERIOD;
}

/** Returns the time in ms that an exact value buys at a price per period, rounded down, also below zero. */
export function timeFor(value: bigint, price: bigint): number {
  const ms = value / price;
  return Number(ms * price > value ? ms - 1n : ms);
}
