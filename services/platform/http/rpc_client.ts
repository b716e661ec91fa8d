/**
 * Clients of nodes: JSON-RPC 2.0 calls over HTTP, and viem clients that use the upstream
 * rate limiter and throw upstreamDown faults.
 */
import { z } from "zod";
import type { PublicClient } from "viem";
import type { CallOptions } from "../rate_limit/call_budget.ts";
import { type Answer, getAnswer, type Http } from "./http_client.ts";
import {
  nameSource,
  OTHER_SHAPE,
  Refused,
  refusedInWords,
  type Sourced,
} from "./upstream_answer.ts";
import { Fault, upstreamDown } from "../fault.ts";

const RpcError = z.object({
  code: z.number(),
  message: z.string(),
  data: z.unknown().optional(),
});

const Outcome = z.union([
  z.object({ error: RpcError }),
  z.object({ result: z.unknown().refine((result) => result !== undefined) }),
]);
/** The response of a call: a result or an error. */
type Outcome = z.infer<typeof Outcome>;

/** The response of a call in a batch. */
const BatchOutcome = Outcome.and(z.object({ id: z.int() }));

/** The responses of a batch, in any order. */
const Answers = z.array(z.unknown()).or(z.object({ error: RpcError }));

/**
 * Sends a call and checks its result against a schema. Throws an `upstreamDown`
 * fault for every failure, including JSON-RPC errors.
 */
export function getResult<T>(
  http: Http,
  request: Request,
  schema: z.ZodType<T>,
  options: CallOptions,
): Promise<Answer<T>> {
  return getAnswer(http, request, (json) => {
    const outcome = Outcome.parse(json);
    if ("error" in outcome) throw refused(outcome.error);
    return schema.parse(outcome.result);
  }, options);
}

/**
 * Sends a call. A revert of a contract is returned; every other error throws an
 * `upstreamDown` fault.
 */
function getOutcome(
  http: Http,
  request: Request,
  options: CallOptions,
): Promise<Answer<Outcome>> {
  return getAnswer(http, request, (json) => {
    const outcome = Outcome.parse(json);
    if ("error" in outcome && !isRevert(outcome.error)) {
      throw refused(outcome.error);
    }
    return outcome;
  }, options);
}

/**
 * Sends a batch of calls. Returns the results by id, checked against a schema; calls
 * that the node refuses, or whose results can't be read, are missing. Throws an
 * `upstreamDown` fault if all are. With `reverted`, that is the result of a call that
 * a contract reverted.
 */
export function getResults<T>(
  http: Http,
  request: Request,
  schema: z.ZodType<T>,
  { reverted, ...options }: CallOptions & { readonly reverted?: T },
): Promise<Answer<ReadonlyMap<number, T>>> {
  return getAnswer(http, request, (json) => {
    const answers = Answers.parse(json);
    // A refused batch has one answer.
    if (!Array.isArray(answers)) throw refused(answers.error);
    const results = new Map<number, T>();
    let refusal = new Refused(OTHER_SHAPE);
    for (const answer of answers) {
      const read = BatchOutcome.safeParse(answer);
      if (!read.success) continue;
      const { id, ...outcome } = read.data;
      if ("error" in outcome) {
        if (reverted !== undefined && isRevert(outcome.error)) {
          results.set(id, reverted);
        } else refusal = refused(outcome.error);
      } else {
        const result = schema.safeParse(outcome.result);
        if (result.success) results.set(id, result.data);
      }
    }
    if (results.size === 0) throw refusal;
    return results;
  }, options);
}

function refused({ code, message }: z.infer<typeof RpcError>): Refused {
  return refusedInWords(message, code);
}

/** Nodes report a revert with code 3 if it has data, otherwise only in the message. */
function isRevert({ code, message }: z.infer<typeof RpcError>): boolean {
  return code === 3 || /^execution reverted/i.test(message);
}

/** Name of a C-Chain node as a source. */
export const C_CHAIN_RPC = "C-Chain RPC";

/** A node: its URL, the chain it must serve, and its name as a source. */
interface RpcNode {
  readonly url: string;
  readonly chainId: number;
  readonly name: string;
}

/** A client of a node. */
interface RpcClient {
  /** Runs calls. Every failure becomes one `upstreamDown` fault. */
  run<T>(
    options: CallOptions,
    calls: (client: PublicClient) => Promise<T>,
  ): Promise<Sourced<T>>;
  /** Reads the rate limit, so that counting a call takes one round of the database. */
  prepare(options: CallOptions): Promise<void>;
  /** Reserves a number of calls in the rate limit, for work that makes them one after the other. */
  reserve(options: CallOptions, calls: number): Promise<CallOptions>;
}

/** Makes a client of a node. It checks the chain id before it uses the first response. */
export function rpcClient(
  http: Http,
  { url, chainId, name }: RpcNode,
): RpcClient {
  const { host } = new URL(url);
  let isChecked = false;
  let simulated = false;

  return {
    async run(options, calls) {
      try {
        // Loaded by the first call: a process without calls starts faster and uses less memory.
        const { createPublicClient, custom, RpcRequestError } = await import(
          "viem"
        );
        // viem's own transport would write the parsed answer as text, and parse it again.
        const transport = custom({
          async request(call: { readonly method: string }) {
            const body = { jsonrpc: "2.0", id: 1, ...call };
            const request = new Request(url, {
              method: "POST",
              headers: { "Content-Type": "application/json" },
              body: JSON.stringify(body),
            });
            const { body: outcome, simulated: isSimulated } = await getOutcome(
              http,
              request,
              options,
            );
            simulated ||= isSimulated;
            if ("result" in outcome) return outcome.result;
            throw new RpcRequestError({ body, error: outcome.error, url });
          },
        }, { retryCount: 0 });
        // A client for each run, since viem's actions take no signal.
        const client = createPublicClient({ transport });
        if (!isChecked) {
          const answered = await client.getChainId();
          if (answered !== chainId) {
            throw upstreamDown(host, `chain is ${answered}, not ${chainId}`);
          }
          isChecked = true;
        }
        const body = await calls(client);
        return { body, source: nameSource(name, { host, simulated }) };
      } catch (cause) {
        throw toFault(host, cause);
      }
    },

    prepare: (options) => http.rateLimiter.prepare(options),

    reserve(options, calls) {
      const checks = isChecked ? 0 : 1;
      return http.rateLimiter.reserve(options, calls + checks);
    },
  };
}

/**
 * Returns the fault that viem has wrapped. An error of viem itself means that
 * the answer has another shape.
 */
function toFault(host: string, cause: unknown): Fault {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (error instanceof Fault) return error;
  }
  return upstreamDown(host, OTHER_SHAPE, { cause });
}

/**
 * Asks the first of some nodes, and the next one if a node is paused or fails. Throws
 * the fault of the first if all do, or if the caller no longer waits.
 */
export async function askInTurn<Node, T>(
  nodes: readonly Node[],
  { signal }: CallOptions,
  ask: (node: Node) => Promise<T>,
): Promise<T> {
  let first: unknown;
  for (const node of nodes) {
    try {
      return await ask(node);
    } catch (error) {
      first ??= error;
      const isDown = error instanceof Fault &&
        error.failure.kind === "upstreamDown";
      if (!isDown || signal.aborted) break;
    }
  }
  throw first;
}

/** Names of viem's errors for a null result. */
const NOT_FOUND = [
  "BlockNotFoundError",
  "TransactionNotFoundError",
  "TransactionReceiptNotFoundError",
];

/** Returns the result of a call; null if the node has no such block or transaction. */
export async function nullIfNotFound<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && NOT_FOUND.includes(error.name)) return null;
    throw error;
  }
}
