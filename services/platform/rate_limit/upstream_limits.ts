/**
 * Limits of the upstreams, and the shares of each class of calls. The hosts are in
 * `services/settings.ts`.
 */
import { DAY_MS, MINUTE_MS } from "../days.ts";
import { type Limit, partOf, type Shares } from "./call_budget.ts";

/** The calls that a source allows. */
export interface AllowedCalls {
  readonly perSecond?: number | undefined;
  readonly perMinute?: number | undefined;
  readonly perDay?: number | undefined;
}

/** Returns the calls that a source allows as limits, the shortest first. */
export function limitsOf(
  { perSecond, perMinute, perDay }: AllowedCalls,
): readonly Limit[] {
  return [[perSecond, 1_000], [perMinute, MINUTE_MS], [perDay, DAY_MS]]
    .flatMap(([calls, perMs]) =>
      calls === undefined ? [] : [{ calls, perMs: perMs! }]
    );
}

/** The Metrics API's calls without a key, by the stricter of its two published weights. */
export const METRICS_CALLS: AllowedCalls = { perMinute: 80, perDay: 12_000 };

/** Calls that the explorer index allows without a key, and with a free one. */
export const EXPLORER_CALLS: Readonly<
  Record<"keyless" | "keyed", AllowedCalls>
> = {
  keyless: { perSecond: 2, perDay: 10_000 },
  keyed: { perSecond: 5, perDay: 100_000 },
};

/** The part of readers; a sweep of 3,004 series then takes jobs less than an hour. */
const METRICS_READER_PART: Readonly<Record<number, number>> = {
  [1_000]: 24 / 80,
  [MINUTE_MS]: 24 / 80,
  [DAY_MS]: 1 / 6,
};

/**
 * Divides the Metrics API's calls. Readers and jobs are counted separately, so
 * neither can use up the calls of the other.
 */
export function metricsLimits(
  allowed: AllowedCalls,
): Readonly<Record<"readers" | "jobs", readonly Limit[]>> {
  const limits = limitsOf(allowed);
  const readers = limits.map((limit) =>
    partOf(limit, METRICS_READER_PART[limit.perMs]!)
  );
  const jobs = limits.map(({ calls, perMs }, nth) => ({
    calls: Math.max(1, calls - readers[nth]!.calls),
    perMs,
  }));
  return { readers, jobs };
}

/** The daily checks of chain data are few and must not fail; half of a day is for plans. */
export const EXPLORER_SHARES: Shares = {
  reservedFor: ["service"],
  reserve: 0.02,
  plansOnly: 0.5,
};

/** Public nodes publish no limit. This rate was never refused. */
export const NODE_CALLS: AllowedCalls = { perMinute: 240 };

/** A further index has no other work than histories, so nothing of it is reserved. */
export const FURTHER_INDEX_SHARES: Shares = {
  reservedFor: [],
  reserve: 0,
  plansOnly: EXPLORER_SHARES.plansOnly,
};

/** Payments and signatures have a part of each node that nothing else can use. */
export const RPC_SHARES: Shares = {
  reservedFor: ["payments", "changes"],
  reserve: 0.25,
  plansOnly: 0,
};

/** Far above the number of people who link an account in a minute. */
export const LINKING_LIMITS: readonly Limit[] = [
  { calls: 120, perMs: MINUTE_MS },
];
