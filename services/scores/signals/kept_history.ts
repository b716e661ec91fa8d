/**
 * Keeps the days that earlier reads showed of a long history. The index serves
 * only the newest and the oldest transactions, so later reads miss days when
 * the address, or somebody who sends to it, becomes more active.
 */
import type { ActiveDay, ChainSignals } from "../../model/signals.ts";

/** Days that are kept, the newest ones. They take about six bytes each. */
const MAX_DAYS = 5_000;

/** Returns whether transactions are missing in what was read. */
export function isCut(
  { nonce, use, isPartial }: Pick<ChainSignals, "nonce" | "use" | "isPartial">,
): boolean {
  return isPartial || use.count < nonce;
}

/**
 * Returns newly read signals with what older ones of the same index show besides. A
 * day has the largest figures of any read, because a read can only miss
 * transactions. A complete history is not changed.
 */
export function withKept(
  next: ChainSignals,
  stored: Pick<
    ChainSignals,
    "firstTxAt" | "funding" | "gasAvax" | "origin" | "use"
  >,
): ChainSignals {
  if (!isCut(next)) return next;
  const days = mergeDays(next.use.days, stored.use.days);
  const known = (some: readonly ActiveDay[]) =>
    some.reduce((sum, { varied }) => sum + varied, 0);
  const kept = known(days) - known(next.use.days);
  return {
    ...next,
    firstTxAt: earliest(next.firstTxAt, stored.firstTxAt),
    gasAvax: Math.max(next.gasAvax, stored.gasAvax),
    funding: next.funding ?? stored.funding,
    origin: next.origin ?? stored.origin,
    use: { count: Math.min(next.nonce, next.use.count + kept), days },
  };
}

/** Merges days, newest first. Of a day in both lists, the larger figures are kept. */
function mergeDays(
  next: readonly ActiveDay[],
  stored: readonly ActiveDay[],
): ActiveDay[] {
  const merged = new Map(next.map((day) => [day.day, day]));
  for (const day of stored) {
    const other = merged.get(day.day);
    merged.set(
      day.day,
      other === undefined ? day : {
        day: day.day,
        gasUnits: Math.max(day.gasUnits, other.gasUnits),
        varied: Math.max(day.varied, other.varied),
      },
    );
  }
  return [...merged.values()].sort((a, b) => b.day - a.day).slice(0, MAX_DAYS);
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? a ?? b : Math.min(a, b);
}
