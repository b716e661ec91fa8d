/** Upstreams for tests: any answer without a socket, and the failures that all of them share. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  type CallOptions,
  SERVICE,
} from "../../services/platform/rate_limit/call_budget.ts";
import { Fault } from "../../services/platform/fault.ts";
import type { Http } from "../../services/platform/http/http_client.ts";

/** Answers a request as an upstream would. */
export type Answering = (request: Request) => Response | Promise<Response>;

/**
 * A failure by name: what upstream answers, the reason that is reported, and
 * the pause it asks for.
 */
export type FailureRow = [
  name: string,
  answer: Answering,
  reason: RegExp,
  cooldownMs?: number,
];

/** Options of a caller that never stops waiting. */
export const CALL_OPTIONS: CallOptions = {
  priority: "reader",
  signal: new AbortController().signal,
  requester: SERVICE,
};

/** Reads over an upstream that answers so; notes the requests and the pauses kept. */
export function httpThat(answer: Answering, { timeoutMs = 30 } = {}) {
  const asked: Request[] = [];
  const closedForMs: number[] = [];
  const http: Http = {
    async fetch(input, init) {
      const request = new Request(input as Request);
      asked.push(request.clone());
      const signal = init!.signal!;
      const aborted = Promise.withResolvers<never>();
      aborted.promise.catch(() => {});
      signal.onabort = () => aborted.reject(signal.reason);
      const response = await Promise.race([answer(request), aborted.promise]);
      // Rejects a redirect, as fetch does with `redirect: "error"`.
      if (response.headers.has("Location") && init!.redirect === "error") {
        throw new TypeError("redirect mode is error");
      }
      const body = response.body?.pipeThrough(new TransformStream(), {
        signal,
      });
      return new Response(body, response);
    },
    now: () => new Date("2026-11-21T08:00:00Z"),
    timeoutMs,
    rateLimiter: {
      name: "",
      waitMs: () => 0,
      acquire: () => Promise.resolve(),
      start: (options) => Promise.resolve(options),
      prepare: () => Promise.resolve(),
      reserve: (options) => Promise.resolve(options),
      pause: (forMs) => {
        closedForMs.push(forMs);
        return Promise.resolve();
      },
    },
  };
  return { http, asked, closedForMs };
}

/**
 * Asserts that each failure of a read from `up.test` becomes one fault, and that the
 * client pauses for as long as the upstream asks; else for `restMs`, if that is given.
 */
export async function assertFaults(
  t: Deno.TestContext,
  read: (http: Http) => Promise<unknown>,
  rows: readonly FailureRow[],
  { restMs }: { readonly restMs?: number } = {},
): Promise<void> {
  for (const [name, answer, reason, cooldownMs] of [...FAILURES, ...rows]) {
    await t.step(name, async () => {
      const { http, closedForMs } = httpThat(answer);
      const { message, failure } = await assertRejects(
        () => read(http),
        Fault,
      );
      assertMatch(message, /^Cannot read up\.test( now)?: \P{Cc}{1,110}$/u);
      assertMatch(message, cooldownMs === undefined ? reason : PAUSE);
      assertEquals(failure, {
        kind: "upstreamDown",
        upstream: "up.test",
        retryAfterMs: cooldownMs ?? 30_000,
        ...cooldownMs !== undefined && { isPaused: true },
      });
      const pausedMs = cooldownMs ?? restMs;
      assertEquals(closedForMs, pausedMs === undefined ? [] : [pausedMs]);
    });
  }
}

const PAUSE = /asks all callers for a pause; try again in \d+ \w+$/;

const headers = { "Retry-After": "14400" };

const FAILURES: readonly FailureRow[] = [
  ["no connection", () => {
    throw new TypeError("connection refused by 10.0.0.1");
  }, /no connection$/],
  ["slow", () => Promise.withResolvers<Response>().promise, /took too long$/],
  ["a body that stops", () => new Response(new ReadableStream()), /too long$/],
  ["500", () => new Response("no", { status: 500 }), /status is 500$/],
  ["429", () => new Response("", { status: 429 }), /status is 429$/, 30_000],
  [
    "429 with a wait of hours",
    () => new Response("error code: 1015", { status: 429, headers }),
    /status is 429$/,
    600_000,
  ],
  ["redirect", () => Response.redirect("http://a.test/"), /no connection$/],
  ["HTML", () => new Response("<!DOCTYPE html><h1>Wait</h1>"), /not JSON$/],
  ["broken JSON", () => new Response('{"result":[{'), /not JSON$/],
  ["other shape", () => Response.json({ unexpected: [1] }), /another shape/],
  ["null", () => Response.json(null), /another shape/],
];
