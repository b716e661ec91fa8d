/** Messages of agents: JSON-RPC over HTTP, and the request that a tool gets. */
import type { Context } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import type { AppDeps } from "../http/deps.ts";
import type { KeyedRequest } from "../../services/scores/keyed_request.ts";
import { maxStaleMs } from "../http/representation.ts";
import { noteCall, type OpenKeyed } from "../accounts/caller.ts";
import { noteRefusedCall } from "../http/rate_limiting.ts";
import { keyedHeaders } from "../http/rate_limit_headers.ts";
import { networkOfClient } from "../http/client_address.ts";
import type { ToolRequest } from "./tool.ts";

/** Bytes of a message: the largest holds fifty addresses or a signed score. */
export const MAX_MESSAGE_BYTES = 16_384;

/** Error codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Reads the body as one message; otherwise returns the refusal. No cache may keep the answer. */
export async function readMessage(
  c: Context,
): Promise<{ body: unknown; refusal: Response | null }> {
  c.header("Cache-Control", "no-store");
  const body = parse(await c.req.text());
  if (body === undefined) {
    return { body, refusal: refuse(c, PARSE_ERROR, "expected JSON") };
  }
  return Array.isArray(body)
    ? {
      body,
      refusal: refuse(c, INVALID_REQUEST, "expected one message, not an array"),
    }
    : { body, refusal: null };
}

/** Creates the request of a tool. `finish` adds the quota's headers to the response if a key was used. */
export function startToolRequest(
  deps: AppDeps,
  openKeyed: OpenKeyed,
  c: Context<{ Variables: RequestIdVariables }>,
) {
  let keyed: KeyedRequest | undefined;
  const toolRequest: ToolRequest = {
    requestId: c.get("requestId"),
    freshness: {
      maxStaleMs: maxStaleMs(c.req.raw),
      client: networkOfClient(deps, c),
    },
    openKeyed: async () => keyed = await openKeyed(c),
  };
  function finish(response: Response): Response {
    response.headers.set("Cache-Control", "no-store");
    if (keyed) {
      const { requestId } = toolRequest;
      noteCall(deps, c, keyed, { status: response.status, requestId });
      if (keyed.units === 0) noteRefusedCall(c.env);
    }
    if (!keyed?.quotaStatus) return response;
    const added = keyedHeaders(keyed.quotaStatus, deps.now().getTime());
    for (const [name, value] of Object.entries(added)) {
      response.headers.set(name, value);
    }
    return response;
  }
  return { toolRequest, finish };
}

/** Returns undefined for text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Answers a body that is not a message. Its id is unknown. */
function refuse(c: Context, code: number, reason: string): Response {
  const error = { code, message: `Invalid body: ${reason}` };
  return c.json({ jsonrpc: "2.0", id: null, error }, 400);
}
