/** The tools of the MCP server: the operations of the OpenAPI document that answer JSON without a session. */
import { Fault } from "../../services/platform/fault.ts";
import {
  listOperations,
  type OpenApi,
  type Operation,
  resolve,
  type Schema,
} from "../docs/openapi_document.ts";
import { CHAIN_DATA, PROFILES, SCORING } from "../http/paths.ts";
import { textOf } from "../http/validation_errors.ts";
import { tabulated } from "./tables.ts";

/** The arguments of a call, not yet validated. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** True if a call spends units of a key, so that a client should not repeat it unasked. */
  readonly isKeyed: boolean;
  /** Answers a call. The API checks the key and then the arguments; what tools do not have is a fault. */
  readonly call: (given: Arguments, send: Send) => Promise<Answer>;
}

/** The JSON schema of a tool's arguments. */
interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** The answer of a tool, or the error body of HTTP. */
export interface Answer {
  readonly isError: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a request of the caller to the API, and shapes its JSON in the caller's turn. */
export type Send = (
  path: string,
  init: { readonly method: string; readonly body?: string },
  shape: (body: Answer["body"]) => Answer["body"],
) => Promise<Answer>;

/** Whose operations are tools. */
const PREFIXES = [CHAIN_DATA, SCORING, PROFILES];

/** Operations that say nothing to an assistant. */
const OMITTED: readonly string[] = ["getHealth"];

/** The parameter of HTTP that tools do not have: they answer JSON alone. */
const FORMAT = "format";

/** Describes the argument that continues a long list. */
const CURSOR: Schema = {
  type: "string",
  description: "nextCursor of the previous answer, with the same arguments",
};

/** Hints that the summaries of some operations lack. */
const HINTS: Readonly<Record<string, string>> = {
  getMetrics:
    "Leave incomplete points out of averages, as stats does. Days in gaps have no value.",
  getChains: "The other tools take these chain ids.",
  getScore: "Costs one unit of the key in the header X-Api-Key.",
  postBatch:
    "Costs one unit an address, of a key of the Builder plan or above in the header X-Api-Key.",
};

/** Derives the tools. The lists of an answer become tables, of which the longest is paged. */
export function listTools(document: OpenApi): Tool[] {
  return listOperations(document)
    .filter(({ path, operation: { operationId, security = [], responses } }) =>
      PREFIXES.some((prefix) => path.startsWith(prefix)) &&
      responses[200]?.content?.["application/json"] !== undefined &&
      security.every((scheme) => !("Session" in scheme)) &&
      !OMITTED.includes(operationId)
    )
    .map((described) => toolOf(document, described));
}

function toolOf(
  document: OpenApi,
  { path, method, operation }: ReturnType<typeof listOperations>[number],
): Tool {
  const { operationId, summary, security = [] } = operation;
  const fields = fieldsOf(document, operation);
  const isKeyed = security.length > 0;
  // An operation that pages by itself has a cursor of its own.
  const isPaged = method === "GET" && !isKeyed &&
    !fields.some(({ name }) => name === "cursor");
  const inputSchema = schemaOf(
    isPaged
      ? [...fields, { name: "cursor", schema: CURSOR, required: false }]
      : fields,
  );
  const hint = HINTS[operationId];
  return {
    name: operationId.replace(/[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
    title: summary,
    description: `${summary} (${method} ${path}).${hint ? ` ${hint}` : ""}`,
    inputSchema,
    isKeyed,
    call: async (given, send) => {
      if (FORMAT in given) {
        throw new Fault(
          `Unknown argument "${FORMAT}": expected none, since tools answer JSON`,
          { kind: "badInput", parameter: FORMAT },
        );
      }
      const { cursor, ...query } = isPaged ? given : { ...given, cursor: null };
      const shape = (body: Answer["body"]) =>
        tabulated(body, cursor ?? undefined);
      return method === "GET"
        ? await send(targetOf(path, query), { method }, shape)
        : await send(path, { method, body: JSON.stringify(given) }, shape);
    },
  };
}

/** Lists the parameters of an operation and the fields of its body. */
function fieldsOf(document: OpenApi, operation: Operation) {
  const { parameters = [], requestBody } = operation;
  const content = requestBody?.content["application/json"];
  const body = content && resolve(document, content.schema);
  return [
    ...parameters.filter(({ name }) => name !== FORMAT)
      .map(({ name, required = false, schema }) => ({
        name,
        required,
        schema,
      })),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
      name,
      required: body?.required?.includes(name) ?? false,
      schema,
    })),
  ];
}

function schemaOf(
  fields: ReturnType<typeof fieldsOf>,
): InputSchema {
  const required = fields.filter((field) => field.required)
    .map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(({ name, schema }) => [name, schema]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Puts arguments into the path, and all others into the query. A place without argument stays, and is refused by name. */
function targetOf(path: string, given: Arguments): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    const text = Array.isArray(value)
      ? value.map(textOf).join()
      : textOf(value);
    const place = `{${name}}`;
    if (path.includes(place)) {
      // A URL drops the segments . and .. of its path.
      const segment = /^\.{0,2}$/.test(text) ? `"${text}"` : text;
      filled = filled.replace(place, () => encodeURIComponent(segment));
    } else query.set(name, text);
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}
