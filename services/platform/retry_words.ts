/** Words for the wait after a refusal. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./days.ts";

/** Units of a wait and the shortest wait that is given in them, longest first; in ms. */
const UNITS = [
  { name: "day", ms: DAY_MS, fromMs: 2 * DAY_MS },
  { name: "hour", ms: HOUR_MS, fromMs: 2 * HOUR_MS },
  { name: "minute", ms: MINUTE_MS, fromMs: 2 * MINUTE_MS },
  { name: "second", ms: 1_000, fromMs: 0 },
] as const;

/** Returns when a request may be sent again, such as "try again in 12 seconds". The wait is rounded up. */
export function retryWords(retryAfterMs: number): string {
  const { name, ms } = UNITS.find(({ fromMs }) => retryAfterMs > fromMs) ??
    UNITS.at(-1)!;
  const count = Math.max(1, Math.ceil(retryAfterMs / ms));
  return `try again in ${count} ${name}${count === 1 ? "" : "s"}`;
}
