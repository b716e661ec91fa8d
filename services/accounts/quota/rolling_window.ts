/** Limits of units in any 30 days, counted by slots of an hour or a day. */
import { PERIOD_DAYS } from "../../payments/plans_schema.ts";
import { DAY_MS, HOUR_MS } from "../../platform/days.ts";
import { type Counter, firstUsed, total } from "./slot_counter.ts";

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
