/** The C-Chain's public RPC: blocks and accounts worked out on request, none stored. */
import { balanceOf, codeAt, countSent } from "./accounts.ts";
import { blockTimeline, blockTimeMs } from "./blocks.ts";
import { describeBlock, describeGenesis } from "./block_fields.ts";
import {
  answerRpc,
  INVALID_PARAMS,
  type RpcMethods,
  type RpcOutcome,
} from "./json_rpc.ts";

/** The path that the C-Chain's RPC answers on. */
export const C_CHAIN_PATH = "/ext/bc/C/rpc";

const MISSING_STATE: RpcOutcome = {
  error: { code: -32000, message: "missing trie node" },
};

/** Answers as a C-Chain node does. */
export function cChainRpc(
  options: { readonly now: () => Date },
): (request: Request) => Promise<Response> {
  const timeline = blockTimeline();
  const head = () => timeline.headAt(options.now().getTime());

  /** What is accepted is final, so all tags but one name the head. */
  const tags: Readonly<Record<string, () => number>> = {
    earliest: () => 0,
    latest: head,
    pending: head,
    safe: head,
    finalized: head,
  };

  function findBlock(params: unknown): RpcOutcome {
    const [tag] = Array.isArray(params) ? params : [];
    if (typeof tag !== "string") return INVALID_PARAMS;
    const number = Object.hasOwn(tags, tag) ? tags[tag]!() : Number(tag);
    if (!/^[a-z]+$|^0x[0-9a-f]+$/i.test(tag) || Number.isNaN(number)) {
      return INVALID_PARAMS;
    }
    if (number > head()) return { result: null };
    if (number === 0) return { result: describeGenesis() };
    const place = timeline.placeOf(number);
    return { result: describeBlock(number, place, blockTimeMs(place)) };
  }

  /** Knows the state at the head alone, as nodes do that are no archive. */
  function stateOf(params: unknown, read: (address: string) => string) {
    const [address, tag = "latest"] = Array.isArray(params) ? params : [];
    if (!/^0x[0-9a-f]{40}$/i.test(address)) return INVALID_PARAMS;
    if (!Object.hasOwn(tags, tag) || tag === "earliest") return MISSING_STATE;
    return { result: read(address.toLowerCase()) };
  }

  const methods: RpcMethods = {
    eth_chainId: () => ({ result: "0xa86a" }),
    net_version: () => ({ result: "43114" }),
    eth_blockNumber: () => ({ result: `0x${head().toString(16)}` }),
    eth_getBlockByNumber: findBlock,
    eth_getTransactionCount: (params) =>
      stateOf(
        params,
        (address) => hex(countSent(address, options.now().getTime())),
      ),
    eth_getCode: (params) => stateOf(params, codeAt),
    eth_getBalance: (params) =>
      stateOf(params, (address) => hex(balanceOf(address))),
  };

  return function answerCChain(request) {
    return new URL(request.url).pathname === C_CHAIN_PATH
      ? answerRpc(request, methods)
      : Promise.resolve(new Response("404 page not found", { status: 404 }));
  };
}

function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
