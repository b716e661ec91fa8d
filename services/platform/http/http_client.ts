/** Reading JSON from other people's services: every failure becomes one fault. */
import type { z } from "zod";
import type {
  CallOptions,
  UpstreamRateLimiter,
} from "../rate_limit/call_budget.ts";
import { upstreamDown } from "../fault.ts";
import {
  type InstrumentCall,
  uninstrumented,
} from "../observability/upstream_call.ts";
import { callOf } from "./describe_call.ts";
import { describe, Refused, refusedByStatus } from "./error_response.ts";

/** What reading over HTTP takes. */
export interface Http {
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Time that one answer may take, headers and body together. */
  readonly timeoutMs: number;
  readonly rateLimiter: UpstreamRateLimiter;
  /** Nobody watches where absent. */
  readonly watch?: InstrumentCall;
}

/** A checked answer; `simulated` where the embedded upstreams gave it. */
export interface Answer<T> {
  readonly body: T;
  readonly simulated: boolean;
}

/** Largest answer that is read, in bytes. */
const LARGEST_BYTES = 16 * 2 ** 20;

/**
 * Reads JSON and checks it against a schema. Throws an `upstreamDown` fault for
 * every failure: refused, too slow, any status but 2xx, not JSON, other shape.
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
 * Reads JSON and has `understand` make something of it, which may throw a
 * `Refused` for a refusal that upstream dressed up as an answer. Throws an
 * `upstreamDown` fault for every failure.
 */
export async function getAnswer<T>(
  http: Http,
  request: Request,
  understand: (json: unknown) => T,
  options: CallOptions,
): Promise<Answer<T>> {
  const call = callOf(request);
  const { watch = uninstrumented } = http;
  await http.rateLimiter.acquire(options);
  try {
    return await watch(call, () => ask(http, request, understand, options));
  } catch (cause) {
    throw await toFault(http, call.host, cause);
  }
}

async function ask<T>(
  http: Http,
  request: Request,
  understand: (json: unknown) => T,
  options: CallOptions,
): Promise<Answer<T>> {
  const signal = AbortSignal.any([
    options.signal,
    AbortSignal.timeout(http.timeoutMs),
  ]);
  const response = await http.fetch(request, { signal, redirect: "error" });
  const text = await readText(response);
  if (!response.ok) throw refusedByStatus(response, http.now().getTime());
  return {
    body: understand(JSON.parse(text)),
    simulated: response.headers.has("X-Simulated"),
  };
}

async function toFault(http: Http, host: string, cause: unknown) {
  const quietMs = cause instanceof Refused ? cause.quietMs : null;
  if (quietMs !== null) await http.rateLimiter.pause(quietMs);
  const options = quietMs === null
    ? { cause }
    : { cause, retryAfterMs: quietMs };
  return upstreamDown(host, describe(cause), options);
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > LARGEST_BYTES) throw new Error("answer is too large");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
