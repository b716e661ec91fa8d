/** The fault of a score that cannot be read. */
import { Fault } from "../platform/fault.ts";

/** Returns the fault of an unreachable upstream when no usable signals are stored. */
export function scoringDown(
  upstream: string,
  retryAfterMs: number,
  cause?: unknown,
): Fault {
  return new Fault(
    `Cannot score the address: ${upstream} is out of reach and nothing is stored`,
    { kind: "scoringDown", upstream, retryAfterMs },
    { cause },
  );
}
