/** Client of a C-Chain node: transactions and token transfers. */
import type { Hex, Log, PublicClient, RpcLog } from "viem";
import { z } from "zod";
import type { CallOptions } from "../platform/rate_limit/call_budget.ts";
import { upstreamDown } from "../platform/fault.ts";
import type { TransactionReport, TransferLog } from "./transfers.ts";
import type { Http } from "../platform/http/http_client.ts";
import { OTHER_SHAPE } from "../platform/http/error_response.ts";
import { nullIfNotFound, rpcClient } from "../platform/http/viem_client.ts";

/** Hash of a block, and its time in epoch ms. */
interface BlockRef {
  readonly hash: string;
  readonly at: number;
}

/** Selects transfers by token, receiver and block range, both ends included. */
interface TransferFilter {
  readonly token: string;
  readonly to: string;
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** The ERC-20 event. The ERC-721 event has the same name but no value. */
const TRANSFER = [
  "event Transfer(address indexed from, address indexed to, uint256 value)",
] as const;

/** A bigint from viem that a number represents exactly. */
const SafeInteger = z.bigint().nonnegative()
  .max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);

const hex = (digits: number) =>
  z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`))
    .transform((text) => text.toLowerCase());

const Address = hex(40);
const Hash = hex(64);

const TransferEvent = z.object({
  address: Address,
  transactionHash: Hash,
  logIndex: z.int().nonnegative(),
  blockNumber: SafeInteger,
  blockHash: Hash,
  args: z.object({ from: Address, to: Address, value: z.bigint() }),
}).transform(({ address, transactionHash, args, ...place }): TransferLog => ({
  token: address,
  txHash: transactionHash,
  from: args.from,
  to: args.to,
  amount: args.value,
  ...place,
}));

/** Rejects duplicate events: they would count a payment twice. */
const TransferEvents = z.array(TransferEvent).refine((events) =>
  new Set(events.map(({ blockHash, logIndex }) => `${blockHash}/${logIndex}`))
    .size === events.length
);

const Receipt = z.object({
  transactionHash: Hash,
  status: z.enum(["success", "reverted"]),
  blockNumber: SafeInteger,
  blockHash: Hash,
});

const Block = z.object({
  number: SafeInteger,
  hash: Hash,
  timestamp: SafeInteger,
});

/** Calls that read a mined transaction: its receipt, its block and the head. */
const TRANSACTION_CALLS = 3;

/** Client of one C-Chain node. Calls fail if the node is not on `chainId`. */
export function transferNode(
  http: Http,
  url: string,
  { chainId }: { readonly chainId: number },
) {
  const { host } = new URL(url);
  const { run, prepare, reserve } = rpcClient(http, {
    url,
    chainId,
    name: "C-Chain RPC",
  });

  async function call<T>(
    options: CallOptions,
    calls: (client: PublicClient) => Promise<T>,
  ): Promise<T> {
    return (await run(options, calls)).body;
  }

  /** Throws a fault if the response does not match the request. */
  function requireMatch(matches: boolean): void {
    if (!matches) throw upstreamDown(host, OTHER_SHAPE);
  }

  async function readTransaction(
    client: PublicClient,
    txHash: string,
  ): Promise<TransactionReport> {
    const hash = txHash as Hex;
    const found = await nullIfNotFound(client.getTransactionReceipt({ hash }));
    if (found === null) {
      const waiting = await nullIfNotFound(client.getTransaction({ hash }));
      return { kind: waiting === null ? "unknown" : "waiting" };
    }
    const { status, ...receipt } = Receipt.parse(found);
    const logs = await parseTransfers(found.logs);
    requireMatch(
      receipt.transactionHash === txHash &&
        logs.every((log) =>
          log.txHash === txHash && log.blockHash === receipt.blockHash
        ),
    );
    const block = await findBlock(client, receipt.blockNumber);
    // The chain is being reorganised: the transaction's block was replaced.
    if (block?.hash !== receipt.blockHash) return { kind: "waiting" };
    return {
      kind: "mined",
      succeeded: status === "success",
      blockHash: receipt.blockHash,
      confirmations: await readHead(client) - receipt.blockNumber,
      transfers: logs.map((log) => ({ ...log, at: block.at })),
    };
  }

  return {
    /** The host of the node. */
    host,

    /** Reads the rate limit, so that counting calls takes one round of the database. */
    prepare,

    /** Counts the calls of `readTransaction` in one round of the database, and returns options with them. */
    reserve: (options: CallOptions) => reserve(options, TRANSACTION_CALLS),

    /** Reads the status and transfers of a transaction by its lower-case hash. */
    readTransaction(
      txHash: string,
      options: CallOptions,
    ): Promise<TransactionReport> {
      return call(options, (client) => readTransaction(client, txHash));
    },

    /** Reads the height of the newest block. */
    readHead(options: CallOptions): Promise<number> {
      return call(options, readHead);
    },

    /** Finds the block at a height; null if the node has none. */
    findBlock(height: number, options: CallOptions): Promise<BlockRef | null> {
      return call(options, (client) => findBlock(client, height));
    },

    /** Lists the transfers that match a filter and move more than nothing, oldest first. */
    listTransfers(
      { token, to, fromBlock, toBlock }: TransferFilter,
      options: CallOptions,
    ): Promise<TransferLog[]> {
      return call(options, async (client) => {
        const viem = await import("viem");
        const topics = viem.encodeEventTopics({
          abi: viem.parseAbi(TRANSFER),
          eventName: "Transfer",
          args: { to: to as Hex },
        });
        // viem's getLogs would silently drop logs that do not match the filter.
        const found = await client.request({
          method: "eth_getLogs",
          params: [{
            address: token as Hex,
            topics,
            fromBlock: viem.numberToHex(fromBlock),
            toBlock: viem.numberToHex(toBlock),
          }],
        });
        const asked: RawFilter = [token, topics[0]!, topics[2] as Hex];
        requireMatch(found.every((log) => matches(log, asked)));
        // Anybody can emit any number of transfers of nothing, so they are not parsed.
        const paying = found.filter(({ data }) => !NOTHING.test(data));
        const logs = await parseTransfers(paying);
        requireMatch(
          logs.length === paying.length &&
            logs.every((log) =>
              log.blockNumber >= fromBlock && log.blockNumber <= toBlock
            ),
        );
        return logs;
      });
    },
  };
}

/** Client of one C-Chain node. */
export type TransferNode = ReturnType<typeof transferNode>;

/** The contract of a transfer, its event and its receiver, as a node reports them. */
type RawFilter = readonly [token: string, event: Hex, receiver: Hex];

/** The data of a transfer of nothing. */
const NOTHING = /^0x0{64}$/;

/** Returns whether a log has the contract, event and receiver of a filter. */
function matches(
  { address, topics }: RpcLog,
  [token, event, receiver]: RawFilter,
): boolean {
  return topics.length === 3 && topics[0] === event &&
    topics[2]?.toLowerCase() === receiver && address.toLowerCase() === token;
}

/** Returns the transfers among logs in chain order. Other events are ignored; duplicates throw. */
async function parseTransfers(
  logs: readonly (Log | RpcLog)[],
): Promise<TransferLog[]> {
  const { parseAbi, parseEventLogs } = await import("viem");
  const abi = parseAbi(TRANSFER);
  const events = parseEventLogs({ abi, logs: [...logs] });
  return TransferEvents.parse(events).sort((a, b) =>
    a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
  );
}

/** Reads the height directly: viem's getBlockNumber caches the result. */
async function readHead(client: PublicClient): Promise<number> {
  const height = await client.request({ method: "eth_blockNumber" });
  return SafeInteger.parse(BigInt(height));
}

async function findBlock(
  client: PublicClient,
  height: number,
): Promise<BlockRef | null> {
  const blockNumber = BigInt(height);
  const found = await nullIfNotFound(client.getBlock({ blockNumber }));
  if (found === null) return null;
  const { number, hash, timestamp } = Block.parse(found);
  return number === height ? { hash, at: timestamp * 1000 } : null;
}
