/** JSON-RPC 2.0 over HTTP, single calls and batches. */

/** The outcome of a method: a result or an error. */
export type RpcOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** The methods of a node by name. */
export type RpcMethods = Readonly<
  Record<string, (params: unknown) => RpcOutcome | Promise<RpcOutcome>>
>;

/** Maximum number of calls in one batch on the public nodes. */
const MAX_BATCH_SIZE = 40;

/** The error for invalid parameters. */
export const INVALID_PARAMS: RpcOutcome = {
  error: { code: -32602, message: "invalid argument" },
};

/** Encodes a number as nodes do: hexadecimal, without leading zeros. */
export function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

/** Answers an HTTP request with one outcome per call. */
export async function answerRpc(
  request: Request,
  methods: RpcMethods,
): Promise<Response> {
  if (request.method !== "POST") {
    return new Response("Method Not Allowed", { status: 405 });
  }
  const body = parseJson(await request.text());
  return Response.json(
    await (Array.isArray(body)
      ? callBatch(body, methods)
      : call(body, methods)),
  );
}

/** Lists the methods that a request body calls. */
export function listRpcMethods(text: string): string[] {
  return [parseJson(text)].flat().flatMap((call) =>
    isCall(call) ? [call.method] : []
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function callBatch(
  calls: readonly unknown[],
  methods: RpcMethods,
): Promise<unknown> {
  if (calls.length === 0) return invalidRequest("empty batch");
  if (calls.length > MAX_BATCH_SIZE) return invalidRequest("batch too large");
  return await Promise.all(calls.map((body) => call(body, methods)));
}

async function call(body: unknown, methods: RpcMethods): Promise<unknown> {
  if (body === undefined) {
    return envelope(null, { error: { code: -32700, message: "parse error" } });
  }
  if (!isCall(body)) return invalidRequest("invalid request");
  const { id = null, method, params } = body;
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  return envelope(id, await run?.(params) ?? unknownMethod(method));
}

function unknownMethod(method: string): RpcOutcome {
  const message = `the method ${method} does not exist/is not available`;
  return { error: { code: -32601, message } };
}

function invalidRequest(message: string): unknown {
  return envelope(null, { error: { code: -32600, message } });
}

function envelope(id: unknown, outcome: RpcOutcome): unknown {
  return { jsonrpc: "2.0", id, ...outcome };
}

function isCall(
  body: unknown,
): body is { id?: unknown; method: string; params?: unknown } {
  return typeof body === "object" && body !== null && "method" in body &&
    typeof body.method === "string";
}
