/** Keyed requests: the caller, the plan, and the quota headers of every answer. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler, TypedResponse } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import { readQuotaStatus } from "../../services/accounts/access.ts";
import type { CallerCache } from "../../services/accounts/caller_cache.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import type { Scope } from "../../services/accounts/key_limits_schema.ts";
import { looksLikeKey } from "../../services/accounts/key_format.ts";
import type { QuotaStatus } from "../../services/accounts/quota/quota.ts";
import { unauthorized } from "../../services/accounts/refusals.ts";
import { CommitOutcomeUnknown } from "../../services/platform/kv/commit_outcome_unknown.ts";
import { decodePercent } from "../../services/platform/observability/redact.ts";
import {
  findKeyedRequest,
  isAllowed,
  type KeyedRequest,
  requireAccess as requireAccessOf,
  startKeyedRequest,
  verifyCaller,
} from "../../services/scores/keyed_request.ts";
import { findRouteOfPath, methodName, routeOf } from "../http/route_name.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { okResponse } from "../http/response.ts";
import { addressOf } from "../http/client_address.ts";
import { keyedHeaders } from "../http/rate_limit_headers.ts";

/** Variables of keyed routes. */
export interface CallerEnv {
  Variables: RequestIdVariables & { keyed: KeyedRequest };
}

/** A JSON answer with status 200, typed as the routes declare it. */
type Result<T> = Response & TypedResponse<T, 200, "json">;

/** Opens the keyed request of a context. Throws if the key is missing, misplaced or refused. */
export type OpenKeyed = (c: Context) => KeyedRequest | Promise<KeyedRequest>;

/**
 * Creates the function that opens keyed requests. While keyed requests are
 * served, pages are rendered less often.
 */
export function keyedRequests(
  deps: AccountsDeps,
  callers: CallerCache,
  renders: Pick<RenderQueue, "noteKeyed">,
): OpenKeyed {
  return (c) => {
    renders.noteKeyed();
    refuseMisplacedKey(c);
    const key = c.req.header("X-Api-Key");
    const hostname = addressOf(deps, c.req.raw, c.env);
    return findKeyedRequest(callers, key, hostname) ??
      startKeyedRequest(callers, key, hostname);
  };
}

/** Authorizes the caller, verifies a cached one, and sets the quota headers of refusals. */
export function keyed(
  deps: AccountsDeps,
  open: OpenKeyed,
  app: Pick<OpenAPIHono, "router">,
): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    const opened = open(c);
    const request = opened instanceof Promise ? await opened : opened;
    c.set("keyed", request);
    await next();
    // `answerKeyed` has set the headers of a result.
    if (!c.res.ok || request.unverified !== null) {
      try {
        await addQuotaHeaders(c, request);
      } catch (error) {
        // This error says that the request may have been charged, so no other
        // error replaces it.
        if (!(c.error instanceof CommitOutcomeUnknown)) throw error;
      }
    }
    const { status } = c.res;
    noteCall(deps, c, request, {
      status,
      requestId: c.get("requestId"),
      // No route of the path matches a refused method.
      route: status === 405 ? findRouteOfPath(app, c.req.path) : routeOf(c),
    });
  };

  async function addQuotaHeaders(c: Context, request: KeyedRequest) {
    await verifyCaller(request);
    const status = request.quotaStatus ??
      await readQuotaStatus(deps, request.caller, request.endpoint);
    const { headers } = c.res;
    const added = keyedHeaders(status, deps.now().getTime());
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
  }
}

/** Notes a call in the log of the key's owner, by its route pattern. */
function noteCall(
  { callLog, now }: Pick<AccountsDeps, "callLog" | "now">,
  c: Context,
  { caller, units }: KeyedRequest,
  { status, requestId, route = routeOf(c) }: {
    readonly status: number;
    readonly requestId: string;
    readonly route?: string | undefined;
  },
): void {
  callLog.note(caller.owner, {
    at: now().getTime(),
    endpoint: `${methodName(c.req.raw)} ${route ?? "(unknown)"}`,
    keyId: caller.keyId,
    status,
    units,
    requestId,
  });
}

/** Answers a keyed request with its result. */
export function answerKeyed<T>(
  deps: AccountsDeps,
  c: Context<CallerEnv>,
  result: T,
): Result<T> | Promise<Result<T>> {
  return answerKeyedText<T>(deps, c, JSON.stringify(result));
}

/** Answers a keyed request with the JSON of its result. */
export function answerKeyedText<T>(
  deps: AccountsDeps,
  c: Context<CallerEnv>,
  text: string,
): Result<T> | Promise<Result<T>> {
  const { quotaStatus, caller, endpoint } = c.get("keyed");
  const send = (status: QuotaStatus) =>
    okResponse(text, {
      "Content-Type": "application/json",
      "X-Request-Id": c.get("requestId"),
      ...keyedHeaders(status, deps.now().getTime()),
    }) as Result<T>;
  return quotaStatus === null
    ? readQuotaStatus(deps, caller, endpoint).then(send)
    : send(quotaStatus);
}

/**
 * Refuses a caller whose key or plan does not allow the endpoint. A cached caller who
 * may use it is verified when the call is counted.
 */
export function requireAccess(
  deps: AccountsDeps,
  scope: Scope,
): MiddlewareHandler<CallerEnv> {
  return async (c, next) => {
    const request = c.get("keyed");
    if (scope !== "usage") request.endpoint = scope;
    if (!isAllowed(request, scope)) {
      await verifyCaller(request);
      requireAccessOf(deps, request, scope);
    }
    await next();
  };
}

/** A key in a URL ends in logs and histories; the answer must not repeat it. */
function refuseMisplacedKey(c: Context): void {
  if (looksLikeKey(decodePercent(c.req.url))) {
    throw unauthorized("a key in the path or query string is never accepted");
  }
  if (looksLikeKey(c.req.header("Authorization") ?? "")) {
    throw unauthorized("a key in Authorization is not accepted");
  }
}
