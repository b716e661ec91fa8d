/** When what a source takes back is accepted. */
import { HOUR_MS } from "../../platform/days.ts";

/** Reads that must agree, and the time that they must span. */
const MIN_READS = 3;
const MIN_SPAN_MS = 2 * HOUR_MS;

/** Returns whether enough reads have shown that a day or a chain is gone; instants in epoch ms. */
export function isCertain(
  { foundAt, reads }: { readonly foundAt: number; readonly reads: number },
  readAt: number,
): boolean {
  return reads >= MIN_READS && readAt - foundAt >= MIN_SPAN_MS;
}
