/** What a node of the C-Chain says of transactions and the tokens they moved. */
import type { Hex, Log, PublicClient, RpcLog } from "viem";
import { z } from "zod";
import type { CallOptions } from "../platform/rate_limit/call_budget.ts";
import { upstreamDown } from "../platform/fault.ts";
import type { TransactionReport, TransferLog } from "./transfers.ts";
import type { Http } from "../platform/http/http_client.ts";
import { OTHER_SHAPE } from "../platform/http/error_response.ts";
import { rpcClient } from "../platform/http/viem_client.ts";

/** A block as payments need it: which one it is, and its time in epoch ms. */
export interface BlockRef {
  readonly hash: string;
  readonly at: number;
}

/** The blocks to look through, first and last included, and whom transfers are to. */
export interface TransferFilter {
  readonly token: string;
  readonly to: string;
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** The event of ERC-20; that of ERC-721 has the same name and no value. */
const TRANSFER = [
  "event Transfer(address indexed from, address indexed to, uint256 value)",
] as const;

/** Whole numbers that viem gives as bigint, exact as a number. */
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

/** A node that tells of one event twice would double what was paid. */
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

/** A node of the C-Chain; `chainId` is the chain it must be of. */
export function transferNode(
  http: Http,
  url: string,
  { chainId }: { readonly chainId: number },
) {
  const { host } = new URL(url);
  const run = rpcClient(http, { url, chainId, name: "C-Chain RPC" });

  async function call<T>(
    options: CallOptions,
    calls: (client: PublicClient) => Promise<T>,
  ): Promise<T> {
    return (await run(options, calls)).body;
  }

  /** Throws where a node answers something else than what it was asked for. */
  function requireMatch(isAsked: boolean): void {
    if (!isAsked) throw upstreamDown(host, OTHER_SHAPE);
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
    // The chain is being reorganised: the block that has it is no longer there.
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
    /** Reads what the node knows of a transaction, by a hash in lower case. */
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

    /** Finds the block of a height; null where the node has none. */
    findBlock(height: number, options: CallOptions): Promise<BlockRef | null> {
      return call(options, (client) => findBlock(client, height));
    },

    /** Lists the transfers of a token to an address in a range of blocks, oldest first. */
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
        // viem's getLogs would pass over what was not asked for.
        const found = await client.request({
          method: "eth_getLogs",
          params: [{
            address: token as Hex,
            topics,
            fromBlock: viem.numberToHex(fromBlock),
            toBlock: viem.numberToHex(toBlock),
          }],
        });
        const logs = await parseTransfers(found);
        requireMatch(
          logs.length === found.length &&
            logs.every((log) =>
              log.token === token && log.to === to &&
              log.blockNumber >= fromBlock && log.blockNumber <= toBlock
            ),
        );
        return logs;
      });
    },
  };
}

/** A node that tells of transfers. */
export type TransferNode = ReturnType<typeof transferNode>;

/** Reads the transfers among logs, in the order of the chain; other events are passed over, and none may come twice. */
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

/** Reads the height without viem's own action, which remembers the answer of every client for good. */
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
  // Another block than the one asked for says nothing of it.
  return number === height ? { hash, at: timestamp * 1000 } : null;
}

/** What viem throws where a node answers that there is no such thing. */
const NOT_FOUND = [
  "BlockNotFoundError",
  "TransactionNotFoundError",
  "TransactionReceiptNotFoundError",
];

async function nullIfNotFound<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && NOT_FOUND.includes(error.name)) return null;
    throw error;
  }
}
