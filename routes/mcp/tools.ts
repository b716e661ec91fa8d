/**
 * The tools of the MCP server: the operations of the OpenAPI document that answer JSON
 * without a session, and the verification of a signed score. Assistants read lists as
 * tables, a page of the longest, and figures of a series.
 */
import { Fault, invalidParameter } from "../../services/platform/fault.ts";
import {
  listOperations,
  type OpenApi,
  type Operation,
  resolve,
  type Schema,
} from "../docs/openapi_document.ts";
import { CHAIN_DATA, PROFILES, SCORING } from "../http/paths.ts";
import { textOf } from "../http/validation_errors.ts";
import { METRICS } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { meanOf, sumOf } from "../../services/platform/numbers.ts";
import {
  type AttestationsDeps,
  describeAttesting,
} from "../../services/attestations/attestations.ts";
import { TIER_IDS, TIERS } from "../../services/model/score_terms_schema.ts";

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

/** Rows of a page. */
const PAGE_ROWS = 100;

type Row = Readonly<Record<string, unknown>>;

/** Names of the columns, and one array per row. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Writes the lists of an answer as tables. Of the longest, a page of 100 rows is shown:
 * of days the newest first, which keep their order, of other lists the first. `cursor`
 * is the number of rows on the pages before.
 */
export function tabulated(
  answer: Row,
  cursor: unknown,
): Record<string, unknown> {
  const lists = Object.entries(answer).filter(isList);
  const longest = lists.toSorted(([, a], [, b]) => b.length - a.length)[0];
  const seen = offsetOf(cursor, longest?.[1].length ?? 0);
  const tables = lists.map(([name, rows]) => {
    if (name !== longest![0] || rows.length <= PAGE_ROWS) {
      return [name, tableOf(rows, rows)] as const;
    }
    const end = rows.length - seen;
    const page = ascends(rows)
      ? rows.slice(Math.max(0, end - PAGE_ROWS), end)
      : rows.slice(seen, seen + PAGE_ROWS);
    const shown = seen + page.length;
    return [name, {
      ...tableOf(rows, page),
      rowsInAll: rows.length,
      ...(shown < rows.length ? { nextCursor: String(shown) } : {}),
    }] as const;
  });
  const stats = statsOf(answer);
  return { ...answer, ...(stats && { stats }), ...Object.fromEntries(tables) };
}

function isList(
  entry: [string, unknown],
): entry is [string, readonly Row[]] {
  const [, value] = entry;
  return Array.isArray(value) && value.length > 0 &&
    value.every((item) => item instanceof Object && !Array.isArray(item));
}

/** Every page of a list has the columns of the whole list. */
function tableOf(items: readonly Row[], page: readonly Row[]): Table {
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const rows = page.map((item) => columns.map((name) => item[name] ?? null));
  return { columns, rows };
}

/** Returns whether a list is a series, which runs to its newest day. */
function ascends(rows: readonly Row[]): boolean {
  const [first, last] = [rows[0]!["day"], rows.at(-1)!["day"]];
  return typeof first === "string" && typeof last === "string" && first < last;
}

function offsetOf(cursor: unknown, most: number): number {
  if (cursor === undefined) return 0;
  const text = textOf(cursor);
  if (/^\d{1,9}$/.test(text) && Number(text) < most) return Number(text);
  throw invalidParameter(
    "cursor",
    text,
    "nextCursor of the previous answer, with the same arguments",
  );
}

/** Computes figures of the complete points of a metric, whatever page is shown; undefined for other answers. */
function statsOf({ metric, series }: Row) {
  if (typeof metric !== "string" || !Array.isArray(series)) return undefined;
  const complete = series.filter((point) => point.complete);
  if (complete.length === 0) return null;
  const values: number[] = complete.map(({ value }) => value);
  const extreme = (isBeyond: (a: number, b: number) => boolean) =>
    dayValueOf(
      complete.reduce((found, point) =>
        isBeyond(point.value, found.value) ? point : found
      ),
    );
  const { fold } = METRICS[metric as keyof typeof METRICS];
  return {
    completePoints: complete.length,
    newest: dayValueOf(complete.at(-1)),
    lowest: extreme((a, b) => a < b),
    highest: extreme((a, b) => a > b),
    mean: Number(meanOf(values).toPrecision(9)),
    // Only sums of a day's events may be added up.
    ...(fold === "sum" ? { sum: sumOf(values) } : {}),
  };
}

function dayValueOf({ day, value }: { day: string; value: number }) {
  return { day, value };
}

const TIER_LIST = TIER_IDS.map((tier) => ({ tier, label: TIERS[tier].label }));

/** Creates the tool `verify_attestation`, which judges a signed score as the page in the browser does. */
export function attestationTool(deps: AttestationsDeps): Tool {
  return {
    name: "verify_attestation",
    title: "Verify a signed score",
    description:
      "Verifies a signed score, the whole JSON answer of GET /api/v1/score/{address}/signed: signature, signer, contract and chain, issue time and expiry. Costs nothing and needs no key.",
    inputSchema: {
      type: "object",
      properties: {
        attestation: {
          description: "The signed score, as an object or as its JSON text",
          anyOf: [{ type: "object" }, { type: "string" }],
        },
      },
      required: ["attestation"],
      additionalProperties: false,
    },
    isKeyed: false,
    async call({ attestation }) {
      // The module's cryptography is loaded when it is first needed.
      const { judge, parseSigned } = await import(
        "../../static/attestation.js"
      );
      const signed = signedOf(parseSigned, attestation);
      const published = await describeAttesting(deps);
      const now = deps.now();
      const judged = judge(signed, {
        published,
        tiers: TIER_LIST,
        nowS: now.getTime() / 1000,
      });
      const { isValid, verdict, reason, checks, recovered } = judged;
      const { message } = signed;
      const body = {
        summary: `${verdict}: ${reason}.`,
        isValid,
        subject: message.subject.toLowerCase(),
        score: Number(message.score),
        tier: TIER_LIST[message.tier]?.tier ?? null,
        humanity: Number(message.humanity),
        verifiedHuman: message.verifiedHuman,
        issuedAt: instantOfSeconds(message.issuedAt),
        expiresAt: instantOfSeconds(message.expiresAt),
        signer: recovered,
        checks,
        checkedAt: now.toISOString(),
      };
      return { isError: false, body };
    },
  };
}

/** Parses the argument; a page of the browser words the same errors. */
function signedOf<Signed>(
  parseSigned: (text: string) => Signed,
  attestation: unknown,
): Signed {
  if (attestation === undefined) {
    throw new Fault(
      "Missing attestation: expected the answer of GET /api/v1/score/{address}/signed",
      { kind: "badInput", parameter: "attestation" },
    );
  }
  const text = typeof attestation === "string"
    ? attestation
    : JSON.stringify(attestation);
  try {
    return parseSigned(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "malformed";
    throw invalidParameter(
      "attestation",
      text,
      `the answer of GET /api/v1/score/{address}/signed (${reason})`,
    );
  }
}

/** Returns an instant in seconds as text; null beyond the calendar. */
function instantOfSeconds(seconds: string): string | null {
  const at = new Date(Number(seconds) * 1000);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
