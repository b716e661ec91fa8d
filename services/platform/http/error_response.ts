/** Error responses of an upstream, and its cooldown. */
import { parseRetryAfter } from "./retry_after.ts";
import type { UpstreamCall } from "../observability/upstream_call.ts";

/** Cooldown after a rate-limit error without a Retry-After. */
const COOLDOWN_MS = 30_000;

/** Longest part of an upstream's error message that is passed on. */
const MAX_WORDS_CHARACTERS = 100;

/** An error response of an upstream, with its cooldown. */
export class Refused extends Error {
  /** Cooldown for all callers, in ms; null if the upstream asks for none. */
  readonly cooldownMs: number | null;

  /** Creates the error from a short reason and the cooldown. */
  constructor(message: string, cooldownMs: number | null = null) {
    super(message);
    this.cooldownMs = cooldownMs;
  }
}

/** Returns the error of a response without a 2xx status, received at `now` (epoch ms). */
export function refusedByStatus(response: Response, now: number): Refused {
  const { status, headers } = response;
  const retryAfterMs = parseRetryAfter(headers.get("Retry-After"), now);
  // A 429 without Retry-After also starts a cooldown.
  const cooldownMs = retryAfterMs ?? (status === 429 ? COOLDOWN_MS : null);
  return new Refused(`status is ${status}`, cooldownMs);
}

/** Returns the error in the body of a 200 response, with the message of the upstream. */
export function refusedInWords(words: string): Refused {
  const reason = words.replace(/[^!-~]+/g, " ").slice(0, MAX_WORDS_CHARACTERS)
    .replace(/[\s.!]+$/, "").trim();
  const isTooMany = /limit (reached|exceeded)|rate limit|too many requests/i
    .test(words);
  return new Refused(
    reason || "no reason given",
    isTooMany ? COOLDOWN_MS : null,
  );
}

/** The reason if a response does not match its schema. */
export const OTHER_SHAPE = "answer has another shape than documented";

/** Returns a short reason that reveals nothing about this machine. */
export function describe(cause: unknown): string {
  if (cause instanceof Refused) return cause.message;
  if (cause instanceof SyntaxError) return "answer is not JSON";
  if (!(cause instanceof Error)) return "unknown failure";
  return CAUSES[cause.name] ?? cause.message;
}

const CAUSES: Record<string, string> = {
  AbortError: "answer took too long",
  TimeoutError: "answer took too long",
  TypeError: "no connection",
  ZodError: OTHER_SHAPE,
  $ZodError: OTHER_SHAPE,
};

/** Returns the host and the operation of a request. */
export function callOf(request: Request): UpstreamCall {
  return {
    host: new URL(request.url).host,
    operation: async () =>
      methodOf(await request.clone().text()) ?? operationOf(request),
  };
}

/** A valid part of an operation name. */
const WORD = /^\w{1,60}$/;

/** Returns the method of a JSON-RPC body. */
function methodOf(body: string): string | undefined {
  const named = /"method"\s*:\s*"([^"]*)"/.exec(body)?.[1];
  return named?.split(".").every((part) => WORD.test(part)) ? named : undefined;
}

/** Returns the `action` parameter, otherwise the method and the path without ids. */
function operationOf({ method, url }: Request): string {
  const { pathname, searchParams } = new URL(url);
  const action = searchParams.get("action");
  if (action !== null && WORD.test(action)) return action;
  const path = pathname.split("/").map((part) =>
    /^(|v\d|[a-zA-Z_-]{1,30})$/.test(part) ? part : "*"
  );
  return `${method} ${path.join("/")}`;
}
