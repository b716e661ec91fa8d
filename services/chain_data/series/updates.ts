/** The days of a series that changed since an instant. */
import {
  type DayWindow,
  isComplete,
  isInferred,
  isWithdrawn,
} from "./buckets.ts";
import { type DailySeries, newestDay, valueOn } from "./series.ts";

/** A series, and the day on which it is answered. */
export interface EarlierState {
  readonly series: DailySeries;
  readonly today: number;
}

/** What changed. */
interface Updates {
  /** Days that were first seen, completed, revised or withdrawn. */
  readonly days: ReadonlySet<number>;
  /** Days that had a value and have none. */
  readonly removed: readonly number[];
}

/**
 * Lists what changed in a window after an instant, in epoch ms. `before` is the series
 * at that instant; without it every day is new. Growth of a day that was incomplete
 * then and is incomplete now is not a change.
 */
export function listUpdates(
  now: EarlierState,
  before: EarlierState | null,
  { after, window }: { readonly after: number; readonly window: DayWindow },
): Updates {
  const days = new Set<number>();
  const removed: number[] = [];
  const newest = Math.max(
    newestDay(now.series) ?? -Infinity,
    before === null ? -Infinity : newestDay(before.series) ?? -Infinity,
  );
  const end = Math.min(window.end, newest);
  for (let day = window.start; day <= end; day++) {
    const isThere = !Number.isNaN(valueOn(now.series, day));
    const wasThere = before !== null &&
      !Number.isNaN(valueOn(before.series, day));
    if (!isThere) {
      if (wasThere) removed.push(day);
    } else if (
      !wasThere || (now.series.revised?.get(day) ?? -Infinity) > after ||
      !isSame(stateOf(now, day), stateOf(before, day))
    ) days.add(day);
  }
  return { days, removed };
}

/** Returns the facts that an answer shows of a day. The value of a day that grows is left out. */
function stateOf({ series, today }: EarlierState, day: number) {
  const complete = isComplete(series, day, today);
  const inferred = isInferred(series, day);
  return [
    complete,
    inferred,
    isWithdrawn(series, day),
    complete || inferred ? valueOn(series, day) : null,
  ];
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.every((part, nth) => part === b[nth]);
}
