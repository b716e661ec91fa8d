/** viem clients whose calls go through the gate and fail as every other upstream does. */
import type { PublicClient } from "viem";
import type { CallOptions } from "../rate_limit/call_budget.ts";
import { Fault, upstreamDown } from "../fault.ts";
import type { Http } from "./http_client.ts";
import { getOutcome } from "./json_rpc_client.ts";
import { OTHER_SHAPE } from "./error_response.ts";
import { nameSource, type Sourced } from "./source.ts";

/** Name of a C-Chain node as a source. */
export const C_CHAIN_RPC = "C-Chain RPC";

/** Returns the URLs of a comma list. */
export function parseUrls(list: string): string[] {
  return list.split(",").map((url) => url.trim()).filter((url) => url !== "");
}

/** The node to talk to: its URL, the chain it must be of, and its name as a source. */
export interface RpcNode {
  readonly url: string;
  readonly chainId: number;
  readonly name: string;
}

/** Runs calls to a node; whatever fails is one `upstreamDown` fault. */
export type RpcRun = <T>(
  options: CallOptions,
  calls: (client: PublicClient) => Promise<T>,
) => Promise<Sourced<T>>;

/** Connects to a node, whose chain is checked before its first answer is used. */
export function rpcClient(
  http: Http,
  { url, chainId, name }: RpcNode,
): RpcRun {
  const { host } = new URL(url);
  let isChecked = false;
  let simulated = false;

  /** A client serves one reading, since viem's actions take no signal. */
  async function clientFor(options: CallOptions): Promise<PublicClient> {
    // Loaded by the first call: a process that makes none is quicker and smaller.
    const { createPublicClient, http: rpcTransport } = await import("viem");
    const transport = rpcTransport(url, {
      retryCount: 0,
      // viem's clock stops at the headers; `getOutcome` times the body as well.
      timeout: 0,
      async fetchFn(input, init) {
        const request = new Request(input, init);
        const answer = await getOutcome(http, request, options);
        simulated ||= answer.simulated;
        return Response.json({ jsonrpc: "2.0", id: 1, ...answer.body });
      },
    });
    return createPublicClient({ transport });
  }

  async function checkChain(client: PublicClient): Promise<void> {
    if (isChecked) return;
    const answered = await client.getChainId();
    if (answered !== chainId) {
      throw upstreamDown(host, `chain is ${answered}, not ${chainId}`);
    }
    isChecked = true;
  }

  return async function run(options, calls) {
    try {
      const client = await clientFor(options);
      await checkChain(client);
      const body = await calls(client);
      return { body, source: nameSource(name, { host, simulated }) };
    } catch (cause) {
      throw toFault(host, cause);
    }
  };
}

/** Takes the fault out of viem's wrapping; what viem itself stumbles on is the answer's shape. */
function toFault(host: string, cause: unknown): Fault {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (error instanceof Fault) return error;
  }
  return upstreamDown(host, OTHER_SHAPE, { cause });
}
