/** Changes of a ledger. After a reorganisation a wallet keeps no more than it paid, less what it used. */
import { apply, type Entitlements, replay } from "./billing.ts";
import { isCounted, type LedgerEntry } from "./ledger.ts";
import { exactValueOf, spansFrom, UNIT_PERIOD } from "./paid_time.ts";
import type { PlanRecord, UsedTime } from "./plans_store.ts";
import { PRODUCTS } from "./plans_schema.ts";

/** Returns the paid time that a wallet has used up to an instant. */
function usedUntil(
  { entitlements: { times }, used }: PlanRecord,
  at: number,
): UsedTime {
  if (at <= used.until) return used;
  const passed = exactValueOf(spansFrom(times, used.until)) -
    exactValueOf(spansFrom(times, at));
  return { value: used.value + passed, until: at };
}

/** A change of a ledger, with the record that follows from the whole ledger. */
export interface LedgerChange {
  /** The entries that are new or changed, by number. */
  readonly changed: ReadonlyMap<number, LedgerEntry>;
  readonly record: PlanRecord;
}

/** Appends an entry to the ledger of a record. */
export function appendEntry(
  record: PlanRecord,
  entry: LedgerEntry,
  entitlements: Entitlements,
): LedgerChange {
  const { entries } = record;
  const used = usedUntil(record, entitlements.changedAt);
  return {
    changed: new Map([[entries, entry]]),
    record: { entitlements, entries: entries + 1, used },
  };
}

/**
 * Replaces an entry of a ledger at an instant, and computes the entitlements again.
 * Paid time that was used since then may be missing in the changed ledger: the same
 * payments can buy other times in another order. Its value is deducted, so that a
 * payment that leaves the chain and returns never gives time twice.
 */
export function replaceEntry(
  ledger: readonly LedgerEntry[],
  [number, entry]: readonly [number: number, entry: LedgerEntry],
  { record, at }: { readonly record: PlanRecord; readonly at: number },
): LedgerChange {
  const changed = new Map([[number, entry]]);
  for (const [nth, other] of ledger.entries()) {
    if (other.kind !== "deduction" || !isCounted(other)) continue;
    changed.set(nth, { ...other, revokedAt: at });
  }
  const counted = ledger.map((other, nth) => changed.get(nth) ?? other)
    .filter(isCounted);
  const used = usedUntil(record, at);
  const paid = counted.reduce(
    (sum, each) => sum + (each.kind === "payment" ? each.amount : 0n),
    0n,
  );
  const replayed = replay(counted);
  const excess = worthAt(replayed, at) - (paid * UNIT_PERIOD - used.value);
  if (excess <= 0n) {
    const { entries } = record;
    return { changed, record: { entitlements: replayed, entries, used } };
  }
  const deduction = {
    kind: "deduction",
    at,
    value: excess,
    revokedAt: null,
  } as const;
  changed.set(ledger.length, deduction);
  const { entitlements } = apply(replayed, deduction);
  const entries = ledger.length + 1;
  return { changed, record: { entitlements, entries, used } };
}

/** Returns the exact value of all that a wallet has at an instant: paid time, credit, membership and names. */
function worthAt(
  { times, credit, premiumMonths, slugs }: Entitlements,
  at: number,
): bigint {
  const lasting = credit + BigInt(premiumMonths) * PRODUCTS.premium.price +
    BigInt(slugs.length) * PRODUCTS.slug.price;
  return exactValueOf(spansFrom(times, at)) + lasting * UNIT_PERIOD;
}
