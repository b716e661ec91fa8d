/** The fault of a score that cannot be read. */
import { describeUsedUp, Fault } from "../platform/fault.ts";
import { retryWords } from "../platform/retry_words.ts";

/** Returns the fault of an upstream that cannot be read when no usable signals are stored. */
export function scoringDown(
  upstream: string,
  retryAfterMs: number,
  cause?: unknown,
): Fault {
  const failure = cause instanceof Fault ? cause.failure : undefined;
  const problem = failure?.kind === "callsUsedUp"
    ? `${describeUsedUp(upstream, failure.usedBy)} and nothing is stored; ${
      retryWords(retryAfterMs)
    }`
    : `${upstream} is unreachable and nothing is stored`;
  return new Fault(
    `Cannot score the address: ${problem}`,
    { kind: "scoringDown", upstream, retryAfterMs },
    { cause },
  );
}
