/** `POST /mcp`: the Model Context Protocol over streamable HTTP. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppDeps } from "../http/deps.ts";
import type { RequestIdVariables } from "hono/request-id";
import { newRouter } from "../http/router.ts";
import { limitBody } from "../http/body.ts";
import type { ReadKeyedScore } from "../../services/scores/keyed_scores.ts";
import type { Library } from "../docs/docs_library.ts";
import { MCP } from "../http/paths.ts";
import type { OpenKeyed } from "../accounts/caller.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { knownHost } from "../http/known_host.ts";
import {
  MAX_MESSAGE_BYTES,
  readMessage,
  startToolRequest,
} from "./messages.ts";
import type { ServeMcp } from "./server.ts";
import { toolsOpener } from "./tools.ts";

/** The guides and the OpenAPI document, the reader of keyed scores, who opens keyed requests, and the queue of what is not cached. */
interface McpParts {
  readonly openLibrary: () => Promise<Library>;
  readonly readKeyedScore: ReadKeyedScore;
  readonly openKeyed: OpenKeyed;
  readonly renders: Pick<RenderQueue, "run">;
}

/** Mounts the server of tools on the app. */
export function mountMcp(
  app: OpenAPIHono,
  deps: AppDeps,
  parts: McpParts,
): void {
  app.route(MCP, mcp(deps, parts));
}

function mcp(
  deps: AppDeps,
  { openKeyed, ...parts }: McpParts,
) {
  const openTools = toolsOpener(deps, parts);
  let starting: Promise<ServeMcp> | undefined;
  /** Loads the server once. After a failure the next request tries again. */
  const start = () =>
    starting ??= load().catch((error) => {
      starting = undefined;
      throw error;
    });

  async function load(): Promise<ServeMcp> {
    const [{ mcpServer }, { tools, guides }] = await Promise.all([
      import("./server.ts"),
      openTools(),
    ]);
    return mcpServer(deps, tools, guides);
  }

  const router = newRouter<{ Variables: RequestIdVariables }>();
  router.use(knownHost(deps));
  return router.post("/", limitBody(MAX_MESSAGE_BYTES), async (c) => {
    const { body, refusal } = await readMessage(c);
    if (refusal) return refusal;
    const serve = await start();
    const { toolRequest, finish } = startToolRequest(deps, openKeyed, c);
    // Without the body, which is parsed, and without the connection's signal:
    // listening to that makes the runtime watch every request.
    const { url, headers } = c.req.raw;
    const head = new Request(url, { method: "POST", headers });
    // The SDK refuses what does not name both. Every answer is JSON, which a client
    // may be sent whatever it prefers (RFC 9110, 12.4.1).
    head.headers.set("Accept", "application/json, text/event-stream");
    return finish(await serve(head, body, toolRequest));
  });
}
