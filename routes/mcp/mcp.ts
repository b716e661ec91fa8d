/** `POST /mcp`: the Model Context Protocol over streamable HTTP. */
import type { Context } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import type { AppDeps } from "../deps.ts";
import type { ReadKeyedScore } from "../../services/scores/keyed_scores.ts";
import type { KeyedRequest } from "../../services/scores/metered_calls.ts";
import type { Library } from "../docs/docs_library.ts";
import { maxStaleMs } from "../http/representation.ts";
import { newRouter } from "../http/router.ts";
import { limitBody } from "../middleware/body.ts";
import { keyedHeaders, type OpenKeyed } from "../middleware/caller.ts";
import { networkOfClient } from "../middleware/client_address.ts";
import { knownHost } from "../middleware/known_host.ts";
import type { ServeMcp } from "./server.ts";
import type { ToolRequest } from "./tool.ts";

/** Bytes of a message: the largest holds fifty addresses or a signed score. */
const MAX_BYTES = 16_384;

/** Headers of the protocol, and of ours, that pages may send and read. */
const REQUEST_HEADERS = [
  "Accept",
  "Cache-Control",
  "Content-Type",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Protocol-Version",
  "X-Api-Key",
];
const RESPONSE_HEADERS = [
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
];

/** Creates the router. */
export function mcp(
  deps: AppDeps,
  { openLibrary, openKeyed, readKeyedScore }: {
    readonly openLibrary: () => Promise<Library>;
    readonly openKeyed: OpenKeyed;
    readonly readKeyedScore: ReadKeyedScore;
  },
) {
  let starting: Promise<ServeMcp> | undefined;
  /** Loads the server once. After a failure the next request tries again. */
  const start = () =>
    starting ??= load().catch((error) => {
      starting = undefined;
      throw error;
    });

  async function load(): Promise<ServeMcp> {
    const [{ mcpServer }, { listTools }, { document, guides }] = await Promise
      .all([import("./server.ts"), import("./tools.ts"), openLibrary()]);
    const tools = listTools(deps, document, readKeyedScore);
    return mcpServer(deps, tools, guides);
  }

  const router = newRouter<{ Variables: RequestIdVariables }>();
  router.use(
    knownHost(deps, {
      allowHeaders: REQUEST_HEADERS,
      exposeHeaders: RESPONSE_HEADERS,
    }),
  );
  return router.post("/", limitBody(MAX_BYTES), async (c) => {
    const body = parse(await c.req.text());
    if (body === undefined) return rpcError(c, -32700, "expected JSON");
    if (Array.isArray(body)) {
      return rpcError(c, -32600, "expected one message, not an array");
    }
    const serve = await start();
    let keyed: KeyedRequest | undefined;
    const toolRequest: ToolRequest = {
      requestId: c.get("requestId"),
      freshness: {
        maxStaleMs: maxStaleMs(c.req.raw),
        client: networkOfClient(deps, c),
      },
      openKeyed: async () => keyed = await openKeyed(c),
    };
    // Without the body, which is parsed, and without the connection's signal:
    // listening to that makes the runtime watch every request.
    const { url, headers } = c.req.raw;
    const head = new Request(url, { method: "POST", headers });
    const response = await serve(head, body, toolRequest);
    response.headers.set("Cache-Control", "no-store");
    if (keyed?.quotaStatus) {
      const added = keyedHeaders(keyed.quotaStatus, deps.now().getTime());
      for (const [name, value] of Object.entries(added)) {
        response.headers.set(name, value);
      }
    }
    return response;
  });
}

/** Returns undefined for text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Answers a body that is no message, whose id is unknown. */
function rpcError(c: Context, code: number, reason: string): Response {
  const error = { code, message: `Invalid body: ${reason}` };
  return c.json({ jsonrpc: "2.0", id: null, error }, 400);
}
