/** How long the on-chain signals of an address stay good, and which of two readings is kept. */
import { DAY_MS } from "../platform/days.ts";
import { ageMs } from "../platform/cache/freshness.ts";
import type { ChainSignals } from "./model/signals.ts";

/** How current signals are: good, usable where nothing better is to be had, or not there. */
export type Freshness = "fresh" | "stale" | "none";

/** What decides it. */
export type Reading = Pick<ChainSignals, "fetchedAt" | "isPartial">;

/** How long the signals of an address count as fresh. */
export const SIGNALS_FRESH_MS = DAY_MS;

/** Upstream may give the rest in a moment. */
const PARTIAL_FRESH_MS = 5 * 60_000;

const USABLE_MS = 7 * DAY_MS;

/** Returns how current signals are at an instant; both ends of a span belong to it. */
export function freshnessOf(signals: Reading, now: number): Freshness {
  const age = ageMs(signals, now);
  const freshMs = signals.isPartial ? PARTIAL_FRESH_MS : SIGNALS_FRESH_MS;
  if (age <= freshMs) return "fresh";
  return age <= USABLE_MS ? "stale" : "none";
}

/**
 * Returns whether a new reading takes the place of the held one: it is not
 * older, and not a part of what is held whole and still usable.
 */
export function supersedes(next: Reading, held: Reading): boolean {
  const losesPart = next.isPartial && !held.isPartial &&
    freshnessOf(held, next.fetchedAt) !== "none";
  return !losesPart && next.fetchedAt >= held.fetchedAt;
}
