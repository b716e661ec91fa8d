/** Time on plans: stretches one after the other, and what they cost. */
import { PERIOD_DAYS, type PlanName } from "./plans_schema.ts";
import { DAY_MS } from "../platform/days.ts";

/** Milliseconds that a plan's price is for. */
export const PERIOD_MS = PERIOD_DAYS * DAY_MS;

/** Time on a plan. */
export interface PaidTime {
  readonly plan: PlanName;
  /** Epoch ms. */
  readonly paidUntil: number;
  /** What 30 days of it cost, in base units; 0 where the operator granted it. */
  readonly price: bigint;
}

/** A stretch of a plan without its place in time. */
export interface Span {
  readonly plan: PlanName;
  readonly price: bigint;
  readonly ms: number;
}

/** Returns the time that runs at an instant; null where the wallet is on the free plan. */
export function timeAt(
  times: readonly PaidTime[],
  now: number,
): PaidTime | null {
  return times.find(({ paidUntil }) => paidUntil > now) ?? null;
}

/** Cuts what is left at an instant into its plans. */
export function spansFrom(times: readonly PaidTime[], at: number): Span[] {
  let from = at;
  return times.filter(({ paidUntil }) => paidUntil > at)
    .map(({ plan, price, paidUntil }) => {
      const ms = paidUntil - from;
      from = paidUntil;
      return { plan, price, ms };
    });
}

/** Puts spans one after the other, those alike into one. */
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

/** Adds up how long spans are, in milliseconds. */
export function totalMs(spans: readonly Span[]): number {
  return spans.reduce((sum, { ms }) => sum + ms, 0);
}

/** Adds up what spans cost, in base units, up to the next whole one. */
export function valueOf(spans: readonly Span[]): bigint {
  const period = BigInt(PERIOD_MS);
  const value = spans.reduce(
    (sum, { ms, price }) => sum + BigInt(ms) * price,
    0n,
  );
  return (value + period - 1n) / period;
}
