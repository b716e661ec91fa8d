/** Facts from the headers of an answer: its rate limits, its version, its id. */

/** One limit that an answer reports in `RateLimit` and `RateLimit-Policy`. */
export interface RateWindow {
  /** Name of the limit: `period` and `burst` for an API key. */
  readonly name: string;
  /** Units that the window allows; null if unknown. */
  readonly limit: number | null;
  /** Length of the window in seconds; null if unknown. */
  readonly perSeconds: number | null;
  /** Units that are left. */
  readonly remaining: number;
  /** Seconds until more units are available. */
  readonly resetSeconds: number;
}

/** The rate limits of an answer. Every field is null if the answer has no such header. */
export interface RateLimit {
  /** Units of the period's quota (`X-RateLimit-Limit`). */
  readonly limit: number | null;
  /** Units that are left of it (`X-RateLimit-Remaining`). */
  readonly remaining: number | null;
  /** When more units are available, ISO 8601 (`X-RateLimit-Reset`). */
  readonly resetAt: string | null;
  /** Every limit by itself, so that a burst can be told from the quota. */
  readonly windows: readonly RateWindow[];
}

/** Facts of an answer that are not part of its body. */
export interface AnswerMeta {
  /** HTTP status. */
  readonly status: number;
  /** Number of requests that were sent for the answer: 1 without a retry. */
  readonly attempts: number;
  /** Id of the request, for a question to support; null if it is not readable. */
  readonly requestId: string | null;
  /** Version of the data; null if the answer has none. */
  readonly etag: string | null;
  /** Seconds since stale data were read; null for current data. */
  readonly ageSeconds: number | null;
  /** The rate limits. */
  readonly rateLimit: RateLimit;
}

/**
 * The body of an answer, with `meta` beside it. `meta` is not enumerable:
 * `JSON.stringify` and a spread return the body alone.
 */
export type Answer<Body> = Body & {
  /** Facts of the answer that are not part of its body. */
  readonly meta: AnswerMeta;
};

/** Attaches the facts to a body. */
export function withMeta<Body extends object>(
  body: Body,
  meta: AnswerMeta,
): Answer<Body> {
  return Object.defineProperty(body, "meta", { value: meta }) as Answer<Body>;
}

/** Reads the facts of a response. A browser shows a script of another origin only some headers. */
export function readMeta(
  { status, headers }: Response,
  attempts: number,
): AnswerMeta {
  const text = (name: string) => headers.get(name);
  const number = (name: string) => {
    const value = text(name);
    return value === null ? null : Number(value);
  };
  return {
    status,
    attempts,
    requestId: text("X-Request-Id"),
    etag: text("ETag"),
    ageSeconds: number("Age"),
    rateLimit: {
      limit: number("X-RateLimit-Limit"),
      remaining: number("X-RateLimit-Remaining"),
      resetAt: text("X-RateLimit-Reset"),
      windows: readWindows(text("RateLimit"), text("RateLimit-Policy")),
    },
  };
}

function readWindows(
  status: string | null,
  policy: string | null,
): RateWindow[] {
  const policies = new Map(listItems(policy));
  return listItems(status).map(([name, { r, t }]) => {
    const { q = null, w = null } = policies.get(name) ?? {};
    return {
      name,
      limit: q,
      perSeconds: w,
      remaining: r ?? 0,
      resetSeconds: t ?? 0,
    };
  });
}

/** Parses `"burst";r=59;t=60, "period";r=2499;t=120`. */
function listItems(
  text: string | null,
): [name: string, values: Record<string, number>][] {
  return [...(text ?? "").matchAll(/"([^"]*)"([^,]*)/g)].map((
    [, name, values],
  ) => [
    name!,
    Object.fromEntries(
      [...values!.matchAll(/(\w)=(\d+)/g)].map(([, key, value]) => [
        key!,
        Number(value),
      ]),
    ),
  ]);
}

/** Returns how long the response asks to wait, in milliseconds; null if it does not. */
export function readRetryAfter({ headers }: Response): number | null {
  const value = headers.get("Retry-After");
  if (value === null) return null;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds)
    ? Date.parse(value) - Date.now()
    : seconds * 1000;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
