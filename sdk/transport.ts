/** Sends requests: timeouts, aborts and retries. */
import { baseOf, knowsRedirects, refuseRedirect } from "./addresses.ts";
import { errorOf, FirnError } from "./errors.ts";
import {
  type Answer,
  type AnswerMeta,
  readMeta,
  readRetryAfter,
  withMeta,
} from "./facts.ts";

/** Options of a client. */
export interface FirnOptions {
  /** Address of the service with `http://` or `https://`, such as `https://firn.example`. A trailing `/api/v1` is accepted. */
  readonly baseUrl: string;
  /** API key for scores, from the dashboard. Keep it on a server. Chain data needs none, and never receives it. */
  readonly apiKey?: string | undefined;
  /** Milliseconds that one attempt may take, body included. Default: 15000. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed request is sent again. Default: 2. */
  readonly retries?: number | undefined;
  /** The longest wait before a retry, in milliseconds. If the service asks for more, the call fails at once. Default: 60000. */
  readonly maxRetryWaitMs?: number | undefined;
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, also while it waits for a retry. The call then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take; the client's by default. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed request is sent again; the client's by default. */
  readonly retries?: number | undefined;
}

/** A request, before it is sent. */
export interface Call {
  /** Path below the service's address. */
  readonly path: string;
  /** Parameters; undefined ones are left out. */
  readonly query?: object | undefined;
  /** The JSON body of a POST. */
  readonly body?: unknown;
  /** Whether the request needs the API key. */
  readonly isKeyed?: boolean;
  /** A failing status whose body is an answer all the same. */
  readonly alsoAnswers?: number;
}

/** Sends the calls of one client. */
export interface Transport {
  /** Sends a call, and returns its JSON. */
  json<Body extends object>(
    call: Call,
    options?: CallOptions,
  ): Promise<Answer<Body>>;
  /** Sends a call, and returns its response with the body unread. */
  open(call: Call, options?: CallOptions): Promise<Response>;
}

const DEFAULTS = { timeoutMs: 15_000, retries: 2, maxRetryWaitMs: 60_000 };

/** Backoff where the service asks for no wait: 250 ms, doubled up to 8 s, with jitter. */
const BACKOFF_MS = { first: 250, most: 8_000 };

/** Spread of the clients that wait for the same instant. */
const JITTER_MS = 100;

/** The longest time of a timer. A longer one, as of Infinity, would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Statuses that a retry may turn into an answer. A 429 is one only for a burst. */
const RETRIED = [408, 500, 502, 503, 504];

/** Creates the transport of a client. Throws a TypeError if `baseUrl` is not an HTTP address. */
export function transportOf(options: FirnOptions): Transport {
  const base = baseOf(options.baseUrl);
  const { apiKey } = options;
  // A detached fetch of a browser must be called on its window.
  const send = options.fetch ?? ((...args) => fetch(...args));
  let isChecked = knowsRedirects();

  function requestOf(
    { path, query = {}, body, isKeyed = false }: Call,
  ): [string, RequestInit] {
    // React Native has no URLSearchParams.set, and its URL changes paths.
    const search = Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map((pair) => pair.map((part) => encodeURIComponent(part)).join("="))
      .join("&");
    const url = base + path + (search && `?${search}`);
    const headers: Record<string, string> = {};
    if (isKeyed) {
      // For a header with other characters, fetch fails as if there were no network, and
      // its message contains the key.
      if (!apiKey || !/^[!-~]+$/.test(apiKey.trim())) {
        const problem = apiKey ? "malformed" : "missing";
        throw new FirnError(`Cannot read ${path}: apiKey is ${problem}`, {
          code: "UNAUTHORIZED",
          status: 401,
        });
      }
      headers["X-Api-Key"] = apiKey;
    }
    // A redirect would carry the key to another host. Cloudflare's workerd has no "error".
    const init: RequestInit = { headers, ...isKeyed && { redirect: "manual" } };
    if (body === undefined) return [url, init];
    headers["Content-Type"] = "application/json";
    return [url, { ...init, method: "POST", body: JSON.stringify(body) }];
  }

  /** Asks once, without the key, whether the service redirects, where `fetch` would send the key along. */
  async function checkRedirects(signal: AbortSignal): Promise<void> {
    if (isChecked) return;
    const response = await send(`${base}/api/v1`, { method: "HEAD", signal });
    refuseRedirect(response, base, readMeta(response, 1));
    isChecked = true;
  }

  /** Sends a call until `read` succeeds or no retry is left. */
  async function attempt<Result>(
    call: Call,
    read: (response: Response, attempts: number) => Promise<Result>,
    { signal, ...own }: CallOptions = {},
    isStreamed = false,
  ): Promise<Result> {
    const [url, init] = requestOf(call);
    const pick = (name: keyof typeof DEFAULTS) =>
      (own as typeof DEFAULTS)[name] ?? options[name] ?? DEFAULTS[name];
    for (let attempts = 1;; attempts++) {
      try {
        return await timed(
          pick("timeoutMs"),
          signal,
          async (signal) => {
            if (call.isKeyed) await checkRedirects(signal);
            return await read(await send(url, { ...init, signal }), attempts);
          },
          isStreamed,
        );
      } catch (error) {
        const waitMs = waitOf(error, attempts);
        if (
          waitMs === null || attempts > pick("retries") ||
          waitMs > pick("maxRetryWaitMs")
        ) throw error;
        await sleep(waitMs + Math.random() * JITTER_MS, signal);
      }
    }
  }

  return {
    json: (call, options) =>
      attempt(call, async (response, attempts) => {
        const text = await response.text();
        const meta = readMeta(response, attempts);
        if (call.isKeyed) refuseRedirect(response, base, meta);
        if (!response.ok && response.status !== call.alsoAnswers) {
          throw errorOf(text, meta, readRetryAfter(response));
        }
        return withMeta(parse(text, meta), meta);
      }, options),
    open: (call, options) =>
      attempt(
        call,
        async (response, attempts) => {
          if (response.ok) return response;
          const meta = readMeta(response, attempts);
          throw errorOf(await response.text(), meta, readRetryAfter(response));
        },
        options,
        true,
      ),
  };
}

function parse(text: string, meta: AnswerMeta) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { status } = meta;
    const parts = { code: "BAD_ANSWER", status, meta, cause } as const;
    throw new FirnError("The answer is not JSON", parts);
  }
}

/** Returns the milliseconds to wait before a retry; null if a retry is of no use. */
function waitOf(error: unknown, attempts: number): number | null {
  if (!(error instanceof FirnError)) return null;
  const { code, status, retryAfterMs } = error;
  const isRetried = code === "NETWORK" || code === "TIMEOUT" ||
    code === "RATE_LIMITED" || RETRIED.includes(status);
  if (!isRetried) return null;
  const backoffMs = Math.min(
    BACKOFF_MS.first * 2 ** (attempts - 1),
    BACKOFF_MS.most,
  );
  return retryAfterMs ?? backoffMs * (0.5 + Math.random() / 2);
}

/**
 * Runs work with a signal that aborts after a time, or with the caller's signal.
 * Failures of the network become errors with a code; an abort stays as it is.
 */
async function timed<Result>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
  isStreamed: boolean,
): Promise<Result> {
  throwIfAborted(outer);
  const inner = new AbortController();
  const abort = () => inner.abort(reasonOf(outer!));
  const timer = setTimeout(
    () => inner.abort(),
    Math.min(timeoutMs, MAX_TIMER_MS),
  );
  outer?.addEventListener("abort", abort);
  try {
    return await work(inner.signal);
  } catch (cause) {
    if (cause instanceof FirnError) throw cause;
    throwIfAborted(outer);
    const code = inner.signal.aborted ? "TIMEOUT" : "NETWORK";
    const message = code === "TIMEOUT"
      ? `No answer within ${timeoutMs} ms`
      : `No answer: ${cause instanceof Error ? cause.message : cause}`;
    throw new FirnError(message, { code, status: 0, cause });
  } finally {
    clearTimeout(timer);
    // A body that is still read must be aborted, too.
    if (!isStreamed) outer?.removeEventListener("abort", abort);
  }
}

/** Waits. Throws the signal's reason when it aborts. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    // An aborted signal has no event any more.
    throwIfAborted(signal);
    const abort = () => {
      clearTimeout(timer);
      reject(reasonOf(signal!));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, Math.min(ms, MAX_TIMER_MS));
    signal?.addEventListener("abort", abort, { once: true });
  });
}

// React Native's signals have neither `throwIfAborted` nor `reason`.
function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw reasonOf(signal);
}

function reasonOf({ reason }: AbortSignal): unknown {
  return reason ??
    Object.assign(new Error("The call was aborted"), { name: "AbortError" });
}
