/**
 * How much of a wallet's donations counts towards its score: the net outflow to
 * others. Donations that a wallet received within 30 days of its own donation are
 * deducted, from any sender, so money that goes round in a circle counts for
 * nothing. Of several donations to one address within 30 days only the largest
 * counts, because ordinary transfers, which could return the money, are not recorded.
 */
import { DAY_MS, dayAt } from "../platform/days.ts";

/** What still counts of the donations to one address on one day. */
interface Given {
  /** The time of the last block, epoch ms. */
  readonly at: number;
  readonly to: string;
  /** Base units. */
  readonly amount: bigint;
}

/** What was received on one day and not yet deducted from a donation. */
type Received = Omit<Given, "to">;

/** The donations of a wallet, and those to it, each oldest first. */
export interface DonationFlows {
  readonly given: readonly Given[];
  readonly received: readonly Received[];
}

/** Flows of a wallet without donations. */
export const NO_FLOWS: DonationFlows = { given: [], received: [] };

/** Flows of a wallet after a donation, and what it adds to or takes from the counted sum. */
interface Credit {
  readonly flows: DonationFlows;
  readonly counted: bigint;
}

/** An address, and those that its stored signals tie it to. */
export interface Origins {
  readonly address: string;
  /** Who funded it first; null if unknown. */
  readonly funder: string | null;
  /** Where it sent nearly all it had; null if it did not. */
  readonly sweptTo: string | null;
}

/**
 * Returns whether one of two addresses funded the other first, or sent it all it had:
 * then what one gives the other stays with one owner, as far as that can be known.
 */
export function areTied(one: Origins, other: Origins): boolean {
  return [[one, other], [other, one]].some(([from, to]) =>
    from!.funder === to!.address || from!.sweptTo === to!.address
  );
}

/** Window in which donations are compared. */
const WINDOW_MS = 30 * DAY_MS;

/** Maximum number of entries in each list. Beyond it, the oldest are dropped if they left the window. */
export const MAX_REMEMBERED = 500;

/** Adds a donation to another address. The counted part is zero or more. */
export function give(flows: DonationFlows, gift: Given): Credit {
  const repeated = flows.given
    .filter((one) => one.to === gift.to && isInWindow(one, gift))
    .reduce((sum, { amount }) => sum + amount, 0n);
  const more = gift.amount > repeated ? gift.amount - repeated : 0n;
  const { left: received, taken } = deduct(flows.received, {
    ...gift,
    amount: more,
  });
  const given = remember(
    flows.given,
    { ...gift, amount: more - taken },
    (one) => one.to === gift.to,
  );
  // Without room, nothing counts: later receipts could not be deducted from it.
  if (given === null) return { flows, counted: 0n };
  return { flows: { given, received }, counted: more - taken };
}

/** Adds a donation from another address. The counted part is zero or negative. */
export function receive(flows: DonationFlows, receipt: Received): Credit {
  const { left: given, taken } = deduct(flows.given, receipt);
  const received = remember(
    flows.received,
    { ...receipt, amount: receipt.amount - taken },
    () => true,
  );
  return {
    flows: { given, received: received ?? flows.received },
    counted: -taken,
  };
}

/** Takes up to an amount out of the entries in its window, oldest first. */
function deduct<T extends Received>(
  entries: readonly T[],
  { at, amount }: Received,
): { left: T[]; taken: bigint } {
  let taken = 0n;
  const left = entries.map((entry) => {
    if (!isInWindow(entry, { at })) return entry;
    const part = entry.amount < amount - taken ? entry.amount : amount - taken;
    taken += part;
    return { ...entry, amount: entry.amount - part };
  });
  return { left: left.filter(({ amount }) => amount > 0n), taken };
}

/** Adds an entry to a list, merged with those of its day that are alike. Null if a full list has no room for it. */
function remember<T extends Received>(
  entries: readonly T[],
  entry: T,
  isAlike: (other: T) => boolean,
): readonly T[] | null {
  if (entry.amount === 0n) return entries;
  const isMerged = (other: T) =>
    dayAt(other.at) === dayAt(entry.at) && isAlike(other);
  const merged = entries.filter(isMerged).reduce((sum, other) => ({
    ...sum,
    at: Math.max(sum.at, other.at),
    amount: sum.amount + other.amount,
  }), entry);
  const all = [...entries.filter((other) => !isMerged(other)), merged]
    .toSorted((a, b) => a.at - b.at);
  if (all.length <= MAX_REMEMBERED) return all;
  const oldest = all[0]!;
  return oldest === merged || isInWindow(oldest, all.at(-1)!)
    ? null
    : all.slice(1);
}

function isInWindow(a: { at: number }, b: { at: number }): boolean {
  return Math.abs(a.at - b.at) < WINDOW_MS;
}
