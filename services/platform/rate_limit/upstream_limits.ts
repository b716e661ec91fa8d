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

/** Paid plans have the larger part of the explorer index, and free wallets the rest. */
export const EXPLORER_SHARES: Shares = {
  service: { reserved: 0.05, asking: 0.1, max: 0.1 },
  paid: { reserved: 0.55, asking: 1, max: 0.8 },
  free: { reserved: 0, asking: 0, max: 0.4 },
};

/** Public nodes publish no limit. This rate was never refused. */
export const RPC_LIMITS: readonly Limit[] = [{ calls: 240, perMs: MINUTE_MS }];

/** Payments and signatures have a part of each node that nothing else can use. */
export const RPC_SHARES: Shares = {
  payments: { reserved: 0.2, asking: 0.3, max: 1 },
  signatures: { reserved: 0.05, asking: 0.05, max: 1 },
  service: { reserved: 0.1, asking: 0.1, max: 1 },
  paid: { reserved: 0.2, asking: 0.5, max: 1 },
  free: { reserved: 0, asking: 0, max: 1 },
};

/** Far above the number of people who link an account in a minute. */
export const GITHUB_LIMITS: readonly Limit[] = [
  { calls: 120, perMs: MINUTE_MS },
];
