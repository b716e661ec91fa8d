/** A simulated chain of transfers, served as a node serves it. */
import { keccak256, numberToHex, pad, toHex } from "viem";
import { USDC } from "../../../services/payments/plans_schema.ts";
import { nodeWith } from "./rpc_node.ts";
import type { Answering } from "../upstreams.ts";

/** The treasury. */
export const TREASURY = `0x${"71".repeat(20)}`;

/** A transfer to make; USDC to the treasury by default. */
interface Moved {
  readonly from: string;
  readonly amount: bigint;
  readonly to?: string;
  readonly token?: string;
}

/** A transaction in a block. */
interface Sent {
  readonly hash: string;
  readonly succeeded: boolean;
  readonly moved: readonly Moved[];
}

interface Block {
  readonly hash: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly sent: readonly Sent[];
}

/** The filter of `eth_getLogs`. */
interface Filter {
  readonly address: string;
  readonly topics: readonly [string, null, string];
  readonly fromBlock: string;
  readonly toBlock: string;
}

const TRANSFER = keccak256(toHex("Transfer(address,address,uint256)"));

/** Makes a chain whose blocks the test makes, one second apart and not before the clock. */
export function paidChain(
  { start, height = 10_000, now = () => start }: {
    start: number;
    height?: number;
    /** The clock, epoch ms. */
    now?: () => number;
  },
) {
  let names = 0;
  const newHash = (kind: string) => keccak256(toHex(`${kind} ${names++}`));
  const blocks = new Map<number, Block>();
  let head = height;
  /** The seconds by which the clock was ahead of the blocks. */
  let ahead = 0;
  const timeOf = (number: number) => start / 1000 + number - height + ahead;

  function makeBlock(number: number, sent: readonly Sent[]): void {
    ahead += Math.max(0, Math.floor(now() / 1000) - timeOf(number));
    const timestamp = timeOf(number);
    blocks.set(number, { hash: newHash("block"), timestamp, sent });
  }

  /** All blocks before the first one made are equal. */
  function findBlock(number: number): Block | null {
    if (number < 0 || number > head) return null;
    const timestamp = timeOf(number);
    const hash = keccak256(toHex(`old ${number}`));
    return blocks.get(number) ?? { hash, timestamp, sent: [] };
  }

  function findSent(hash: string) {
    for (const [number, block] of blocks) {
      const sent = block.sent.find((sent) => sent.hash === hash);
      if (sent) return { number, block, sent };
    }
    return null;
  }

  function logsOf(number: number) {
    const block = findBlock(number)!;
    let index = 0;
    return block.sent.flatMap(({ hash, succeeded, moved }) =>
      (succeeded ? moved : []).map((
        { token = USDC, from, to = TREASURY, amount },
      ) => ({
        address: token,
        topics: [TRANSFER, pad(from as "0x"), pad(to as "0x")],
        data: numberToHex(amount, { size: 32 }),
        blockNumber: numberToHex(number),
        blockHash: block.hash,
        transactionHash: hash,
        transactionIndex: "0x0",
        logIndex: numberToHex(index++),
        removed: false,
      }))
    );
  }

  return {
    /** Sends transfers in one transaction, which makes a block; returns its hash. */
    send(...moved: readonly Moved[]): string {
      const hash = newHash("transaction");
      makeBlock(++head, [{ hash, succeeded: true, moved }]);
      return hash;
    },

    /** Sends several transactions in one block; returns their hashes. */
    sendAll(all: readonly Moved[]): string[] {
      const sent = all.map((moved) => ({
        hash: newHash("transaction"),
        succeeded: true,
        moved: [moved],
      }));
      makeBlock(++head, sent);
      return sent.map(({ hash }) => hash);
    },

    /** Sends a transaction that fails. */
    fail(...moved: readonly Moved[]): string {
      const hash = newHash("transaction");
      makeBlock(++head, [{ hash, succeeded: false, moved }]);
      return hash;
    },

    /** Makes empty blocks. */
    mine(count = 2): void {
      head += count;
    },

    /** Replaces the newest blocks by as many others; the first one contains the given transactions again. */
    reorganise(depth: number, ...kept: readonly string[]): void {
      const sent = kept.map((hash) => findSent(hash)!.sent);
      for (let number = head - depth + 1; number <= head; number++) {
        makeBlock(number, number === head - depth + 1 ? sent : []);
      }
    },

    /** The newest block. */
    head: () => head,

    /** Returns a node of this chain that lacks some of the newest blocks. */
    node(
      { behind = 0, without = [] }: {
        behind?: number;
        without?: readonly string[];
      } = {},
    ): Answering {
      const top = () => head - behind;
      const hides = (hash: string) => without.includes(hash);
      return nodeWith({
        eth_blockNumber: () => numberToHex(top()),
        eth_getBlockByNumber(tag) {
          const number = tag === "latest" ? top() : Number(tag);
          const block = number > top() ? null : findBlock(number);
          return block && {
            number: numberToHex(number),
            hash: block.hash,
            timestamp: numberToHex(block.timestamp),
          };
        },
        eth_getTransactionReceipt(hash) {
          const found = findSent(hash!);
          if (!found || found.number > top() || hides(hash!)) return null;
          const { number, block, sent } = found;
          return {
            transactionHash: hash,
            blockNumber: numberToHex(number),
            blockHash: block.hash,
            status: sent.succeeded ? "0x1" : "0x0",
            logs: logsOf(number).filter((log) => log.transactionHash === hash),
          };
        },
        eth_getTransactionByHash(hash) {
          const found = hides(hash!) ? null : findSent(hash!);
          return found && { hash, blockNumber: null, blockHash: null };
        },
        eth_getLogs(filter) {
          const { address, topics, fromBlock, toBlock } =
            filter as unknown as Filter;
          const range = [...blocks.keys()].toSorted((a, b) => a - b)
            .filter((number) =>
              number >= Number(fromBlock) && number <= Number(toBlock) &&
              number <= top()
            );
          return range.flatMap(logsOf).filter((log) =>
            log.address === address && log.topics[2] === topics[2] &&
            !hides(log.transactionHash)
          );
        },
      });
    },
  };
}

/** A simulated chain. */
export type PaidChain = ReturnType<typeof paidChain>;
