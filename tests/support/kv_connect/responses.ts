/** Refusals, and waiting until a time. */

/** A timer of Deno fires about a millisecond late. */
const LATE_MS = 1;

/** Answers with an error as text. */
export function refuse(status: number, message: string): Response {
  return new Response(message, { status });
}

/** Resolves at a time of the monotonic clock, give or take half a millisecond. */
export function until(at: number): Promise<void> | undefined {
  const ms = Math.round(at - performance.now()) - LATE_MS;
  return ms < 0 ? undefined : pass(ms);
}

/** Resolves after this time; at once for none. */
export function pass(ms: number): Promise<void> | undefined {
  if (ms === 0) return undefined;
  return new Promise((resolve) => setTimeout(resolve, ms));
}
