/** The record of a wallet: what it spent, and how each of its keys was used. */
import { type Burst, EMPTY_BURST, EMPTY_PERIOD } from "./quota.ts";
import type { Period, Usage } from "./quota.ts";

/** One record, so that a request changes one: its period, and the burst of its key. */
export interface WalletUsage {
  readonly period: Period;
  /** By the id of the key. */
  readonly bursts: Readonly<Record<string, Burst>>;
}

/** A wallet without a record. */
export const NO_USAGE: WalletUsage = { period: EMPTY_PERIOD, bursts: {} };

/** After this long without a request nothing of a key's log counts, by no process's clock. */
const LOG_MS = 5 * 60_000;

/**
 * Logs of other keys that are kept, those used last: more than a wallet has keys
 * that work, and few enough for a record of 64 KiB, however fast keys are replaced.
 */
const MOST_LOGS = 40;

/** Returns what a decision about one of the wallet's keys depends on. */
export function usageOf(
  { period, bursts }: WalletUsage,
  keyId: string,
): Usage {
  return { period, burst: bursts[keyId] ?? EMPTY_BURST };
}

/** Returns the record with the usage of a key in it, and without the logs that count no more. */
export function withUsage(
  { bursts }: WalletUsage,
  keyId: string,
  { period, burst }: Usage,
): WalletUsage {
  const oldest = lastOf(burst) - LOG_MS;
  let kept = Object.entries(bursts)
    .filter(([id, log]) => id !== keyId && lastOf(log) > oldest);
  if (kept.length > MOST_LOGS) {
    kept = kept.toSorted(([, a], [, b]) => lastOf(b) - lastOf(a))
      .slice(0, MOST_LOGS);
  }
  return {
    period,
    bursts: { ...Object.fromEntries(kept), [keyId]: burst },
  };
}

/** When a key was last used, epoch ms; 0 where it never was. */
function lastOf({ single, batch }: Burst): number {
  return Math.max(single.at(-1) ?? 0, batch.at(-1) ?? 0);
}
