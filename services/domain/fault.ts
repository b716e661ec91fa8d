/** The one error that the service throws on purpose. */

/** What stopped a request, in the service's own terms; HTTP is decided in `routes/on_error.ts`. */
export type Failure =
  | {
    kind: "badInput";
    parameter?: string;
    accepted?: readonly string[];
    invalid?: readonly string[];
  }
  | { kind: "unknownPath" }
  | { kind: "unknownChain"; chainId: number }
  | { kind: "methodNotAllowed"; allowed: readonly string[] }
  | { kind: "tooLarge"; mostBytes: number }
  | { kind: "unauthorized" }
  | { kind: "planRequired"; requiredPlan: string; upgrade: string }
  | {
    kind: "rateLimited" | "quotaExceeded";
    retryAfterMs: number;
    needed: number;
    remaining: number;
  }
  | { kind: "contended"; retryAfterMs: number }
  | { kind: "scoringDown"; upstream: string; retryAfterMs: number }
  | { kind: "upstreamDown"; upstream: string; retryAfterMs: number }
  | { kind: "upstreamLacks"; upstream: string; retryAfterMs: number };

/** A failure on its way to the caller; the message is safe to show. */
export class Fault extends Error {
  /** What happened, typed. */
  readonly failure: Failure;

  /** Creates a fault from a message, its failure and, where there is one, its cause. */
  constructor(message: string, failure: Failure, options?: ErrorOptions) {
    super(message, options);
    this.name = "Fault";
    this.failure = failure;
  }
}

/** Wait that a caller is told where upstream said nothing of one. */
const RETRY_AFTER_MS = 30_000;

/** Returns the fault of an upstream that gave no usable answer. */
export function upstreamDown(
  upstream: string,
  reason: string,
  { retryAfterMs = RETRY_AFTER_MS, cause }: {
    retryAfterMs?: number;
    cause?: unknown;
  } = {},
): Fault {
  return new Fault(
    `Cannot read ${upstream}: ${reason}`,
    { kind: "upstreamDown", upstream, retryAfterMs },
    { cause },
  );
}
