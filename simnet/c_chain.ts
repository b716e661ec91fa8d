/** The C-Chain's public RPC: blocks worked out on request, none stored. */
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

  const methods: RpcMethods = {
    eth_chainId: () => ({ result: "0xa86a" }),
    net_version: () => ({ result: "43114" }),
    eth_blockNumber: () => ({ result: `0x${head().toString(16)}` }),
    eth_getBlockByNumber: findBlock,
  };

  return function answerCChain(request) {
    return new URL(request.url).pathname === C_CHAIN_PATH
      ? answerRpc(request, methods)
      : Promise.resolve(new Response("404 page not found", { status: 404 }));
  };
}
