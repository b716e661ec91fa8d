/** A tool of the MCP server, and its arguments. */
import type { FreshnessOptions } from "../../services/platform/cache/read_through.ts";
import type { KeyedRequest } from "../../services/scores/keyed_request.ts";
import type { Schema } from "../docs/openapi_document.ts";

/** The arguments of a call, not yet validated. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The request that a call arrived in. */
export interface ToolRequest {
  readonly requestId: string;
  readonly freshness: FreshnessOptions;
  /** Opens the keyed request. Throws if the key is missing or refused. */
  readonly openKeyed: () => Promise<KeyedRequest>;
}

/** An answer: a sentence or two first, then tables and facts. */
export interface ToolAnswer {
  readonly summary: string;
  readonly [name: string]: unknown;
}

/** An answer with its JSON. */
export interface WrittenAnswer {
  readonly answer: ToolAnswer;
  readonly text: string;
}

/** A tool. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** True if a call needs a key and spends units. */
  readonly isKeyed?: boolean;
  /** Answers a call. Throws a fault as the HTTP endpoint does. */
  readonly call: (
    given: Arguments,
    request: ToolRequest,
  ) => Promise<WrittenAnswer>;
}

/** The JSON schema of a tool's arguments. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** Adds the JSON of an answer. */
export function written(answer: ToolAnswer): WrittenAnswer {
  return { answer, text: JSON.stringify(answer) };
}
