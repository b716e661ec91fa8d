/** The C-Chain's public RPC. Blocks and accounts are computed; only sent transactions are stored. */
import { balanceOf, codeAt, countSent } from "../accounts.ts";
import { C_CHAIN_ID } from "../chains.ts";
import { blockTimeline, blockTimeMs } from "./blocks.ts";
import {
  countTransactions,
  describeBlock,
  describeGenesis,
  gasPriceOn,
  hashOf,
} from "./block_fields.ts";
import { transactionMethods } from "./c_chain_transactions.ts";
import { dayAt } from "../series/days.ts";
import { DEMO_ACCOUNTS, FAUCET_USDC } from "../demo_wallet/demo_accounts.ts";
import {
  answerRpc,
  hex,
  INVALID_PARAMS,
  type RpcMethods,
  type RpcOutcome,
} from "./json_rpc.ts";
import { sentTransactions } from "./sent_transactions.ts";
import { USDC_ADDRESS } from "./usdc.ts";

/** The path of the C-Chain's RPC. */
export const C_CHAIN_PATH = "/ext/bc/C/rpc";

const MISSING_STATE: RpcOutcome = {
  error: { code: -32000, message: "missing trie node" },
};

/** Any non-empty code: the contract's answers are computed in `usdc.ts`. */
const USDC_CODE = "0x60806040";

/** Returns a handler that answers like a C-Chain node. */
export function cChainRpc(
  options: { readonly now: () => Date },
): (request: Request) => Promise<Response> {
  const timeline = blockTimeline();
  const head = () => timeline.headAt(options.now().getTime());
  const transactions = sentTransactions({
    head,
    chainId: C_CHAIN_ID,
    faucet: new Map(
      DEMO_ACCOUNTS.map((
        { signer },
      ) => [signer.address.toLowerCase(), FAUCET_USDC]),
    ),
  });

  /** Accepted blocks are final, so every tag except `earliest` means the head. */
  const tags: Readonly<Record<string, () => number>> = {
    earliest: () => 0,
    latest: head,
    pending: head,
    safe: head,
    finalized: head,
  };

  function numberOf(tag: string): number | null {
    if (Object.hasOwn(tags, tag)) return tags[tag]!();
    return /^0x[0-9a-f]+$/i.test(tag) ? Number(tag) : null;
  }

  function findBlock(params: unknown): RpcOutcome {
    const [tag] = Array.isArray(params) ? params : [];
    const number = typeof tag === "string" ? numberOf(tag) : null;
    if (number === null) return INVALID_PARAMS;
    if (number > head()) return { result: null };
    if (number === 0) return { result: describeGenesis() };
    const place = timeline.placeOf(number);
    const sent = transactions.listIn(number, number).map(({ hash }) => hash);
    const timeMs = blockTimeMs(place);
    return { result: describeBlock(number, place, { timeMs, sent }) };
  }

  /** Returns state at the head only, like a node that is not an archive node. */
  function stateOf(params: unknown, read: (address: string) => string) {
    const [address, tag = "latest"] = Array.isArray(params) ? params : [];
    if (!/^0x[0-9a-f]{40}$/i.test(address)) return INVALID_PARAMS;
    if (!Object.hasOwn(tags, tag) || tag === "earliest") return MISSING_STATE;
    return { result: read(address.toLowerCase()) };
  }

  /** Adds the transactions of the simulated history and those sent to the simulation. */
  function countNonces(params: unknown) {
    const isPending = Array.isArray(params) && params[1] === "pending";
    const block = isPending ? Infinity : head();
    return stateOf(params, (address) => {
      const lived = countSent(address, options.now().getTime());
      return hex(lived + transactions.countSent(address, block));
    });
  }

  function gasPrice(): RpcOutcome {
    return { result: hex(gasPriceOn(dayAt(options.now().getTime()))) };
  }

  const methods: RpcMethods = {
    eth_chainId: () => ({ result: hex(C_CHAIN_ID) }),
    net_version: () => ({ result: String(C_CHAIN_ID) }),
    eth_blockNumber: () => ({ result: hex(head()) }),
    eth_getBlockByNumber: findBlock,
    eth_getTransactionCount: countNonces,
    eth_getCode: (params) =>
      stateOf(
        params,
        (address) => address === USDC_ADDRESS ? USDC_CODE : codeAt(address),
      ),
    eth_getBalance: (params) =>
      stateOf(params, (address) => hex(balanceOf(address))),
    eth_gasPrice: gasPrice,
    eth_maxPriorityFeePerGas: () => ({ result: "0x1" }),
    ...transactionMethods({
      head,
      numberOf,
      minedIn: (block) => ({
        blockHash: hashOf(block),
        firstPlace: countTransactions(timeline.placeOf(block)),
      }),
    }, transactions),
  };

  return function answerCChain(request) {
    return new URL(request.url).pathname === C_CHAIN_PATH
      ? answerRpc(request, methods)
      : Promise.resolve(new Response("404 page not found", { status: 404 }));
  };
}
