/** viem clients that use the upstream rate limiter and throw `upstreamDown` faults. */
import type { PublicClient } from "viem";
import type { CallOptions } from "../rate_limit/call_budget.ts";
import { Fault, upstreamDown } from "../fault.ts";
import type { Http } from "./http_client.ts";
import { getOutcome } from "./json_rpc_client.ts";
import { OTHER_SHAPE } from "./error_response.ts";
import { nameSource, type Sourced } from "./source_names.ts";

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
