/** RPC methods about transactions that were sent to the simulated C-Chain. */
import type { Hex } from "viem";
import {
  hex,
  INVALID_PARAMS,
  type RpcMethods,
  type RpcOutcome,
} from "./json_rpc.ts";
import type { SentTransaction, SentTransactions } from "./sent_transactions.ts";
import { matches, readLogFilter } from "./log_filter.ts";
import {
  describeLogs,
  describeReceipt,
  describeTransaction,
  type Mined,
  PAYMENT_GAS,
  TRANSFER_GAS,
} from "./transaction_fields.ts";
import { answerNameCall } from "./names.ts";
import { answerCall, USDC_ADDRESS } from "./usdc.ts";

/** Maximum number of blocks in one `eth_getLogs` call on the public nodes. */
export const MAX_LOG_BLOCKS = 2_048;

/** The blocks that transactions are mined in. */
interface Blocks {
  /** The newest block. */
  readonly head: () => number;
  /** Parses a tag or a hexadecimal number; null for anything else. */
  readonly numberOf: (tag: string) => number | null;
  readonly minedIn: (block: number) => Mined;
}

/** Returns the methods that send, find and estimate transactions, list logs and read USDC. */
export function transactionMethods(
  { head, numberOf, minedIn }: Blocks,
  transactions: SentTransactions,
): RpcMethods {
  /** Finds a transaction by the hash in the parameters. */
  function find(
    params: unknown,
    describe: (sent: SentTransaction, mined: Mined | null) => unknown,
  ): RpcOutcome {
    const [hash] = Array.isArray(params) ? params : [];
    if (!/^0x[0-9a-f]{64}$/i.test(hash)) return INVALID_PARAMS;
    const sent = transactions.find(hash.toLowerCase());
    if (!sent) return { result: null };
    const isMined = sent.block <= head();
    return { result: describe(sent, isMined ? minedIn(sent.block) : null) };
  }

  async function send(params: unknown): Promise<RpcOutcome> {
    const [raw] = Array.isArray(params) ? params : [];
    if (!/^0x[0-9a-f]+$/i.test(raw)) return INVALID_PARAMS;
    const outcome = await transactions.send(raw);
    return typeof outcome === "string"
      ? { result: outcome }
      : failed(outcome.refusal);
  }

  function call(params: unknown): RpcOutcome {
    const read = readCall(params);
    if (!read) return INVALID_PARAMS;
    const named = answerNameCall(read.to, read.data);
    if (named !== undefined) {
      return named === null ? failed("execution reverted") : { result: named };
    }
    if (read.to !== USDC_ADDRESS) return { result: "0x" };
    const balanceOf = (address: string) =>
      transactions.balanceAt(address, head());
    const result = answerCall(read.data, balanceOf);
    return result ? { result } : failed("execution reverted");
  }

  function estimateGas(params: unknown): RpcOutcome {
    const read = readCall(params);
    if (!read) return INVALID_PARAMS;
    const gas = read.to === USDC_ADDRESS ? TRANSFER_GAS : PAYMENT_GAS;
    return { result: hex(gas) };
  }

  function listLogs(params: unknown): RpcOutcome {
    const filter = readLogFilter(params);
    const from = filter && numberOf(filter.fromBlock);
    const to = filter && numberOf(filter.toBlock);
    if (!filter || from === null || to === null) return INVALID_PARAMS;
    if (to > head()) {
      return failed(
        `requested toBlock ${to} after last accepted block ${head()}`,
      );
    }
    if (from > to) return failed(`begin block ${from} is after ${to}`);
    if (to - from >= MAX_LOG_BLOCKS) {
      return failed(
        `requested too many blocks from ${from} to ${to}, ` +
          `maximum is set to ${MAX_LOG_BLOCKS}`,
      );
    }
    const logs = transactions.listIn(from, to)
      .flatMap((sent) => describeLogs(sent, minedIn(sent.block)));
    return { result: logs.filter((log) => matches(filter, log)) };
  }

  return {
    eth_sendRawTransaction: send,
    eth_getTransactionByHash: (params) => find(params, describeTransaction),
    eth_getTransactionReceipt: (params) =>
      find(params, (sent, mined) => mined && describeReceipt(sent, mined)),
    eth_getLogs: listLogs,
    eth_call: call,
    eth_estimateGas: estimateGas,
  };
}

function failed(message: string): RpcOutcome {
  return { error: { code: -32000, message } };
}

/** Parses the recipient (lower-case) and the data of a call. */
function readCall(params: unknown): { to: string; data: Hex } | null {
  const [call] = Array.isArray(params) ? params : [];
  if (typeof call !== "object" || call === null) return null;
  const { to = "", data = "0x", input = data } = call;
  return { to: String(to).toLowerCase(), data: input };
}
