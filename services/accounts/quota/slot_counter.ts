/** Counts in slots of time (hours, days): small values that forget what is old. */

/**
 * Units by slot, without gaps; a slot is a number counted from the epoch. Never
 * changed in place. A list is made in a tenth of the time of a typed array.
 */
export interface Counter {
  /** The slot of the first number. */
  readonly since: number;
  readonly units: readonly number[];
}

/** Nothing counted yet. */
export const EMPTY_COUNTER: Counter = {
  since: 0,
  units: [],
};

/** Returns the units of all slots from `oldest` on. */
export function total({ since, units }: Counter, oldest: number): number {
  let sum = 0;
  for (let i = Math.max(0, oldest - since); i < units.length; i++) {
    sum += units[i]!;
  }
  return sum;
}

/** Returns the first slot from `oldest` on that has units, or null. */
export function firstUsed(
  { since, units }: Counter,
  oldest: number,
): number | null {
  for (let i = Math.max(0, oldest - since); i < units.length; i++) {
    if (units[i]! > 0) return since + i;
  }
  return null;
}

/** Counts units in a slot and forgets all slots before `oldest`. */
export function increment(
  { since, units }: Counter,
  { slot, oldest }: { slot: number; oldest: number },
  by: number,
): Counter {
  const kept = units.slice(Math.max(0, oldest - since));
  const from = kept.length === 0 ? slot : Math.max(since, oldest);
  const first = Math.min(slot, from);
  if (first < from) kept.unshift(...Array(from - first).fill(0));
  while (kept.length <= slot - first) kept.push(0);
  kept[slot - first]! += by;
  return { since: first, units: kept };
}

/** Takes units out of a slot, or out of the last where the slot is not there yet. */
export function decrement(counter: Counter, slot: number, by: number): Counter {
  const { since, units } = counter;
  const index = Math.min(slot - since, units.length - 1);
  if (index < 0) return counter;
  return { since, units: units.with(index, Math.max(0, units[index]! - by)) };
}

/** Moves what is counted after a slot into that slot. */
export function foldAfter(counter: Counter, slot: number): Counter {
  const { since, units } = counter;
  if (since + units.length - 1 <= slot) return counter;
  const kept = units.slice(0, Math.max(0, slot - since));
  return {
    since: Math.min(since, slot),
    units: [...kept, total(counter, slot)],
  };
}
