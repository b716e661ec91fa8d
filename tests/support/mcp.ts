/** The official MCP client, connected to an app in this process or to a server. */
import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { createApp } from "../../routes/app.ts";
import { connectionFrom } from "./clients.ts";
import type { TestDeps } from "./deps.ts";

/** The revisions of the protocol that the service speaks, as the client chooses them. */
export const REVISIONS = {
  "2026-07-28": { pin: "2026-07-28" },
  "2025-11-25": "legacy",
} as const;
/** A revision of the protocol. */
export type Revision = keyof typeof REVISIONS;

/** The result of a tool, with its answer as an object. */
export interface ToolOutcome {
  // deno-lint-ignore no-explicit-any -- tests look into any shape there is.
  readonly answer: any;
  readonly text: string;
  readonly isError: boolean;
}

/** Connects a client to a URL, or to an app by its fetch. */
export async function connectTo(
  url: string,
  { revision = "2026-07-28", headers = {}, fetch }: {
    readonly revision?: Revision;
    readonly headers?: Record<string, string>;
    readonly fetch?: (
      url: URL | string,
      init?: RequestInit,
    ) => Promise<Response>;
  } = {},
) {
  const client = new Client({ name: "firn-tests", version: "1.0.0" }, {
    versionNegotiation: { mode: REVISIONS[revision] },
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    ...fetch && { fetch },
  });
  await client.connect(transport);
  return {
    client,
    /** Calls a tool. */
    async call(name: string, given = {}): Promise<ToolOutcome> {
      const result = await client.callTool({ name, arguments: given });
      const [block] = result.content;
      const text = block?.type === "text" ? block.text : "";
      return {
        answer: result.structuredContent,
        text,
        isError: result.isError === true,
      };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Connects a client to an app of its own, without network. */
export function connectInside(
  deps: TestDeps,
  options: { readonly revision?: Revision; readonly key?: string } = {},
) {
  const app = createApp(deps);
  const { key, ...rest } = options;
  return connectTo("http://localhost:8000/mcp", {
    ...rest,
    headers: key === undefined ? {} : { "X-Api-Key": key },
    fetch: async (url, init) =>
      await app.fetch(new Request(url, init), connectionFrom("192.0.2.1")),
  });
}
