/** Freshness of on-chain signals, and which of two results is kept. */
import { DAY_MS } from "../platform/days.ts";
import { ageMs } from "../platform/cache/freshness.ts";
import type { ChainSignals } from "./model/signals.ts";

/** Fresh, usable if nothing better is available, or not usable. */
export type Freshness = "fresh" | "stale" | "none";

/** The fields that freshness depends on. */
type Fetched = Pick<ChainSignals, "fetchedAt" | "isPartial">;

/** How long the signals of an address count as fresh. */
export const SIGNALS_FRESH_MS = DAY_MS;

/** Upstream may return the rest soon. */
const PARTIAL_FRESH_MS = 5 * 60_000;

const USABLE_MS = 7 * DAY_MS;

/** Returns the freshness of signals at an instant. Limits are inclusive. */
export function freshnessOf(signals: Fetched, now: number): Freshness {
  const age = ageMs(signals, now);
  const freshMs = signals.isPartial ? PARTIAL_FRESH_MS : SIGNALS_FRESH_MS;
  if (age <= freshMs) return "fresh";
  return age <= USABLE_MS ? "stale" : "none";
}

/**
 * Returns whether new signals replace the stored ones: they are not older, and not
 * partial while the stored ones are complete and still usable.
 */
export function supersedes(next: Fetched, stored: Fetched): boolean {
  const losesPart = next.isPartial && !stored.isPartial &&
    freshnessOf(stored, next.fetchedAt) !== "none";
  return !losesPart && next.fetchedAt >= stored.fetchedAt;
}
