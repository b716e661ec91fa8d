/** Keyed requests: the caller, the plan, and the quota headers of every answer. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler, TypedResponse } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import {
  callerCache,
  mayUse,
  readQuotaStatus,
  requireUse,
  unauthorized,
} from "../../services/accounts/access.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import type { Scope } from "../../services/accounts/key_limits_schema.ts";
import { looksLikeKey } from "../../services/accounts/key_format.ts";
import { CommitOutcomeUnknown } from "../../services/platform/kv/commit.ts";
import { decodePercent } from "../../services/platform/observability/redact.ts";
import {
  type KeyedRequest,
  verifyCaller,
} from "../../services/scores/charge_and_refund.ts";
import { findRouteOfPath, methodName, routeOf } from "../http/route_name.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { addressOf } from "../http/client_address.ts";
import { keyedHeaders } from "../http/rate_limit_headers.ts";

/** Variables of keyed routes. */
export interface CallerEnv {
  Variables: RequestIdVariables & { keyed: KeyedRequest };
}

/** A JSON answer with status 200, typed as the routes declare it. */
export type Answer<T> = Response & TypedResponse<T, 200, "json">;

/**
 * Serves keyed requests. Finds the caller: a cached one is verified by the commit that
 * counts the call. Throws if the key is missing, misplaced or refused. Adds the quota to
 * the headers of every answer, and notes the call in the log of the key's owner. While
 * keyed requests are served, pages are rendered less often.
 */
export function keyed(
  deps: AccountsDeps,
  app: Pick<OpenAPIHono, "router">,
  renders: Pick<RenderQueue, "noteKeyed">,
): MiddlewareHandler<CallerEnv> {
  const callers = callerCache(deps);
  return async (c, next) => {
    renders.noteKeyed();
    // A key in a URL ends in logs and histories; the answer must not repeat it.
    if (looksLikeKey(decodePercent(c.req.url))) {
      throw unauthorized("a key in the path or query string is never accepted");
    }
    if (looksLikeKey(c.req.header("Authorization") ?? "")) {
      throw unauthorized("a key in Authorization is not accepted");
    }
    const key = c.req.header("X-Api-Key");
    const unverified = key === undefined ? null : callers.find(key);
    const request: KeyedRequest = {
      key: key!,
      callers,
      caller: unverified?.caller ?? await callers.authorize(key),
      unverified,
      endpoint: "score",
      quotaStatus: null,
      units: 0,
      hostname: addressOf(deps, c.req.raw, c.env),
    };
    c.set("keyed", request);
    await next();
    const { headers, ok, status } = c.res;
    const at = deps.now().getTime();
    const requestId = c.get("requestId");
    try {
      if (request.unverified !== null) await verifyCaller(request);
      const { caller, endpoint } = request;
      const quotaStatus = request.quotaStatus ??
        await readQuotaStatus(deps, caller, endpoint);
      const added = keyedHeaders(quotaStatus, at);
      for (const name in added) headers.set(name, added[name]!);
      headers.set("X-Request-Id", requestId);
      if (ok) headers.set("Content-Type", "application/json");
    } catch (error) {
      // This error says that the request may have been charged, so no other
      // error replaces it.
      if (!(c.error instanceof CommitOutcomeUnknown)) throw error;
    }
    // No route of the path matches a refused method.
    const route = status === 405
      ? findRouteOfPath(app, c.req.path)
      : routeOf(c);
    deps.callLog.note(request.caller.owner, {
      at,
      endpoint: `${methodName(c.req.raw)} ${route ?? "(unknown)"}`,
      keyId: request.caller.keyId,
      status,
      units: request.units,
      requestId,
    });
  };
}

/** Answers a keyed request with its result. `keyed` sets the headers. */
export function answerKeyed<T>(result: T): Answer<T> {
  return new Response(JSON.stringify(result)) as Answer<T>;
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
    const use = { scope, hostname: request.hostname };
    if (!mayUse(request.caller, use)) {
      await verifyCaller(request);
      requireUse(deps, request.caller, use);
    }
    await next();
  };
}
