/** Usage of a wallet: its period, and the burst of each of its keys. */
import { type Burst, EMPTY_BURST, EMPTY_PERIOD } from "./quota.ts";
import type { Period, Usage } from "./quota.ts";
import { PERIOD_DAYS } from "../../payments/plans_schema.ts";
import { type Counter, EMPTY_COUNTER } from "./rolling_window.ts";
import { MINUTE_MS } from "../../platform/days.ts";

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
