/** Donations: how much of one counts. */
import { DAY_MS } from "../platform/days.ts";

/** What a donation between two profiles counted, whichever way it went. */
export interface CountedDonation {
  /** The time of its block, epoch ms. */
  readonly at: number;
  /** Base units. */
  readonly amount: bigint;
}

/** Between two profiles, money counts once in this time. */
const WINDOW_MS = 30 * DAY_MS;

/**
 * Returns how much of a donation counts: what it has beyond all that counted
 * between the two within 30 days of it. So money that goes to and fro, once or
 * many times, counts as its largest donation; and so does a donation cut in parts.
 */
export function countDonation(
  { at, amount }: CountedDonation,
  counted: readonly CountedDonation[],
): bigint {
  const before = counted.filter((other) => Math.abs(at - other.at) < WINDOW_MS)
    .reduce((sum, other) => sum + other.amount, 0n);
  return amount > before ? amount - before : 0n;
}
