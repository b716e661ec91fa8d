/** `POST /a2a`: the tools for other agents, by A2A 1.0 over JSON-RPC. Every message is answered at once, so there are no tasks. */
import { z } from "@hono/zod-openapi";
import type { HonoRequest } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import type { AppDeps } from "../deps.ts";
import { newRouter } from "../http/router.ts";
import {
  MAX_MESSAGE_BYTES,
  readMessage,
  startToolRequest,
} from "../mcp/messages.ts";
import { callTool, type OpenTools } from "../mcp/tools.ts";
import { limitBody } from "../middleware/body.ts";
import type { OpenKeyed } from "../middleware/caller.ts";
import { knownHost } from "../middleware/known_host.ts";
import { A2A_VERSION } from "./agent_card.ts";

/** The error codes of JSON-RPC and of A2A (1.0, section 5.4) that are sent. */
const ERRORS = {
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  unknownTask: -32001,
  noPushNotifications: -32003,
  unsupportedOperation: -32004,
  unsupportedContent: -32005,
  unsupportedVersion: -32009,
} as const;

/** Methods that need a capability that the card denies, and what answers them (1.0, section 3.3.4). */
const REFUSED_METHODS: Readonly<Record<string, keyof typeof ERRORS>> = {
  GetTask: "unknownTask",
  CancelTask: "unknownTask",
  SendStreamingMessage: "unsupportedOperation",
  SubscribeToTask: "unsupportedOperation",
  ListTasks: "unsupportedOperation",
  GetExtendedAgentCard: "unsupportedOperation",
  CreateTaskPushNotificationConfig: "noPushNotifications",
  GetTaskPushNotificationConfig: "noPushNotifications",
  ListTaskPushNotificationConfigs: "noPushNotifications",
  DeleteTaskPushNotificationConfig: "noPushNotifications",
};

const NO_TASKS =
  "This agent answers at once: it has no tasks, streams, push notifications or extended card";

const Id = z.object({ id: z.union([z.string(), z.number()]) });

const Rpc = Id.extend({
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  params: z.unknown().optional(),
});

const Params = z.object({
  message: z.object({
    messageId: z.string(),
    contextId: z.string().optional(),
    taskId: z.string().optional(),
    parts: z.array(z.object({ data: z.unknown().optional() })).min(1),
  }),
});

const Request = z.object({
  skill: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

const EXPECTED =
  'expected one data part {"skill": id, "arguments": {…}} with a skill of the agent card';

/** Creates the router. */
export function a2a(
  deps: AppDeps,
  { openTools, openKeyed }: {
    readonly openTools: OpenTools;
    readonly openKeyed: OpenKeyed;
  },
) {
  const router = newRouter<{ Variables: RequestIdVariables }>();
  router.use(knownHost(deps, ["A2A-Version"]));
  return router.post("/", limitBody(MAX_MESSAGE_BYTES), async (c) => {
    const { body, refusal } = await readMessage(c);
    if (refusal) return refusal;
    const rpc = Rpc.safeParse(body);
    const id = Id.safeParse(body).data?.id ?? null;
    const fail = (error: keyof typeof ERRORS, message: string) =>
      c.json({ jsonrpc: "2.0", id, error: { code: ERRORS[error], message } });
    if (!rpc.success) return fail("invalidRequest", "Invalid JSON-RPC request");
    if (versionOf(c.req) !== A2A_VERSION) {
      return fail(
        "unsupportedVersion",
        `Invalid A2A-Version: expected ${A2A_VERSION}`,
      );
    }
    const { method, params } = rpc.data;
    const refused = Object.hasOwn(REFUSED_METHODS, method)
      ? REFUSED_METHODS[method]
      : undefined;
    if (refused) return fail(refused, NO_TASKS);
    if (method !== "SendMessage") {
      return fail("unknownMethod", "Method not found");
    }
    const sent = Params.safeParse(params);
    if (!sent.success) return fail("invalidParams", "Invalid SendMessage");
    const { message: { parts, contextId, taskId } } = sent.data;
    if (taskId) return fail("unknownTask", NO_TASKS);
    const request = Request.safeParse(parts.length === 1 && parts[0]!.data);
    const { tools } = await openTools();
    const tool = tools.find(({ name }) => name === request.data?.skill);
    if (!request.success || tool === undefined) {
      return fail("unsupportedContent", `Unsupported message: ${EXPECTED}`);
    }
    const { toolRequest, finish } = startToolRequest(deps, openKeyed, c);
    const { structuredContent, isError = false } = await callTool(deps, tool, {
      given: request.data.arguments,
      request: toolRequest,
    });
    const message = {
      messageId: crypto.randomUUID(),
      ...(contextId === undefined ? {} : { contextId }),
      role: "ROLE_AGENT",
      parts: [{ data: structuredContent, mediaType: "application/json" }],
      metadata: { isError },
    };
    return finish(c.json({ jsonrpc: "2.0", id, result: { message } }));
  });
}

/** Returns the requested major and minor version (1.0, section 3.6): none means 0.3. */
function versionOf(request: HonoRequest): string | undefined {
  const given = request.header("A2A-Version") || request.query("A2A-Version") ||
    "0.3";
  return given.match(/^(\d+\.\d+)(\.\d+)?$/)?.[1];
}
