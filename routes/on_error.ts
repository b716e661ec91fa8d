/** What a failure looks like over HTTP: the only table of statuses. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorCode } from "../services/contract/wire.ts";
import type { Deps } from "../services/deps.ts";
import { type Failure, Fault } from "../services/domain/fault.ts";
import { EXPOSED_HEADERS } from "./representation.ts";
import { redactKeys } from "../services/key_format.ts";

const ANSWERS: Record<
  Failure["kind"],
  { status: ContentfulStatusCode; code: ErrorCode }
> = {
  badInput: { status: 400, code: "BAD_REQUEST" },
  unknownPath: { status: 404, code: "NOT_FOUND" },
  unknownChain: { status: 404, code: "NOT_FOUND" },
  methodNotAllowed: { status: 405, code: "METHOD_NOT_ALLOWED" },
  tooLarge: { status: 413, code: "PAYLOAD_TOO_LARGE" },
  unauthorized: { status: 401, code: "UNAUTHORIZED" },
  planRequired: { status: 402, code: "PLAN_REQUIRED" },
  rateLimited: { status: 429, code: "RATE_LIMITED" },
  quotaExceeded: { status: 429, code: "QUOTA_EXCEEDED" },
  contended: { status: 503, code: "CONTENDED" },
  // The scoring specification keeps 503 for the health probe.
  scoringDown: { status: 500, code: "UPSTREAM_UNAVAILABLE" },
  upstreamDown: { status: 503, code: "UPSTREAM_UNAVAILABLE" },
  upstreamLacks: { status: 503, code: "UPSTREAM_UNAVAILABLE" },
};

/** Creates the error handler: a fault by the table, anything else logged and kept private. */
export function onError({ log }: Pick<Deps, "log">) {
  return (error: Error, c: Context): Response => {
    if (error instanceof Fault) return answerFault(c, error);
    const what = `${c.req.method} ${c.req.path}: ${error.stack ?? error}`;
    log(redactKeys(`error: ${what}`));
    const body = { error: "internal error", message: "internal error" };
    return c.json({ ...body, code: "INTERNAL" satisfies ErrorCode }, 500, {
      "Cache-Control": "no-store",
    });
  };
}

/** RFC 9110, 11.6.1: how to authenticate. */
const CHALLENGE = 'ApiKey realm="firn", header="X-Api-Key"';

/** Answers a fault. */
export function answerFault(c: Context, fault: Fault): Response {
  const { kind, ...facts } = fault.failure;
  const { status, code } = ANSWERS[kind];
  const headers: Record<string, string> = {
    "Cache-Control": "no-store",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(","),
  };
  if ("retryAfterMs" in facts) {
    const seconds = Math.max(1, Math.ceil(facts.retryAfterMs / 1000));
    headers["Retry-After"] = String(seconds);
  }
  if ("allowed" in facts) headers["Allow"] = facts.allowed.join(", ");
  if (kind === "unauthorized") headers["WWW-Authenticate"] = CHALLENGE;
  headers["Content-Type"] = "application/json";
  const { message } = fault;
  // What a client sent stands in messages and facts, and may be a secret.
  const body = JSON.stringify({ error: message, message, code, ...facts });
  return c.body(redactKeys(body), status, headers);
}
