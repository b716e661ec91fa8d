/** `POST /mcp`: the Model Context Protocol over streamable HTTP, whose tools are requests to the API. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import type { Library } from "../docs/docs_library.ts";
import { limitBody } from "../http/body.ts";
import { waitOutside } from "../../services/platform/cache.ts";
import { networkOfClient } from "../http/client_address.ts";
import type { AppDeps } from "../http/deps.ts";
import { knownHost } from "../http/known_host.ts";
import { MCP } from "../http/paths.ts";
import { noteToolAnswer } from "../http/rate_limiting.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { newRouter } from "../http/router.ts";
import { type Answer, attestationTool, listTools, type Send } from "./tools.ts";
import type { ServeMcp } from "./server.ts";
import { parseJson } from "../../services/platform/text.ts";

/** Bytes of a message: the largest holds fifty addresses or a signed score. */
const MAX_MESSAGE_BYTES = 16_384;

/** Error codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Headers of a message that its request to the API has too: who asks, and how old the answer may be. */
const PASSED_ON = [
  "Authorization",
  "Cache-Control",
  "Host",
  "X-Api-Key",
  "X-Forwarded-For",
];

/** What the server needs beside the settings. */
interface McpParts {
  readonly openLibrary: () => Promise<Library>;
  /** Answers a request as the router does: its message was counted already. */
  readonly route: OpenAPIHono["fetch"];
  readonly renders: Pick<RenderQueue, "run">;
}

interface McpEnv {
  Bindings: object;
  Variables: RequestIdVariables;
}

/** Mounts the server of tools on the app. */
export function mountMcp(
  app: OpenAPIHono,
  deps: AppDeps,
  { openLibrary, route, renders }: McpParts,
): void {
  let starting: Promise<ServeMcp> | undefined;
  /** Loads the server once. After a failure the next request tries again. */
  const start = () =>
    starting ??= load().catch((error) => {
      starting = undefined;
      throw error;
    });

  async function load(): Promise<ServeMcp> {
    const [{ mcpServer }, { document, guides }] = await Promise.all([
      import("./server.ts"),
      openLibrary(),
    ]);
    const tools = [...listTools(document), attestationTool(deps)];
    return mcpServer(deps, tools, guides);
  }

  /** Creates the sender of a message's requests. Copies the quota's headers to `quota`. */
  function sender(c: Context<McpEnv>, quota: Headers): Send {
    const headers = new Headers({
      "Content-Type": "application/json",
      "X-Request-Id": c.get("requestId"),
    });
    for (const name of PASSED_ON) {
      const value = c.req.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    return async (path, init, shape) => {
      const request = new Request(new URL(path, c.req.url), {
        ...init,
        headers,
      });
      const response = await waitOutside(() =>
        Promise.resolve(route(request, c.env))
      );
      noteToolAnswer(c.env, request, response);
      for (const [name, value] of response.headers) {
        if (/ratelimit|^retry-after$/.test(name)) quota.set(name, value);
      }
      const left = quotaOf(response.headers);
      const body = await response.json();
      const isError = !response.ok;
      return {
        isError,
        body: isError ? body : { ...shape(body), ...left },
      } satisfies Answer;
    };
  }

  const router = newRouter<McpEnv>();
  router.use(knownHost(deps));
  router.post("/", limitBody(MAX_MESSAGE_BYTES), async (c) => {
    // No cache may keep the answer.
    c.header("Cache-Control", "no-store");
    const body = parseJson(await c.req.text());
    if (body === undefined) return refuse(c, PARSE_ERROR, "expected JSON");
    if (Array.isArray(body)) {
      return refuse(c, INVALID_REQUEST, "expected one message, not an array");
    }
    const serve = await start();
    // Without the body, which is parsed, and without the connection's signal:
    // listening to that makes the runtime watch every request.
    const { url, headers } = c.req.raw;
    const head = new Request(url, { method: "POST", headers });
    // The SDK refuses what does not name both. Every answer is JSON, which a client
    // may be sent whatever it prefers (RFC 9110, 12.4.1).
    head.headers.set("Accept", "application/json, text/event-stream");
    const added = new Headers({ "Cache-Control": "no-store" });
    const response = await renders.run(
      networkOfClient(deps, c),
      () => serve(head, body, sender(c, added)),
      { route: MCP },
    );
    for (const [name, value] of added) response.headers.set(name, value);
    return response;
  });
  app.route(MCP, router);
}

/** Returns what is left of a key's quota as a field of the answer: assistants see no headers. */
function quotaOf(headers: Headers) {
  const [limit, remaining, resetAt] = ["Limit", "Remaining", "Reset"]
    .map((name) => headers.get(`X-RateLimit-${name}`));
  return limit && {
    quota: { limit: Number(limit), remaining: Number(remaining), resetAt },
  };
}

/** Answers a body that is not a message. Its id is unknown. */
function refuse(c: Context, code: number, reason: string): Response {
  const error = { code, message: `Invalid body: ${reason}` };
  return c.json({ jsonrpc: "2.0", id: null, error }, 400);
}
