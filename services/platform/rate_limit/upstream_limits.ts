/**
 * Limits of the upstreams, and the shares of each class of calls. The hosts are in
 * `services/settings.ts`.
 */
import { DAY_MS, MINUTE_MS } from "../days.ts";
import type { Limit } from "./call_budget.ts";
import type { Shares } from "./shared_budget.ts";

/** Calls to the Metrics API in a minute. */
export const METRICS_CALLS_PER_MINUTE = 78;

/** The part of jobs: a sweep of 2,604 series takes less than an hour. */
const METRICS_JOB_CALLS = 50;

/**
 * Together below the Metrics API's limits without a key, by the stricter of its
 * two published weights: 80 calls a minute and 12,000 a day. Readers and jobs are
 * counted separately, so neither can use up the calls of the other.
 */
export const METRICS_LIMITS = {
  readers: [
    { calls: METRICS_CALLS_PER_MINUTE - METRICS_JOB_CALLS, perMs: MINUTE_MS },
    { calls: 2_000, perMs: DAY_MS },
  ],
  jobs: [
    { calls: METRICS_JOB_CALLS, perMs: MINUTE_MS },
    { calls: 10_000, perMs: DAY_MS },
  ],
} satisfies Record<string, readonly Limit[]>;

/** Returns the limits of the explorer index. */
export function explorerLimits(
  { perSecond, perDay }: {
    readonly perSecond: number;
    readonly perDay: number;
  },
): readonly Limit[] {
  return [
    { calls: perSecond, perMs: 1_000 },
    { calls: perDay, perMs: DAY_MS },
  ];
}

/** The daily checks of chain data are few and must not fail; half of a day is for plans. */
export const EXPLORER_SHARES: Shares = {
  reservedFor: ["service"],
  reserve: 0.02,
  plansOnly: 0.5,
};

/** Public nodes publish no limit. This rate was never refused. */
export const RPC_LIMITS: readonly Limit[] = [{ calls: 240, perMs: MINUTE_MS }];

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
