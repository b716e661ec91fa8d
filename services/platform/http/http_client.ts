/** Fetches JSON from upstreams. Every failure becomes an `upstreamDown` fault. */
import type { z } from "zod";
import type {
  CallOptions,
  UpstreamRateLimiter,
} from "../rate_limit/call_budget.ts";
import { upstreamDown, upstreamPaused } from "../fault.ts";
import {
  type InstrumentCall,
  uninstrumented,
} from "../observability/process_metrics.ts";
import { timeoutSignal } from "../clock.ts";
import {
  callOf,
  describe,
  Refused,
  refusedByStatus,
} from "./upstream_answer.ts";

/** Timeout of one call to an upstream, in ms: headers and body together. */
export const UPSTREAM_TIMEOUT_MS = 8_000;

/** Dependencies of an HTTP client. */
export interface Http {
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Returns a signal that aborts after `ms`; by the real clock if absent. */
  readonly timeout?: (ms: number) => AbortSignal;
  /** Timeout of one response, headers and body together. */
  readonly timeoutMs: number;
  readonly rateLimiter: UpstreamRateLimiter;
  /** Observes the calls; none if absent. */
  readonly watch?: InstrumentCall;
}

/** A checked response. `simulated` is true if it came from the embedded upstreams. */
export interface Answer<T> {
  readonly body: T;
  readonly simulated: boolean;
}

/** Largest response, in bytes. */
const MAX_BYTES = 16 * 2 ** 20;

/**
 * Fetches JSON and checks it against a schema. Throws an `upstreamDown` fault for
 * every failure: connection, timeout, status other than 2xx, not JSON, wrong shape.
 */
export function getJson<T>(
  http: Http,
  request: Request,
  schema: z.ZodType<T>,
  options: CallOptions,
): Promise<Answer<T>> {
  return getAnswer(http, request, (json) => schema.parse(json), options);
}

/**
 * Fetches JSON and parses it with `parse`, which may throw a `Refused` for an
 * error in a 200 response. Throws an `upstreamDown` fault for every failure.
 */
export function getAnswer<T>(
  http: Http,
  request: Request,
  parse: (json: unknown) => T,
  options: CallOptions,
): Promise<Answer<T>> {
  return getResponse(
    http,
    request,
    async (response) => parse(JSON.parse(await readText(response))),
    options,
  );
}

/**
 * Sends a request and reads its response of status 2xx with `read`, which has to
 * bound what it keeps. Throws an `upstreamDown` fault for every failure.
 */
export async function getResponse<T>(
  http: Http,
  request: Request,
  read: (response: Response) => Promise<T>,
  options: CallOptions,
): Promise<Answer<T>> {
  const call = callOf(request);
  const { watch = uninstrumented } = http;
  await http.rateLimiter.acquire(options);
  try {
    return await watch(call, () => send(http, request, read, options));
  } catch (cause) {
    throw await toFault(http, call.host, cause);
  }
}

async function send<T>(
  http: Http,
  request: Request,
  read: (response: Response) => Promise<T>,
  options: CallOptions,
): Promise<Answer<T>> {
  const { timeout = timeoutSignal, timeoutMs } = http;
  const signal = AbortSignal.any([options.signal, timeout(timeoutMs)]);
  const response = await http.fetch(request, { signal, redirect: "error" });
  if (!response.ok) {
    // The status and its cooldown count, even if the body cannot be read.
    await readText(response).catch(() => {});
    throw refusedByStatus(response, http.now().getTime());
  }
  return {
    body: await read(response),
    simulated: response.headers.has("X-Simulated"),
  };
}

async function toFault(http: Http, host: string, cause: unknown) {
  const cooldownMs = cause instanceof Refused ? cause.cooldownMs : null;
  if (cooldownMs !== null) await http.rateLimiter.pause(cooldownMs);
  return cooldownMs === null
    ? upstreamDown(host, describe(cause), { cause })
    : upstreamPaused(host, { cause, retryAfterMs: cooldownMs });
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Refused("answer is too large");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
