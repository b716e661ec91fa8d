/** The tools of the MCP server, and how a call of one becomes a result. */
import type { RenderQueue } from "../http/render_queue.ts";
import type { AppDeps } from "../http/deps.ts";
import { CommitOutcomeUnknown } from "../../services/platform/kv/commit_outcome_unknown.ts";
import { Fault } from "../../services/platform/fault.ts";
import type { ReadKeyedScore } from "../../services/scores/keyed_scores.ts";
import type { Library } from "../docs/docs_library.ts";
import type { OpenApi } from "../docs/openapi_document.ts";
import {
  ERROR_STATUSES,
  isFailure,
  simulatedHeaders,
} from "../http/error_statuses.ts";
import { internalBody, jsonOfFault } from "../pages/on_error.ts";
import { answerCache } from "./answer_cache.ts";
import { requireKnown } from "./arguments.ts";
import { attestationTool } from "./attestation_tool.ts";
import { checkedSeriesTool, disputesTool } from "./checked_tools.ts";
import { qualityTool } from "./quality_tool.ts";
import { revisionsTool } from "./revisions_tool.ts";
import { scoreTools } from "./score_tools.ts";
import { seriesTools } from "./series_tools.ts";
import type { Arguments, Tool, ToolRequest } from "./tool.ts";

/** Opens the tools, and the guides that agents may read beside them. */
type OpenTools = () => Promise<{
  readonly tools: readonly Tool[];
  readonly guides: Library["guides"];
}>;

/** The reader of keyed scores, and the queue of what is not cached. */
interface ToolParts {
  readonly readKeyedScore: ReadKeyedScore;
  readonly renders: Pick<RenderQueue, "run">;
}

/** Creates the function that opens the tools once, so that protocols share their cache. */
export function toolsOpener(
  deps: AppDeps,
  { openLibrary, ...parts }: ToolParts & {
    readonly openLibrary: () => Promise<Library>;
  },
): OpenTools {
  let tools: Tool[] | undefined;
  return async () => {
    const { document, guides } = await openLibrary();
    return {
      tools: tools ??= listTools(deps, document, parts),
      guides,
    };
  };
}

/** Creates the tools, in the order of the list. */
function listTools(
  deps: AppDeps,
  document: OpenApi,
  { readKeyedScore, renders }: ToolParts,
): Tool[] {
  const cache = answerCache(deps, renders);
  return [
    ...seriesTools(deps, document, cache),
    checkedSeriesTool(deps, document, cache),
    disputesTool(deps, document, cache),
    revisionsTool(deps, document, cache),
    qualityTool(deps, document, cache),
    ...scoreTools(deps, document, readKeyedScore),
    attestationTool(deps),
  ];
}

/** A result as the protocol has it: the answer as an object, and as text for clients that read only text. */
type ToolResult = {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
};

/** Calls a tool. An error becomes a result with the body that HTTP would answer. */
export async function callTool(
  { log }: Pick<AppDeps, "log">,
  tool: Tool,
  { given, request }: {
    readonly given: Arguments;
    readonly request: ToolRequest;
  },
): Promise<ToolResult> {
  try {
    // A keyed tool checks the key first, as HTTP does.
    if (!tool.isKeyed) requireKnown(given, tool.inputSchema);
    const { answer, text } = await tool.call(given, request);
    return { content: [{ type: "text", text }], structuredContent: answer };
  } catch (error) {
    const text = error instanceof Fault
      ? jsonOfFault(error)
      : JSON.stringify(internalBody(error));
    const status = error instanceof Fault
      ? ERROR_STATUSES[error.failure.kind].status
      : 500;
    const headers = new Headers(simulatedHeaders(error));
    if (isFailure({ status, headers })) {
      const { requestId } = request;
      const event =
        error instanceof Fault || error instanceof CommitOutcomeUnknown
          ? "request.unavailable"
          : "request.failed";
      log(event, { requestId, route: `tool ${tool.name}`, status, error });
    }
    return {
      content: [{ type: "text", text }],
      structuredContent: JSON.parse(text),
      isError: true,
    };
  }
}
