/** The HTTP status and the error code of each failure. The only table of statuses. */
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorCode } from "../../services/platform/error_codes_schema.ts";
import { type Failure, Fault } from "../../services/platform/fault.ts";
import { SCORING } from "./paths.ts";

/** The status and the code of each failure. */
export const ERROR_STATUSES = {
  badInput: { status: 400, code: "BAD_REQUEST" },
  unknownPath: { status: 404, code: "NOT_FOUND" },
  unknownChain: { status: 404, code: "NOT_FOUND" },
  unknownFile: { status: 404, code: "NOT_FOUND" },
  methodNotAllowed: { status: 405, code: "METHOD_NOT_ALLOWED" },
  preconditionFailed: { status: 412, code: "PRECONDITION_FAILED" },
  rangeNotSatisfiable: { status: 416, code: "RANGE_NOT_SATISFIABLE" },
  tooLarge: { status: 413, code: "PAYLOAD_TOO_LARGE" },
  lateBody: { status: 408, code: "REQUEST_TIMEOUT" },
  unauthorized: { status: 401, code: "UNAUTHORIZED" },
  signedOut: { status: 401, code: "SIGNED_OUT" },
  signatureRefused: { status: 401, code: "SIGNATURE_REFUSED" },
  crossSite: { status: 403, code: "CROSS_SITE" },
  unknownKey: { status: 404, code: "NOT_FOUND" },
  tooManyKeys: { status: 409, code: "TOO_MANY_KEYS" },
  tooManyFollows: { status: 409, code: "TOO_MANY_FOLLOWS" },
  tooManyChanges: { status: 429, code: "RATE_LIMITED" },
  ipRateLimit: { status: 429, code: "RATE_LIMITED" },
  networkRefused: { status: 403, code: "NETWORK_NOT_ALLOWED" },
  scopeRequired: { status: 403, code: "SCOPE_REQUIRED" },
  planRequired: { status: 402, code: "PLAN_REQUIRED" },
  rateLimited: { status: 429, code: "RATE_LIMITED" },
  capReached: { status: 429, code: "KEY_CAP_EXCEEDED" },
  quotaExceeded: { status: 429, code: "QUOTA_EXCEEDED" },
  signingDisabled: { status: 501, code: "NOT_ENABLED" },
  paymentsDisabled: { status: 501, code: "NOT_ENABLED" },
  unknownQuote: { status: 404, code: "QUOTE_NOT_FOUND" },
  quoteUsed: { status: 409, code: "QUOTE_USED" },
  capacitySold: { status: 409, code: "CAPACITY_SOLD" },
  alreadyOwned: { status: 409, code: "ALREADY_OWNED" },
  txUsed: { status: 409, code: "TX_USED" },
  txTooOld: { status: 422, code: "TX_TOO_OLD" },
  txMissing: { status: 422, code: "TX_NOT_FOUND" },
  txFailed: { status: 422, code: "TX_FAILED" },
  noTransfer: { status: 422, code: "NO_TRANSFER" },
  wrongToken: { status: 422, code: "WRONG_TOKEN" },
  wrongRecipient: { status: 422, code: "WRONG_RECIPIENT" },
  wrongSender: { status: 422, code: "WRONG_SENDER" },
  unknownProfile: { status: 404, code: "NOT_FOUND" },
  profileRequired: { status: 409, code: "PROFILE_REQUIRED" },
  slugTaken: { status: 409, code: "SLUG_TAKEN" },
  socialTaken: { status: 409, code: "SOCIAL_TAKEN" },
  socialHeld: { status: 409, code: "SOCIAL_LINKED" },
  unknownSocial: { status: 404, code: "NOT_FOUND" },
  recordMissing: { status: 422, code: "RECORD_NOT_FOUND" },
  linkRefused: { status: 403, code: "LINK_REFUSED" },
  linkingDisabled: { status: 501, code: "NOT_ENABLED" },
  contended: { status: 503, code: "CONTENDED" },
  storeFull: { status: 503, code: "STORE_FULL" },
  storeBusy: { status: 503, code: "STORE_BUSY" },
  scoringDown: { status: 500, code: "UPSTREAM_UNAVAILABLE" },
  scoringBusy: { status: 429, code: "SCORING_BUSY" },
  capacitySpent: { status: 429, code: "CAPACITY_SPENT" },
  upstreamDown: { status: 503, code: "UPSTREAM_UNAVAILABLE" },
  upstreamLacks: { status: 503, code: "UPSTREAM_UNAVAILABLE" },
  notReadYet: { status: 503, code: "NOT_READ_YET" },
} as const satisfies Record<
  Failure["kind"],
  { status: ContentfulStatusCode; code: ErrorCode }
>;

/** The code of an error that is not a fault, which is a bug. */
export const INTERNAL = "INTERNAL";

/** A code that is sent. Documenting a code that no failure has is a type error. */
type SentCode =
  | (typeof ERROR_STATUSES)[Failure["kind"]]["code"]
  | typeof INTERNAL;

/** The status of a feature that this deployment does not have. */
const NOT_ENABLED = 501;

/** The header of a simulated error, which a test address returned. */
const SIMULATED = "X-Simulated";

/** Returns the headers that mark an error as simulated; none for a real one. */
export function simulatedHeaders(error: unknown): Record<string, string> {
  const isSimulated = error instanceof Fault && error.isSimulated;
  return isSimulated ? { [SIMULATED]: "true" } : {};
}

/**
 * Returns whether an answer is a failure of the service. Anyone can ask for a feature
 * that is not enabled, and for simulated errors, so these are none.
 */
export function isFailure(
  answer: Pick<Response, "status" | "headers">,
): boolean {
  const { status } = answer;
  // Opening the headers takes time, so only errors are asked for them.
  return status >= 500 && status !== NOT_ENABLED &&
    !answer.headers.has(SIMULATED);
}

/** The scoring specification reserves 503 for the health probe: other trouble is a 500. */
const SCORING_TROUBLE = 500;

/** Returns the statuses that an error code is sent with. */
export function statusesOf(code: SentCode): number[] {
  if (code === INTERNAL) return [500];
  const statuses = Object.values(ERROR_STATUSES)
    .filter((answer) => answer.code === code).map(({ status }) => status)
    .flatMap((status) => status === 503 ? [SCORING_TROUBLE, status] : [status]);
  return [...new Set(statuses)].toSorted();
}

/** Returns the status of a failure on a path. */
export function statusOf(
  { kind }: Failure,
  path: string,
): ContentfulStatusCode {
  const { status } = ERROR_STATUSES[kind];
  return status === 503 && path.startsWith(`${SCORING}/`)
    ? SCORING_TROUBLE
    : status;
}
