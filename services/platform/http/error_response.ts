/** Answers that are no answers: what upstream refused, and for how long it wants quiet. */
import { parseRetryAfter } from "./retry_after.ts";

/** Quiet kept after a refusal for too many calls that names no time. */
const QUIET_MS = 30_000;

/** Most characters of upstream's own words that are passed on. */
const LONGEST_WORDS = 100;

/** What upstream said of waiting travels from the answer to the fault. */
export class Refused extends Error {
  /** Milliseconds that everybody has to stay away; null where upstream does not ask for it. */
  readonly quietMs: number | null;

  /** Creates a refusal from a short reason and the quiet asked for. */
  constructor(message: string, quietMs: number | null = null) {
    super(message);
    this.quietMs = quietMs;
  }
}

/** Returns the refusal that a status other than 2xx is, received at `now` (epoch ms). */
export function refusedByStatus(response: Response, now: number): Refused {
  const { status, headers } = response;
  const retryAfterMs = parseRetryAfter(headers.get("Retry-After"), now);
  // A 429 without Retry-After still asks for quiet.
  const quietMs = retryAfterMs ?? (status === 429 ? QUIET_MS : null);
  return new Refused(`status is ${status}`, quietMs);
}

/** Returns the refusal that stands in the body of a 200, in upstream's own words. */
export function refusedInWords(words: string): Refused {
  const reason = words.replace(/[^!-~]+/g, " ").slice(0, LONGEST_WORDS)
    .replace(/[\s.!]+$/, "").trim();
  const isTooMany = /limit (reached|exceeded)|rate limit|too many requests/i
    .test(words);
  return new Refused(reason || "no reason given", isTooMany ? QUIET_MS : null);
}

/** The reason of an answer that lacks what is read of it. */
export const OTHER_SHAPE = "answer has another shape than documented";

/** Says what went wrong in few words that give away nothing of this machine. */
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
