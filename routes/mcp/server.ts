/**
 * The MCP server over the official SDK, and its resources: guides, and the definitions of
 * metrics and reasons. Loaded with the first request to `/mcp`: a
 * process without agents neither waits for the SDK nor holds it.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerOptions,
  type Tool as ListedTool,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { HOUR_MS } from "../../services/platform/days.ts";
import { shortened } from "../../services/platform/text.ts";
import { VERSION } from "../../services/platform/version.ts";
import type { AppDeps } from "../http/deps.ts";
import type { Guide } from "../docs/guides.ts";
import { Fault } from "../../services/platform/fault.ts";
import { jsonOfFault } from "../pages/on_error.ts";
import type { Arguments, Send, Tool } from "./tools.ts";
import { METRIC_DEFINITIONS } from "../../services/chain_data/quality/about.ts";
import { reasonOf } from "../../services/model/reasons.ts";
import { REASON_CODES } from "../../services/model/reasons_schema.ts";

const INSTRUCTIONS =
  "Firn has daily on-chain metrics of the Avalanche C-Chain and its L1s, checked against a second source, and reputation scores of C-Chain addresses. Before you compare or average, read `complete` and `gaps`: incomplete points still change, gaps are never filled. Cite `source` and `confirmedAt`. Lists are tables of `columns` and `rows`; pass `nextCursor` as `cursor` for more rows. Tools that spend units of the API key in X-Api-Key say so; everything else is free and needs no key. The resource firn://metrics defines every metric, firn://reasons every reason of a score.";

/** Lists and definitions change only with a release. */
const STABLE = { ttlMs: HOUR_MS, cacheScope: "public" } as const;

/** Serves one POST whose body is parsed. */
export type ServeMcp = (
  request: Request,
  body: unknown,
  send: Send,
) => Promise<Response>;

/** Creates the server. Each request gets an instance of its own: the protocol is stateless. */
export function mcpServer(
  deps: AppDeps,
  tools: readonly Tool[],
  guides: readonly Guide[],
): ServeMcp {
  const info = {
    name: "firn",
    title: "Firn",
    version: VERSION,
    description: "Avalanche chain data and wallet scores",
    websiteUrl: deps.publicUrl,
  };
  const options: ServerOptions = {
    capabilities: { tools: {}, resources: {} },
    instructions: INSTRUCTIONS,
    cacheHints: {
      "tools/list": STABLE,
      "resources/list": STABLE,
      "resources/templates/list": STABLE,
      "resources/read": STABLE,
      "server/discover": STABLE,
    },
    // The default compiles a new validator for each request. Nothing uses it:
    // arguments are validated by zod, and the server asks clients for nothing.
    jsonSchemaValidator: { getValidator: refuseValidation },
  };
  const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = tools.map(describeTool);
  const resources = listResources(guides);

  function newServer(send: Send): Server {
    const server = new Server(info, options);
    server.setRequestHandler("tools/list", () => ({ tools: listed }));
    server.setRequestHandler("tools/call", ({ params }) => {
      const { name, arguments: given = {} } = params;
      const tool = toolsByName.get(name);
      if (tool === undefined) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `Unknown tool "${shortened(name)}": expected one of ${
            [...toolsByName.keys()].join(", ")
          }`,
        );
      }
      return callTool(tool, given, send);
    });
    server.setRequestHandler("resources/list", () => ({ resources }));
    server.setRequestHandler(
      "resources/templates/list",
      () => ({ resourceTemplates: RESOURCE_TEMPLATES }),
    );
    server.setRequestHandler("resources/read", ({ params: { uri } }) => {
      const found = findResource(guides, uri);
      if (found === null) throw new ResourceNotFoundError(uri.slice(0, 200));
      return { contents: [found] };
    });
    return server;
  }

  const senders = new WeakMap<Request, Send>();
  const modern = createMcpHandler(
    ({ requestInfo }) => newServer(senders.get(requestInfo!)!),
    { legacy: "reject" },
  );

  /** Serves the handshake revisions, each request for itself and as JSON: nothing here streams. */
  async function serveLegacy(
    request: Request,
    parsedBody: unknown,
    send: Send,
  ): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
    });
    const server = newServer(send);
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  }

  return async (request, body, send) => {
    if (await isLegacyRequest(request, body)) {
      return await serveLegacy(request, body, send);
    }
    senders.set(request, send);
    return await modern.fetch(request, { parsedBody: body });
  };
}

/** Calls a tool. An error is a result with the body that HTTP answers. */
async function callTool({ call }: Tool, given: Arguments, send: Send) {
  const { isError, body } = await call(given, send).catch((error) => {
    if (!(error instanceof Fault)) throw error;
    return { isError: true, body: JSON.parse(jsonOfFault(error)) };
  });
  return {
    // The answer as text too, for clients that read only text.
    content: [{ type: "text" as const, text: JSON.stringify(body) }],
    structuredContent: body,
    ...(isError ? { isError } : {}),
  };
}

function describeTool(
  { name, title, description, inputSchema, isKeyed }: Tool,
) {
  return {
    name,
    title,
    description,
    // The SDK types a schema as any JSON, which an interface is not.
    inputSchema: inputSchema as unknown as ListedTool["inputSchema"],
    // A keyed call spends units, so a client should not repeat it unasked.
    annotations: {
      readOnlyHint: !isKeyed,
      destructiveHint: false,
      idempotentHint: !isKeyed,
      openWorldHint: false,
    },
  };
}

function refuseValidation(): never {
  throw new Error("Cannot validate by JSON schema: nothing here needs it");
}

const JSON_TYPE = "application/json";
const MARKDOWN = "text/markdown";

/** A resource without its content. */
interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** A resource with its content. */
interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

const GUIDES_URI = "firn://guides";

/** Definitions: a resource that lists them all, and one for each by its key. */
const DEFINITIONS = [
  {
    uri: "firn://metrics",
    key: "metric",
    items: METRIC_DEFINITIONS,
    find: (name: string) =>
      METRIC_DEFINITIONS.find(({ metric }) => metric === name),
    all: {
      name: "metrics",
      title: "Metric definitions",
      description:
        "Every metric: meaning, unit, kind and how days are aggregated",
      mimeType: JSON_TYPE,
    },
    each: {
      name: "metric",
      title: "Definition of a metric",
      description: "Meaning, unit, kind and aggregation of one metric",
      mimeType: JSON_TYPE,
    },
  },
  {
    uri: "firn://reasons",
    key: "code",
    items: REASON_CODES.map(reasonOf),
    find: (name: string) =>
      REASON_CODES.filter((code) => code === name).map(reasonOf)[0],
    all: {
      name: "reasons",
      title: "Reason codes",
      description: "Every reason of a score: kind, dimension and explanation",
      mimeType: JSON_TYPE,
    },
    each: {
      name: "reason",
      title: "Definition of a reason code",
      description: "Kind, dimension, title and explanation of one reason",
      mimeType: JSON_TYPE,
    },
  },
];

/** The templates of the resources that the list does not name one by one. */
const RESOURCE_TEMPLATES = DEFINITIONS.map(({ uri, key, each }) => ({
  uriTemplate: `${uri}/{${key}}`,
  ...each,
}));

/** Lists the resources. */
function listResources(guides: readonly Guide[]): ResourceEntry[] {
  return [
    ...DEFINITIONS.map(({ uri, all }) => ({ uri, ...all })),
    ...guides.map(({ slug, title, description }) => ({
      uri: `${GUIDES_URI}/${slug}`,
      name: slug,
      title,
      description,
      mimeType: MARKDOWN,
    })),
  ];
}

/** Finds the content of a resource, such as `firn://metrics` or `firn://metrics/avgTps`; null if there is none. */
function findResource(
  guides: readonly Guide[],
  uri: string,
): ResourceText | null {
  const guide = guides.find(({ slug }) => uri === `${GUIDES_URI}/${slug}`);
  if (guide) return { uri, mimeType: MARKDOWN, text: guide.source };
  for (const { uri: root, items, find } of DEFINITIONS) {
    const found = uri === root
      ? items
      : uri.startsWith(`${root}/`) && find(uri.slice(root.length + 1));
    if (found) return { uri, mimeType: JSON_TYPE, text: JSON.stringify(found) };
  }
  return null;
}
