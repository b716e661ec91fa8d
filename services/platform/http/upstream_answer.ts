/**
 * What an answer of an upstream is: an error with its cooldown, rows that are judged one
 * by one, and the name of the source.
 */
import type { z } from "zod";
import type { UpstreamCall } from "../observability/process_metrics.ts";
import { MAX_COOLDOWN_MS } from "../rate_limit/call_budget.ts";

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

/**
 * Returns the wait of a `Retry-After` value (seconds or a date) in milliseconds,
 * at most ten minutes; null if the value is invalid.
 */
export function parseRetryAfter(
  value: string | null,
  now: number,
): number | null {
  if (value === null) return null;
  const ms = /^\s*\d+\s*$/.test(value)
    ? Number(value) * 1000
    : parseDate(value) - now;
  if (Number.isNaN(ms)) return null;
  return Math.min(Math.max(ms, 0), MAX_COOLDOWN_MS);
}

/** Returns a date with a time in epoch ms; `NaN` for others. `Date.parse` takes "-5" for a day in 2001. */
function parseDate(value: string): number {
  return /\d:\d/.test(value) ? Date.parse(value) : NaN;
}

/** A row that is not used. */
interface SetAsideRow {
  readonly row: unknown;
  /** What the row is about; null if it does not say. */
  readonly of: string | number | null;
  readonly reason: string;
  /** True if other rows about the same say something else. */
  readonly isContradicted: boolean;
}

/** The rows of an answer that can be read, in their order, and the others. */
interface JudgedRows<T> {
  readonly rows: readonly T[];
  readonly setAside: readonly SetAsideRow[];
}

/** How rows are read. */
interface RowRule<T> {
  /** Throws a `ZodError` for a row that can't be read. */
  readonly parse: (row: unknown) => T;
  /** Returns what a row is about, which no two rows may share; null if it does not say. */
  readonly idOf: (row: unknown) => string | number | null;
  /** Whether an answer whose rows are all unreadable is an error. */
  readonly needsOne?: boolean;
}

/** Rows that a source may have set aside before it counts as down. */
const MAX_SET_ASIDE = 9;

/** The share of the rows that may be set aside, if they are more. */
const MAX_SHARE = 0.1;

/**
 * Judges rows. Equal rows count once; rows that contradict each other are all set
 * aside. Throws a `Refused` if more than a tenth of the rows, and at least ten, are
 * set aside: the answer has another shape.
 */
export function judgeRows<T>(
  rows: readonly unknown[],
  { parse, idOf, needsOne = false }: RowRule<T>,
): JudgedRows<T> {
  const setAside: SetAsideRow[] = [];
  const read: { row: unknown; of: string | number | null; value: T }[] = [];
  const firsts = new Map<string | number | null, unknown>();
  const contradicted = new Set<string | number | null>();
  for (const row of rows) {
    const of = idOf(row);
    if (of !== null && firsts.has(of)) {
      if (isSame(firsts.get(of), row)) continue;
      contradicted.add(of);
    } else firsts.set(of, row);
    try {
      read.push({ row, of, value: parse(row) });
    } catch (error) {
      const reason = reasonOf(error, row);
      setAside.push({ row, of, reason, isContradicted: false });
    }
  }
  const used: T[] = [];
  for (const { row, of, value } of read) {
    if (!contradicted.has(of)) used.push(value);
    else setAside.push({ row, of, reason: CONTRADICTED, isContradicted: true });
  }
  const isDown = setAside.length > MAX_SET_ASIDE &&
    setAside.length > rows.length * MAX_SHARE;
  const isUnreadable = needsOne && used.length === 0 && setAside.length > 0;
  if (isDown || isUnreadable) {
    throw new Refused(
      `${OTHER_SHAPE}: ${setAside.length} of ${rows.length} rows, ` +
        setAside[0]!.reason,
    );
  }
  return { rows: used, setAside };
}

const CONTRADICTED = "two rows contradict each other";

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Names the field that can't be read, and why. No text of the source is repeated. */
function reasonOf(error: unknown, row: unknown): string {
  const [issue] = (error as Partial<z.ZodError>).issues ?? [];
  if (issue === undefined) throw error;
  const found = issue.path.reduce<unknown>(
    (value, part) => (value as Record<PropertyKey, unknown> | null)?.[part],
    row,
  );
  return `${issue.path.join(".") || "row"} ${
    describeValue(found, issue.code === "too_big")
  }`;
}

function describeValue(value: unknown, isTooBig: boolean): string {
  if (isTooBig) return "is out of range";
  if (value === undefined) return "is missing";
  if (value === null) return "is null";
  return value === "" ? "is empty" : "has another form";
}

/** The body of a response, and the name of its source. */
export interface Sourced<T> {
  readonly body: T;
  readonly source: string;
}

/** Returns the name of a source, marked if its responses were simulated. */
export function nameSource(
  name: string,
  { host, simulated }: { host: string; simulated: boolean },
): string {
  return simulated
    ? `simulated (simnet in place of the ${name})`
    : `${name} (${host})`;
}

/**
 * Returns the stored data if it came from this upstream, otherwise null. Data of
 * another upstream remains after a change of settings.
 */
export function ofUpstream<Stored extends { readonly origin: string }>(
  { baseUrl }: { readonly baseUrl: string },
  stored: Stored | null,
): Stored | null {
  return stored?.origin === baseUrl ? stored : null;
}

/** Returns the part of a URL that may be published. Paths and queries can contain secrets. */
export function originOf(url: string): string {
  return new URL(url).origin;
}
