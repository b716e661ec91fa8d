/** Client of a C-Chain node: transactions and token transfers. */
import type { Hex, PublicClient } from "viem";
import { z } from "zod";
import type { CallOptions } from "../platform/rate_limit/call_budget.ts";
import { upstreamDown } from "../platform/fault.ts";
import type { Http } from "../platform/http/http_client.ts";
import { OTHER_SHAPE } from "../platform/http/upstream_answer.ts";
import { nullIfNotFound, rpcClient } from "../platform/http/rpc_client.ts";

/** A Transfer event (ERC-20); addresses and hashes are lower-case. */
export interface TransferLog {
  /** The contract that emitted the event. */
  readonly token: string;
  readonly txHash: string;
  readonly logIndex: number;
  readonly from: string;
  readonly to: string;
  /** Base units of the token. */
  readonly amount: bigint;
  readonly blockNumber: number;
  readonly blockHash: string;
}

/** A transfer and the time of its block, epoch ms. */
export interface Transfer extends TransferLog {
  readonly at: number;
}

/** What one node reports about a transaction. */
export type TransactionReport =
  | {
    readonly kind: "mined";
    readonly succeeded: boolean;
    readonly blockHash: string;
    /** Blocks after its own. Negative if a load-balanced node answers from different heights. */
    readonly confirmations: number;
    readonly transfers: readonly Transfer[];
  }
  /** Known, but not in a block yet. */
  | { readonly kind: "waiting" }
  | { readonly kind: "unknown" };

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

/** Selects the transfers of a transaction: of a token, or of other tokens to a receiver. */
type WantedTransfers = Pick<TransferFilter, "token" | "to">;

/** Topic of the event `Transfer(address,address,uint256)`. That of ERC-721 has a topic more. */
const TRANSFER =
  "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** The data of a transfer of nothing. */
const NOTHING = `0x${"0".repeat(64)}`;

/** Maximum number of transfers of other tokens: they are read to say why nothing was paid. */
const MAX_OTHER_TOKENS = 10;

const hex = (digits: string) =>
  z.string().regex(new RegExp(`^0x${digits}$`, "i"));

const Word = hex("[0-9a-f]{64}");
const Hash = Word.transform((text) => text.toLowerCase());
/** An address in a topic. */
const Padded = hex("0{24}[0-9a-f]{40}");
/** A number that is not too large to be exact. */
const Small = hex("[0-9a-f]{1,13}");
const Quantity = Small.transform(Number);

/** A transaction has thousands of events: one transform is cheaper than one a field. */
const TransferEvent = z.object({
  address: hex("[0-9a-f]{40}"),
  topics: z.tuple([z.literal(TRANSFER), Padded, Padded]),
  data: Word,
  transactionHash: Word,
  logIndex: Small,
  blockNumber: Small,
  blockHash: Word,
}).transform(({ topics: [, from, to], ...log }): TransferLog => ({
  token: log.address.toLowerCase(),
  txHash: log.transactionHash.toLowerCase(),
  logIndex: Number(log.logIndex),
  from: `0x${from.slice(-40).toLowerCase()}`,
  to: `0x${to.slice(-40).toLowerCase()}`,
  amount: BigInt(log.data),
  blockNumber: Number(log.blockNumber),
  blockHash: log.blockHash.toLowerCase(),
}));

/** Transfers in chain order. Duplicate events are rejected: they would count a payment twice. */
const TransferEvents = z.array(TransferEvent).refine((events) =>
  new Set(events.map(({ blockHash, logIndex }) => `${blockHash}/${logIndex}`))
    .size === events.length
).transform((events) =>
  events.sort((a, b) =>
    a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
  )
);

const Receipt = z.object({
  transactionHash: Hash,
  status: z.enum(["0x1", "0x0"]),
  blockNumber: Quantity,
  blockHash: Hash,
  logs: z.array(z.unknown()),
}).nullable();

/** Heights and times, as viem returns them. */
const SafeInteger = z.bigint().nonnegative()
  .max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);

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
    { token, to }: WantedTransfers,
  ): Promise<TransactionReport> {
    const hash = txHash as Hex;
    // viem's getTransactionReceipt would parse every event of the transaction.
    const receipt = Receipt.parse(
      await client.request({
        method: "eth_getTransactionReceipt",
        params: [hash],
      }),
    );
    if (receipt === null) {
      const waiting = await nullIfNotFound(client.getTransaction({ hash }));
      return { kind: waiting === null ? "unknown" : "waiting" };
    }
    // Anybody can emit any number of other events and of transfers of nothing, so
    // these are not parsed.
    const moving = (receipt.logs as readonly RawLog[])
      .filter((log) => isTransfer(log) && movesMore(log));
    const others = moving.filter((log) => !isOf(log, token) && isTo(log, to));
    const logs = TransferEvents.parse([
      ...moving.filter((log) => isOf(log, token)),
      ...others.slice(0, MAX_OTHER_TOKENS),
    ]);
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
      succeeded: receipt.status === "0x1",
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

    /** Reads the status and the wanted transfers of a transaction by its lower-case hash. */
    readTransaction(
      txHash: string,
      wanted: WantedTransfers,
      options: CallOptions,
    ): Promise<TransactionReport> {
      return call(options, (client) => readTransaction(client, txHash, wanted));
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
        const topics: [Hex, null, Hex] = [TRANSFER, null, padded(to)];
        // viem's getLogs would silently drop logs that do not match the filter.
        const found: readonly unknown[] = await client.request({
          method: "eth_getLogs",
          params: [{
            address: token as Hex,
            topics,
            fromBlock: `0x${fromBlock.toString(16)}`,
            toBlock: `0x${toBlock.toString(16)}`,
          }],
        });
        const isAsked = (log: RawLog) =>
          isTransfer(log) && isOf(log, token) && isTo(log, to);
        requireMatch(found.every((log) => isAsked(log as RawLog)));
        const logs = TransferEvents.parse(found.filter(movesMore));
        requireMatch(
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

/** The fields of a log that select it, before they are checked. */
interface RawLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

function isTransfer({ topics, data }: RawLog): boolean {
  return topics.length === 3 && topics[0] === TRANSFER &&
    data.length === NOTHING.length;
}

function movesMore(log: unknown): boolean {
  return (log as RawLog).data !== NOTHING;
}

function isOf({ address }: RawLog, token: string): boolean {
  return address.toLowerCase() === token;
}

function isTo({ topics }: RawLog, to: string): boolean {
  return topics[2]!.toLowerCase() === padded(to);
}

/** Returns an address as a topic has it. */
export function padded(address: string): Hex {
  return `0x${address.slice(2).padStart(64, "0")}`;
}

/** Reads the height directly: viem's getBlockNumber caches the result. */
async function readHead(client: PublicClient): Promise<number> {
  return Quantity.parse(await client.request({ method: "eth_blockNumber" }));
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
