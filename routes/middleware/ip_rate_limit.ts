/** Fair use of what is open to everybody: who asks for more is refused ahead of all else. */
import { cors } from "hono/cors";
import { requestId } from "hono/request-id";
import type { Surface } from "../../services/platform/surfaces_schema.ts";
import type { PlatformDeps } from "../../services/platform/deps.ts";
import type { Fault } from "../../services/platform/fault.ts";
import { ipRateLimiter } from "../../services/platform/rate_limit/ip_rate_limit.ts";
import { kindOf } from "../../services/accounts/key_format.ts";
import { addressOf, type ClientDeps } from "./client_address.ts";
import { answerFault } from "./on_error.ts";
import { normalizeMethod } from "./normalize_method.ts";
import { pageHeaders } from "./page_headers.ts";
import { SCORING } from "../paths.ts";
import { newRouter } from "../http/router.ts";

/** How long a refusal is held back, and how many are at a time: beyond that they cost memory. */
const HELD_MS = 1_000;
const MOST_HELD = 5_000;

/** What a live key is charged for. */
const METERED_URL = new RegExp(`^[a-z]+://[^/]*${SCORING}/score/`);

/**
 * Counts requests by client, told by what the runtime says of the connection,
 * `info`. What a wallet's quota limits counts only where
 * the key was refused, and by itself.
 */
export function ipRateLimit(
  deps:
    & Pick<PlatformDeps, "now" | "sleep" | "openRequestsPerMinute">
    & ClientDeps,
) {
  const counter = ipRateLimiter(deps.openRequestsPerMinute);
  const refusals = refusalRouter();
  let held = 0;

  /** Answers late: whoever asks again as soon as there is an answer leaves time for others. */
  async function holdBack(request: Request, fault: Fault): Promise<Response> {
    if (held < MOST_HELD) {
      held++;
      await deps.sleep(HELD_MS);
      held--;
    }
    return refusals.fetch(normalizeMethod(request), { fault });
  }

  return {
    /** Counts a request, and answers it where its client has had its share; null where it may pass. */
    refuse(
      request: Request,
      family: Surface,
      info: unknown,
    ): Promise<Response> | null {
      const address = addressOf(deps, request, info);
      if (address === null) return null;
      const now = deps.now().getTime();
      const counted = isMetered(request, family) ? "refusedKeys" : "requests";
      const waitMs = counted === "requests"
        ? counter.take(address, counted, now)
        : counter.waitOf(address, counted, now);
      if (waitMs === 0) return null;
      return holdBack(request, counter.refusal(address, counted, waitMs));
    },

    /** Counts a request whose key was refused. */
    keyRefused(request: Request, family: Surface, info: unknown): void {
      const address = addressOf(deps, request, info);
      if (address === null || !isMetered(request, family)) return;
      counter.take(address, "refusedKeys", deps.now().getTime());
    },
  };
}

/** Answers every request with the fault that it is given, as its surface answers faults. */
function refusalRouter() {
  const router = newRouter<{ Bindings: { fault: Fault } }>();
  // A browser's question ahead of another request is answered: it could not read a refusal.
  router.use(requestId(), pageHeaders(), cors());
  return router.notFound((c) => answerFault(c, c.env.fault));
}

/** Returns whether the quota of a wallet limits a request, if its key is one. */
function isMetered(request: Request, family: Surface): boolean {
  // To open headers costs more than all the counting: only where it can matter.
  if (family !== "scoring" || !METERED_URL.test(request.url)) return false;
  const key = request.headers.get("X-Api-Key");
  return key !== null && kindOf(key) !== "test";
}
