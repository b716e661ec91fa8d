/** Units counted by time slot (hours, days), and limits of units in any 30 days. */
import { PERIOD_DAYS } from "../../payments/plans_schema.ts";
import { DAY_MS, HOUR_MS } from "../../platform/days.ts";

/** A window of 30 days: a unit counts until 30 days after the end of its slot. */
export interface Window {
  readonly slotMs: number;
  /** Whole slots of the window. */
  readonly slots: number;
}

/** The window of a wallet's quota. */
export const HOURLY: Window = {
  slotMs: HOUR_MS,
  slots: PERIOD_DAYS * DAY_MS / HOUR_MS,
};

/** The window of a key's cap. A wallet has many keys, so that their counters are small. */
export const DAILY: Window = { slotMs: DAY_MS, slots: PERIOD_DAYS };

/** A limit and what is left of it; times in epoch ms. */
export interface WindowStatus {
  readonly limit: number;
  /** Units that count. More than the limit if it was larger before. */
  readonly used: number;
  readonly remaining: number;
  /** When the oldest counted unit expires, or in 30 days if none is counted. */
  readonly resetAt: number;
}

/** Returns the slot of an instant. */
export const slotAt = ({ slotMs }: Window, now: number) =>
  Math.floor(now / slotMs);

/** Returns the oldest slot that is partly within the last 30 days. */
export const oldestSlot = (window: Window, now: number) =>
  slotAt(window, now) - window.slots;

/** Returns what is left of a limit. */
export function windowStatus(
  window: Window,
  counter: Counter,
  { limit, now }: { readonly limit: number; readonly now: number },
): WindowStatus {
  const oldest = oldestSlot(window, now);
  const slot = firstUsed(counter, oldest);
  const used = total(counter, oldest);
  return {
    limit,
    used,
    remaining: Math.max(0, limit - used),
    resetAt: slot === null
      ? now + window.slots * window.slotMs
      : expiresAt(window, slot),
  };
}

/** Returns how long until the units fit the limit, 0 if they do; for more units than the limit, until all are free. */
export function windowWait(
  window: Window,
  counter: Counter,
  { units, limit, now }: Readonly<Record<"units" | "limit" | "now", number>>,
): number {
  const oldest = oldestSlot(window, now);
  let excess = total(counter, oldest) + units - limit;
  let waitMs = excess > 0 ? window.slots * window.slotMs : 0;
  let slot = firstUsed(counter, oldest);
  while (excess > 0 && slot !== null) {
    waitMs = expiresAt(window, slot) - now;
    excess -= counter.units[slot - counter.since]!;
    slot = firstUsed(counter, slot + 1);
  }
  return waitMs;
}

/** When the units of a slot expire. */
const expiresAt = ({ slotMs, slots }: Window, slot: number) =>
  (slot + 1 + slots) * slotMs;

/**
 * Units by slot, without gaps. A slot is an integer counted from the epoch.
 * Immutable. Creating an array takes a tenth of the time of a typed array.
 */
export interface Counter {
  /** The slot of the first number. */
  readonly since: number;
  readonly units: readonly number[];
}

/** An empty counter. */
export const EMPTY_COUNTER: Counter = {
  since: 0,
  units: [],
};

/** Sums the units of all slots from `oldest` on. */
export function total({ since, units }: Counter, oldest: number): number {
  let sum = 0;
  for (let i = Math.max(0, oldest - since); i < units.length; i++) {
    sum += units[i]!;
  }
  return sum;
}

/** Returns the first slot from `oldest` on with units; null if there is none. */
function firstUsed(
  { since, units }: Counter,
  oldest: number,
): number | null {
  for (let i = Math.max(0, oldest - since); i < units.length; i++) {
    if (units[i]! > 0) return since + i;
  }
  return null;
}

/** Adds units to a slot and drops all slots before `oldest`. */
export function increment(
  { since, units }: Counter,
  { slot, oldest }: { slot: number; oldest: number },
  by: number,
): Counter {
  const left = units.slice(Math.max(0, oldest - since));
  const from = left.length === 0 ? slot : Math.max(since, oldest);
  const first = Math.min(slot, from);
  const kept = first < from
    ? [...Array<number>(from - first).fill(0), ...left]
    : left;
  while (kept.length <= slot - first) kept.push(0);
  kept[slot - first]! += by;
  return { since: first, units: kept };
}

/** Subtracts units from a slot, or from the last one if the slot does not exist yet. */
export function decrement(counter: Counter, slot: number, by: number): Counter {
  const { since, units } = counter;
  const index = Math.min(slot - since, units.length - 1);
  if (index < 0) return counter;
  return { since, units: units.with(index, Math.max(0, units[index]! - by)) };
}

/** Moves the units of all later slots into a slot. */
export function foldAfter(counter: Counter, slot: number): Counter {
  const { since, units } = counter;
  if (since + units.length - 1 <= slot) return counter;
  const kept = units.slice(0, Math.max(0, slot - since));
  return {
    since: Math.min(since, slot),
    units: [...kept, total(counter, slot)],
  };
}
