/**
 * Rate limit by client network for requests that no plan's quota limits. It runs before
 * everything else. Refusals are delayed, which slows clients that retry at once.
 */
import type { Context } from "hono";
import { cors } from "hono/cors";
import { requestId } from "hono/request-id";
import type { PlatformDeps } from "../../services/platform/open/deps.ts";
import type { Surface } from "../../services/platform/observability/process_metrics_schema.ts";
import { type Fault, refusedClient } from "../../services/platform/fault.ts";
import { ipRateLimiter } from "../../services/platform/rate_limit/ip_rate_limit.ts";
import { kindOf } from "../../services/accounts/key_format.ts";
import { addressOf, type ClientDeps } from "./client_address.ts";
import { normalizeMethod } from "./route_name.ts";
import { pageHeaders } from "./page_headers.ts";
import { SCORING } from "./paths.ts";
import { setAllowance } from "./rate_limit_headers.ts";
import { newRouter } from "./router.ts";

/** Each delayed refusal takes memory and a connection, so their number is bounded. */
const DELAY_MS = 1_000;
const MAX_HELD = { ofNetwork: 32, ofAll: 512 };

/** Between two refusals of a network: sent together, they would delay what others wait for. */
const APART_MS = DELAY_MS / MAX_HELD.ofNetwork;

/** Makes a function that delays a refusal of a network, by one to two seconds. It returns false, at once, if too many are delayed. */
export function heldRefusals({ sleep }: Pick<PlatformDeps, "sleep">) {
  const held = networkCounts(MAX_HELD);
  return async (network: string): Promise<boolean> => {
    if (held.isFull(network)) return false;
    const before = held.change(network, 1) - 1;
    await sleep(DELAY_MS + before * APART_MS);
    held.change(network, -1);
    return true;
  };
}

/** Makes counts with limits. */
export function networkCounts(limits: {
  readonly ofNetwork: number;
  readonly ofAll: number;
}) {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    isFull: (network: string): boolean =>
      total >= limits.ofAll || (counts.get(network) ?? 0) >= limits.ofNetwork,

    /** Returns the count of the network after the change. */
    change(network: string, by: 1 | -1): number {
      total += by;
      const left = (counts.get(network) ?? 0) + by;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
      return left;
    },
  };
}

/** Answers a fault, as a page or as JSON. */
export type AnswerFault = (
  c: Context,
  fault: Fault,
) => Response | Promise<Response>;

/** URLs whose requests are charged to a live key. */
const METERED_URL = new RegExp(`^[a-z]+://[^/]*${SCORING}/score/`);

/**
 * Messages whose tool call was charged to a quota, by the runtime's description of their
 * connection. It identifies the request, because middleware may replace the request
 * itself.
 */
const chargedCalls = new WeakSet<object>();

/** Notes the answer to the request of a tool: a message is charged if its request is. */
export function noteToolAnswer(
  info: unknown,
  request: Request,
  response: Response,
): void {
  if (
    info instanceof Object && METERED_URL.test(request.url) &&
    isCharged("scoring", response, info)
  ) chargedCalls.add(info);
}

/**
 * What a request without a key counts if it is a 400. No cache answers it, and its
 * reason takes several times as long as a cached answer.
 */
const BAD_REQUEST = 4;

/**
 * Rate limits requests by network. `info` is what the runtime knows of the
 * connection. Requests with an API key have a counter of their own. All are counted
 * before they are answered, so no kind of refusal can be missed, and those that a
 * quota was charged for are given back.
 */
export function rateLimiting(
  deps:
    & Pick<PlatformDeps, "now" | "sleep" | "openRequestsPerMinute">
    & ClientDeps,
  answerFault: AnswerFault,
) {
  const counter = ipRateLimiter(deps.openRequestsPerMinute);
  const refusals = refusalRouter(answerFault);
  const hold = heldRefusals(deps);

  /** Sends a refusal after a delay, or at once if too many are delayed. */
  async function holdBack(request: Request, fault: Fault): Promise<Response> {
    const isHeld = await hold(refusedClient(fault)!);
    const refusal = await refusals.fetch(normalizeMethod(request), { fault });
    if (!isHeld) refusal.headers.set("Connection", "close");
    return refusal;
  }

  return {
    /**
     * Counts a request. Returns the refusal if the client exceeds its limit,
     * null if the request may pass.
     */
    refuse(
      request: Request,
      surface: Surface,
      info: unknown,
    ): Promise<Response> | null {
      const address = addressOf(deps, request, info);
      if (address === null) return null;
      const now = deps.now().getTime();
      const counted = isMetered(request, surface) ? "refusedKeys" : "requests";
      const waitMs = counter.take(address, counted, now);
      if (waitMs === 0) return null;
      return holdBack(request, counter.refusal(address, counted, waitMs));
    },

    /**
     * Gives the count of a request with a key back if a quota was charged, and counts a
     * bad request without a key several times. An answer
     * of the scoring API without the headers of a quota gets the allowance of the
     * client's address, and never a wallet's.
     */
    noteAnswer(
      request: Request,
      surface: Surface,
      info: unknown,
      response: Response,
    ): void {
      const hasKey = isMetered(request, surface);
      const charged = hasKey && isCharged(surface, response, info);
      const isScoring = surface === "scoring";
      const isBad = response.status === 400 && !hasKey && !isScoring;
      if (!charged && !isBad && !isScoring) return;
      const address = addressOf(deps, request, info);
      const now = deps.now().getTime();
      if (isBad) {
        if (address !== null) {
          counter.add(address, "requests", 1 - BAD_REQUEST, now);
        }
        return;
      }
      if (charged) {
        if (address !== null) counter.add(address, "refusedKeys", 1, now);
      } else if (!response.headers.has("X-RateLimit-Limit")) {
        const counted = hasKey ? "refusedKeys" : "requests";
        const allowance = counter.allowanceOf(address, counted, now);
        setAllowance(response.headers, allowance);
      }
    },
  };
}

/** Answers every request with the given fault, in the format of its surface. */
function refusalRouter(answerFault: AnswerFault) {
  const router = newRouter<{ Bindings: { fault: Fault } }>();
  // CORS preflight requests pass: without them a browser could not read the
  // refusal.
  router.use(requestId(), pageHeaders(), cors());
  return router.notFound((c) => answerFault(c, c.env.fault));
}

/**
 * Returns whether the answer of a request with a key shows that a quota counted it, or
 * that the service failed. For an MCP message, the request of its tool decides.
 */
function isCharged(
  surface: Surface,
  response: Response,
  info: unknown,
): boolean {
  const { status } = response;
  // Headers are read only where they matter: the runtime sends a response faster if
  // its headers were never read.
  const hasQuota = () => response.headers.has("X-RateLimit-Limit");
  if (surface === "mcp") return chargedCalls.has(info as object);
  return status < 400 || status >= 500 && hasQuota();
}

/** Returns whether a wallet's quota may limit the request, provided that its key is valid. */
function isMetered(request: Request, surface: Surface): boolean {
  // Reading headers costs more than counting, so they are read only where they
  // matter.
  const mayBe = surface === "mcp" ||
    surface === "scoring" && METERED_URL.test(request.url);
  if (!mayBe) return false;
  const key = request.headers.get("X-Api-Key");
  return key !== null && kindOf(key) !== "test";
}
