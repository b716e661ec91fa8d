/** The fault of a score that cannot be read. */
import { Fault, refusedClient } from "../platform/fault.ts";

/** Returns the fault of an upstream that cannot be read when no usable signals are stored. */
export function scoringDown(
  upstream: string,
  retryAfterMs: number,
  cause?: unknown,
): Fault {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const problem = refusedClient(cause) === undefined
    ? `${upstream} is out of reach and nothing is stored`
    : `your share of the calls to ${upstream} is used up and nothing is stored; ` +
      `try again in ${seconds} seconds`;
  return new Fault(
    `Cannot score the address: ${problem}`,
    { kind: "scoringDown", upstream, retryAfterMs },
    { cause },
  );
}
