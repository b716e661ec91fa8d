/** Freshness of on-chain signals, and which of two results is kept. */
import { DAY_MS, MINUTE_MS } from "../../platform/days.ts";
import { ageMs } from "../../platform/cache.ts";
import type { ChainSignals } from "../../model/signals.ts";

/** Whether signals are current. */
export type Freshness = "fresh" | "stale";

/** The fields that freshness depends on. */
type Fetched = Pick<ChainSignals, "fetchedAt" | "isPartial">;

/** How long the signals of an address count as fresh. */
export const SIGNALS_FRESH_MS = DAY_MS;

/** Upstream may return the rest soon. */
const PARTIAL_FRESH_MS = 5 * MINUTE_MS;

/** How long signals replace those of an upstream that is down. */
const USABLE_MS = 7 * DAY_MS;

/** Returns until when stored signals are fresh, epoch ms, inclusive. */
export function freshUntil({ isPartial, fetchedAt }: Fetched): number {
  return fetchedAt + (isPartial ? PARTIAL_FRESH_MS : SIGNALS_FRESH_MS);
}

/** Returns when the day of signals ends, epoch ms: that of partial ones, too. */
export function dayEndOf({ fetchedAt }: Fetched): number {
  return fetchedAt + SIGNALS_FRESH_MS;
}

/** Returns the freshness of stored signals at an instant. */
export function freshnessOf(signals: Fetched, now: number): Freshness {
  return now <= freshUntil(signals) ? "fresh" : "stale";
}

/** Returns whether signals may replace those of a failed live read. The limit is inclusive. */
export function isUsable(signals: Fetched, now: number): boolean {
  return ageMs(signals, now) <= USABLE_MS;
}

/**
 * Returns whether new signals replace the stored ones: they are not older, and not
 * partial while the stored ones are complete and still usable.
 */
export function supersedes(next: Fetched, stored: Fetched): boolean {
  const losesPart = next.isPartial && !stored.isPartial &&
    isUsable(stored, next.fetchedAt);
  return !losesPart && next.fetchedAt >= stored.fetchedAt;
}
