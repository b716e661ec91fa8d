/** Error responses of an upstream, and its cooldown. */
import { parseRetryAfter } from "../retry_after.ts";
import type { UpstreamCall } from "../observability/upstream_calls.ts";

/** Cooldown after a rate-limit error without a Retry-After. */
const COOLDOWN_MS = 30_000;

/** An error response of an upstream, with its cooldown. */
export class Refused extends Error {
  /** Cooldown for all callers, in ms; null if the upstream asks for none. */
  readonly cooldownMs: number | null;

  /** Creates the error from a short reason and the cooldown. */
  constructor(
    message: string,
    cooldownMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
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

/** The reason for which all callers pause. */
const TOO_MANY = "its rate limit is reached";

/**
 * What upstreams say, and the reason that is passed on. Their own words may repeat
 * our API key or the URL that we called, and a reason becomes public: the list is
 * closed, and the words go to the log, which redacts them.
 */
const REASONS: readonly (readonly [words: RegExp, reason: string])[] = [
  [
    /limit (reached|exceeded)|rate.?limit|too many requests|compute units|capacity|throttl/i,
    TOO_MANY,
  ],
  [
    /api.?key|unauthori[sz]ed|forbidden|access denied/i,
    "it refuses our access",
  ],
  [/revert/i, "the contract reverted"],
  [
    /method .*(not|n't)|(not|un)supported|unknown (action|module|method)/i,
    "it does not offer the call",
  ],
  [
    /(header|block|state|trie|transaction) .*not (found|available)|missing|pruned|unknown block/i,
    "it lacks the data",
  ],
  [/time.?out|timed out|too long/i, "it ran out of time"],
  [/range|too large|more than|exceed/i, "it finds the call too large"],
];

/** JSON-RPC errors of nodes that get too many calls, by code: a code is said in one way, words in many. */
const TOO_MANY_CODES: readonly (number | undefined)[] = [
  429,
  -32005,
  -32029,
  -32097,
];

/** Words of a call that is too large. Some nodes give it the code of too many calls. */
const TOO_LARGE = /results|range|response size|block/i;

/** Returns the error in the body of a 200 response, with a reason of the closed list. */
export function refusedInWords(words: string, code?: number): Refused {
  const isTooMany = TOO_MANY_CODES.includes(code) && !TOO_LARGE.test(words);
  const [, reason] = isTooMany
    ? [null, TOO_MANY]
    : REASONS.find(([said]) => said.test(words)) ??
      [null, "it refused the call"];
  return new Refused(
    reason,
    reason === TOO_MANY ? COOLDOWN_MS : null,
    { cause: new Error(words) },
  );
}

/** The reason if a response does not match its schema. */
export const OTHER_SHAPE = "answer has another shape than documented";

/** Returns a short reason of a closed list, which reveals nothing about this machine or its settings. */
export function describe(cause: unknown): string {
  if (cause instanceof Refused) return cause.message;
  if (cause instanceof SyntaxError) return "answer is not JSON";
  if (!(cause instanceof Error)) return "unknown failure";
  return CAUSES[cause.name] ?? "unknown failure";
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
