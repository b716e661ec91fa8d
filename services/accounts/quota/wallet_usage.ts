/** Usage of a wallet: its period, and the burst of each of its keys. */
import { type Burst, EMPTY_BURST, EMPTY_PERIOD } from "./quota.ts";
import type { Period, Usage } from "./quota.ts";

/** Period and bursts share a record, so that a request writes one record. */
export interface WalletUsage {
  readonly period: Period;
  /** By the id of the key. */
  readonly bursts: Readonly<Record<string, Burst>>;
}

/** A wallet without a record. */
export const NO_USAGE: WalletUsage = { period: EMPTY_PERIOD, bursts: {} };

/** A log without a request for this long no longer counts, whatever the clock skew. */
const LOG_MS = 5 * 60_000;

/**
 * Logs of other keys that are kept, most recent first. More than the keys of a
 * wallet, and few enough for a record of 64 KiB even if keys are replaced fast.
 */
const MAX_LOGS = 40;

/** Returns the usage that a decision about one key depends on. */
export function usageOf(
  { period, bursts }: WalletUsage,
  keyId: string,
): Usage {
  return { period, burst: bursts[keyId] ?? EMPTY_BURST };
}

/** Replaces the usage of a key and drops logs that no longer count. */
export function withUsage(
  { bursts }: WalletUsage,
  keyId: string,
  { period, burst }: Usage,
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
  };
}

/** Returns when a key was last used, in epoch ms; 0 if never. */
function lastOf({ single, batch }: Burst): number {
  return Math.max(single.at(-1) ?? 0, batch.at(-1) ?? 0);
}
