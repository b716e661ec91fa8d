/** Maps faults to HTTP answers. The only table of statuses. */
import { redactKeys } from "../../services/platform/observability/redact.ts";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorCode } from "../../services/platform/error_codes_schema.ts";
import type { PlatformDeps } from "../../services/platform/deps.ts";
import { CommitOutcomeUnknown } from "../../services/platform/kv/commit_outcome_unknown.ts";
import { type Failure, Fault } from "../../services/platform/fault.ts";
import { policyEntry, statusEntry, VARY_BY_KEY } from "./rate_limit_headers.ts";
import { EXPOSED_HEADERS } from "../http/representation.ts";

import { SCORING } from "../paths.ts";
import { answerPage, isPagePath, prefersPage } from "../http/page.ts";
import { errorPage } from "../views/error_page.ts";

const ANSWERS = {
  badInput: { status: 400, code: "BAD_REQUEST" },
  unknownPath: { status: 404, code: "NOT_FOUND" },
  unknownChain: { status: 404, code: "NOT_FOUND" },
  methodNotAllowed: { status: 405, code: "METHOD_NOT_ALLOWED" },
  tooLarge: { status: 413, code: "PAYLOAD_TOO_LARGE" },
  lateBody: { status: 408, code: "REQUEST_TIMEOUT" },
  unauthorized: { status: 401, code: "UNAUTHORIZED" },
  signedOut: { status: 401, code: "SIGNED_OUT" },
  signatureRefused: { status: 401, code: "SIGNATURE_REFUSED" },
  crossSite: { status: 403, code: "CROSS_SITE" },
  unknownKey: { status: 404, code: "NOT_FOUND" },
  tooManyKeys: { status: 409, code: "TOO_MANY_KEYS" },
  tooManyChanges: { status: 429, code: "RATE_LIMITED" },
  fairUse: { status: 429, code: "RATE_LIMITED" },
  planRequired: { status: 402, code: "PLAN_REQUIRED" },
  rateLimited: { status: 429, code: "RATE_LIMITED" },
  quotaExceeded: { status: 429, code: "QUOTA_EXCEEDED" },
  signingDisabled: { status: 501, code: "NOT_ENABLED" },
  paymentsDisabled: { status: 501, code: "NOT_ENABLED" },
  unknownQuote: { status: 404, code: "QUOTE_NOT_FOUND" },
  quoteUsed: { status: 409, code: "QUOTE_USED" },
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
  scoringDown: { status: 500, code: "UPSTREAM_UNAVAILABLE" },
  callsUsedUp: { status: 503, code: "UPSTREAM_UNAVAILABLE" },
  upstreamDown: { status: 503, code: "UPSTREAM_UNAVAILABLE" },
  upstreamLacks: { status: 503, code: "UPSTREAM_UNAVAILABLE" },
} as const satisfies Record<
  Failure["kind"],
  { status: ContentfulStatusCode; code: ErrorCode }
>;

/** The code of an error that is not a fault, which is a bug. */
const INTERNAL = "INTERNAL";

/** A code that is sent. Documenting a code that no failure has is a type error. */
type SentCode = (typeof ANSWERS)[Failure["kind"]]["code"] | typeof INTERNAL;

/** The scoring specification reserves 503 for the health probe: other trouble is a 500. */
const SCORING_TROUBLE = 500;

/** Returns the statuses that an error code is sent with. */
export function statusesOf(code: SentCode): number[] {
  if (code === INTERNAL) return [500];
  const statuses = Object.values(ANSWERS)
    .filter((answer) => answer.code === code).map(({ status }) => status)
    .flatMap((status) => status === 503 ? [SCORING_TROUBLE, status] : [status]);
  return [...new Set(statuses)].toSorted();
}

/** Returns the body of an error that is not a fault. Its own message may contain secrets. */
function internalBody(error: unknown) {
  const message = error instanceof CommitOutcomeUnknown
    ? "internal error: the request may have taken effect, and may have been charged"
    : "internal error";
  return { error: message, message, code: INTERNAL } as const;
}

/** Scripts of other origins may read the request id, by which an error is found in the log. */
const ERROR_HEADERS = {
  "Cache-Control": "no-store",
  "Access-Control-Expose-Headers": [...EXPOSED_HEADERS, "X-Request-Id"]
    .join(","),
} as const;

/** Answers an error: a fault by the table, any other error as 500 without its message. */
export function onError(
  error: Error,
  c: Context,
): Response | Promise<Response> {
  if (error instanceof Fault) return answerFault(c, error);
  const headers = { ...ERROR_HEADERS, ...varyOf(c) };
  const body = internalBody(error);
  if (!prefersPage(c)) return c.json(body, 500, headers);
  const page = errorPage({ status: 500, ...body });
  return answerPage(c, page, { status: 500, headers });
}

/** Creates the handler of errors that the app itself threw: logs them and answers 500. */
export function onCrash({ log }: Pick<PlatformDeps, "log">) {
  return (error: unknown): Response => {
    const requestId = crypto.randomUUID();
    log("request.failed", { requestId, status: 500, error });
    const headers = { ...ERROR_HEADERS, "X-Request-Id": requestId };
    return Response.json(internalBody(error), { status: 500, headers });
  };
}

/** The challenge (RFC 9110, 11.6.1) of each failure to authenticate. */
const CHALLENGES: Partial<
  Record<Failure["kind"], Readonly<Record<string, string>>>
> = {
  unauthorized: {
    "WWW-Authenticate": 'ApiKey realm="firn", header="X-Api-Key"',
    ...VARY_BY_KEY,
  },
  signedOut: { "WWW-Authenticate": 'EIP-4361 realm="firn"' },
  signatureRefused: { "WWW-Authenticate": 'EIP-4361 realm="firn"' },
};

/** Returns the status of a fault's answer on the path of a request. */
function statusOf(c: Context, { kind }: Failure): ContentfulStatusCode {
  const { status } = ANSWERS[kind];
  return status === 503 && c.req.path.startsWith(`${SCORING}/`)
    ? SCORING_TROUBLE
    : status;
}

/** Where pages exist, the Accept header decides between a page and JSON. */
function varyOf(c: Context): Record<string, string> {
  return isPagePath(c.req.path) ? { Vary: "Accept" } : {};
}

/** Status and headers of a fault's answer. */
export interface FaultHead {
  readonly status: ContentfulStatusCode;
  readonly headers: Record<string, string>;
}

/** Returns the status and the headers of a fault's answer. */
export function headOfFault(c: Context, fault: Fault): FaultHead {
  const { kind, ...facts } = fault.failure;
  const status = statusOf(c, fault.failure);
  const headers: Record<string, string> = {
    ...ERROR_HEADERS,
    ...varyOf(c),
    ...CHALLENGES[kind],
  };
  if ("retryAfterMs" in facts) {
    const seconds = Math.max(1, Math.ceil(facts.retryAfterMs / 1000));
    headers["Retry-After"] = String(seconds);
    if ("perSeconds" in facts) {
      const { of, most, perSeconds } = facts;
      headers["RateLimit-Policy"] = policyEntry(of, most, perSeconds);
      headers["RateLimit"] = statusEntry(of, 0, seconds);
    }
  }
  if ("allowed" in facts) headers["Allow"] = facts.allowed.join(", ");
  return { status, headers };
}

/** Answers a fault. */
export function answerFault(
  c: Context,
  fault: Fault,
): Response | Promise<Response> {
  const { kind, ...facts } = fault.failure;
  const { code } = ANSWERS[kind];
  const { status, headers } = headOfFault(c, fault);
  const { message } = fault;
  if (prefersPage(c)) {
    const page = errorPage({ status, code, message: redactKeys(message) });
    return answerPage(c, page, { status, headers });
  }
  headers["Content-Type"] = "application/json";
  // Messages and facts contain client input, which may be a secret.
  const body = JSON.stringify({ error: message, message, code, ...facts });
  return c.body(redactKeys(body), status, headers);
}
