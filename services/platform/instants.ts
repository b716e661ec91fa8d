/** Rounds timestamps, in epoch ms, down to coarser units. */
import { MINUTE_MS } from "./days.ts";

/** Returns the start of a timestamp's minute, in epoch ms. Scores change at most once a minute. */
export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE_MS) * MINUTE_MS;
}

/** Returns the start of a timestamp's second, in epoch ms. */
export function secondOf(now: number): number {
  return Math.floor(now / 1000) * 1000;
}

/** Returns whether less than a second has passed since an instant; false if the clock was set back. */
export function isWithinSecond(now: number, since: number): boolean {
  return now >= since && now < since + 1000;
}

/** Formats an instant, epoch ms, as ISO 8601. */
export function instant(ms: number): string;
export function instant(ms: number | null): string | null;
export function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Makes a function that formats instants and caches the last result: formatting is slower than a comparison. */
export function isoTimestamps(): (at: number) => string {
  let last = NaN;
  let text = "";
  return (at) => {
    if (at !== last) {
      text = new Date(at).toISOString();
      last = at;
    }
    return text;
  };
}
