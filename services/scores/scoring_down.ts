/** The fault of a score that cannot be read. */
import { Fault, refusedClient } from "../platform/fault.ts";

/** Returns the fault of an upstream that cannot be read when no usable signals are stored. */
export function scoringDown(
  upstream: string,
  retryAfterMs: number,
  cause?: unknown,
): Fault {
  const problem = refusedClient(cause) === undefined
    ? `${upstream} is out of reach`
    : `your share of the calls to ${upstream} is used up`;
  return new Fault(
    `Cannot score the address: ${problem} and nothing is stored`,
    { kind: "scoringDown", upstream, retryAfterMs },
    { cause },
  );
}
