/**
 * Behaviour of an address as a MinHash sketch (Broder 1997, one permutation): which
 * methods of which targets it called in which four weeks, and when first.
 */
import { dayAt } from "../platform/days.ts";

/** What a transaction used, and when. */
interface Use {
  /** Epoch ms. */
  readonly at: number;
  readonly to: string;
  readonly method: string;
}

/** Slots of a sketch. */
const SLOTS = 32;

/** Length of a window in days. */
const WINDOW_DAYS = 28;

/** Minimum number of filled slots of a sketch that can be compared. */
const MIN_FILLED = 4;

/**
 * Sketches what an address did. Each slot has two numbers: the lowest hash of a
 * use, and the UTC day of that use plus one; 0 if the slot is empty.
 */
export function behaviorOf(txs: readonly Use[]): Uint32Array<ArrayBuffer> {
  const sketch = new Uint32Array(2 * SLOTS);
  for (const { at, to, method } of txs) {
    const day = dayAt(at);
    const hash = hashOf(`${method}${to}${Math.floor(day / WINDOW_DAYS)}`);
    const slot = 2 * (hash % SLOTS);
    const value = hash >>> 5;
    const isEmpty = sketch[slot + 1] === 0;
    if (isEmpty || value < sketch[slot]!) {
      sketch[slot] = value;
      sketch[slot + 1] = day + 1;
    } else if (value === sketch[slot]) {
      sketch[slot + 1] = Math.min(sketch[slot + 1]!, day + 1);
    }
  }
  return sketch;
}

/**
 * Returns the share of an address's uses that another one had no later; null if
 * either has too few uses to compare.
 */
export function ledShare(
  own: Uint32Array<ArrayBuffer>,
  other: Uint32Array<ArrayBuffer>,
): number | null {
  let filled = 0;
  let otherFilled = 0;
  let led = 0;
  for (let slot = 0; slot < 2 * SLOTS; slot += 2) {
    const day = own[slot + 1] ?? 0;
    const otherDay = other[slot + 1] ?? 0;
    if (otherDay > 0) otherFilled++;
    if (day === 0) continue;
    filled++;
    if (otherDay > 0 && otherDay <= day && own[slot] === other[slot]) led++;
  }
  return Math.min(filled, otherFilled) < MIN_FILLED ? null : led / filled;
}

/** FNV-1a with 32 bits, and a final mix. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let nth = 0; nth < text.length; nth++) {
    hash = Math.imul(hash ^ text.charCodeAt(nth), 0x01000193);
  }
  hash = Math.imul(hash ^ hash >>> 16, 0x85ebca6b);
  return (hash ^ hash >>> 13) >>> 0;
}
