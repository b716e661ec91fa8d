/** `/.well-known/agent-card.json`: the card by which other agents find this one (A2A 1.0, section 4.4.1). */
import { cors } from "hono/cors";
import { VERSION } from "../../services/platform/version.ts";
import type { AppDeps } from "../deps.ts";
import { newRouter } from "../http/router.ts";
import type { Tool } from "../mcp/tool.ts";
import type { OpenTools } from "../mcp/tools.ts";
import { A2A } from "../paths.ts";

const JSON_TYPE = "application/json";

/** The version of A2A that the card follows, and that `/a2a` speaks. */
export const A2A_VERSION = "1.0";

/** Serves the card. */
export function agentCard(
  { publicUrl }: Pick<AppDeps, "publicUrl">,
  openTools: OpenTools,
) {
  const router = newRouter();
  router.use("/agent-card.json", cors());
  return router.get("/agent-card.json", async (c) => {
    const { tools } = await openTools();
    c.header("Cache-Control", "public, max-age=300");
    return c.json({
      name: "Firn",
      description:
        'Daily on-chain metrics of the Avalanche C-Chain and its L1s, checked against a second source, and reputation scores of C-Chain addresses. Send one data part: {"skill": id, "arguments": {…}}. The answer is one data part.',
      version: VERSION,
      documentationUrl: `${publicUrl}/docs/mcp`,
      provider: { organization: "Firn", url: publicUrl },
      supportedInterfaces: [{
        url: `${publicUrl}${A2A}`,
        protocolBinding: "JSONRPC",
        protocolVersion: A2A_VERSION,
      }],
      capabilities: {
        streaming: false,
        pushNotifications: false,
        extendedAgentCard: false,
      },
      defaultInputModes: [JSON_TYPE],
      defaultOutputModes: [JSON_TYPE],
      securitySchemes: {
        apiKey: {
          apiKeySecurityScheme: {
            location: "header",
            name: "X-Api-Key",
            description: "A key of the dashboard; only scores need one",
          },
        },
      },
      skills: tools.map(skillOf),
    });
  });
}

function skillOf({ name, title, description, isKeyed, inputSchema }: Tool) {
  const names = Object.keys(inputSchema.properties);
  return {
    id: name,
    name: title,
    description: `${description} Arguments: ${names.join(", ")}.`,
    tags: isKeyed
      ? ["avalanche", "wallet", "reputation"]
      : ["avalanche", "blockchain", "data"],
    ...(isKeyed
      ? { securityRequirements: [{ schemes: { apiKey: { list: [] } } }] }
      : {}),
  };
}
