/** Counts what a database is asked, in requests, rounds and the units that the platform bills. */
import { BUDGET_RECORDS } from "../../../services/platform/rate_limit/call_budgets_store.ts";
import type { Asked } from "./faults.ts";
import type { AtomicWrite, KvEntry, ReadRange } from "./messages.ts";

/** The counts of a database. */
export interface Counts {
  asked: Asked;
  /** The rounds with a request that is not of rate limits alone. */
  readonly otherRounds: Set<number>;
}

/** What the platform bills as one read and as one write, in bytes. */
const READ_UNIT = 4_096;
const WRITE_UNIT = 1_024;

/** How the keys of budgets start: a text part, and its bytes until they end with zero. */
const BUDGETS = `\u0002${Object.keys(BUDGET_RECORDS.collections)[0]}\u0000`;
const LATIN1 = new TextDecoder("latin1");

/** Counts a snapshot read. */
export function noteRead(
  counts: Counts,
  round: number,
  { ranges, found }: {
    readonly ranges: readonly ReadRange[];
    readonly found: readonly (readonly KvEntry[])[];
  },
): void {
  const { asked } = counts;
  noteRound(counts, round, ranges.map(({ start }) => start));
  asked.reads++;
  asked.ranges += ranges.length;
  for (const entries of found) {
    const bytes = entries.reduce(
      (sum, { key, value }) => sum + key.length + value.length,
      0,
    );
    asked.readUnits += unitsOf(bytes, READ_UNIT);
  }
}

/** Counts a transaction. */
export function noteWrite(
  counts: Counts,
  round: number,
  { mutations }: Pick<AtomicWrite, "mutations">,
): void {
  const { asked } = counts;
  noteRound(counts, round, mutations.map(({ key }) => key));
  asked.writes++;
  asked.mutations += mutations.length;
  for (const { key, value } of mutations) {
    const bytes = key.length + (value?.data.length ?? 0);
    asked.writeUnits += unitsOf(bytes, WRITE_UNIT);
  }
}

/** Returns the units of a read or of a write; each is at least one. */
function unitsOf(bytes: number, unit: number): number {
  return Math.max(1, Math.ceil(bytes / unit));
}

/** Notes a round that reads or writes anything but budgets of rate limits. */
function noteRound(
  { otherRounds }: Counts,
  round: number,
  keys: readonly Uint8Array[],
): void {
  const isOfLimits = (key: Uint8Array) =>
    LATIN1.decode(key).startsWith(BUDGETS);
  if (!keys.every(isOfLimits)) otherRounds.add(round);
}
