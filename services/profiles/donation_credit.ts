/** How much of a donation counts towards the score. */
import { DAY_MS } from "../platform/days.ts";

/** The counted part of a donation between two addresses, in either direction. */
export interface CountedDonation {
  /** The time of its block, epoch ms. */
  readonly at: number;
  /** Base units. */
  readonly amount: bigint;
}

/** Window in which donations between two addresses are counted together. */
const WINDOW_MS = 30 * DAY_MS;

/**
 * Returns how much of a donation counts: its amount minus everything that counted
 * between the two addresses within 30 days of it. Money that is sent back and
 * forth counts only as the largest donation.
 */
export function countDonation(
  { at, amount }: CountedDonation,
  counted: readonly CountedDonation[],
): bigint {
  const before = counted.filter((other) => Math.abs(at - other.at) < WINDOW_MS)
    .reduce((sum, other) => sum + other.amount, 0n);
  return amount > before ? amount - before : 0n;
}
