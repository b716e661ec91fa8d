/** Transactions sent to the simulated C-Chain: mined into the next block, kept in memory. */
import {
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from "viem";
import { readTransfer, type Transfer, USDC_ADDRESS } from "./usdc.ts";

/** A transaction that was sent to the simulation. */
export interface SentTransaction {
  readonly hash: Hex;
  /** Lower-case, like all addresses here. */
  readonly from: string;
  /** Null for the creation of a contract. */
  readonly to: string | null;
  readonly fields: ReturnType<typeof parseTransaction>;
  /** The block that it is mined in; may be in the future. */
  readonly block: number;
  /** Its index among the sent transactions of the block. */
  readonly place: number;
  /** The USDC that it transfers; null if none. */
  readonly transfer: Transfer | null;
  /** False if the contract call is unknown or exceeds the balance. */
  readonly succeeds: boolean;
}

/** Why a transaction is refused, in the words of a node. */
type Refusal = "already known" | "invalid sender" | "rlp: invalid";

/** The chain that transactions are sent to. */
interface SentTransactionsOptions {
  /** The newest block. */
  readonly head: () => number;
  readonly chainId: number;
  /** Initial USDC balances in base units, by address. */
  readonly faucet: ReadonlyMap<string, bigint>;
}

/** Creates an empty collection of sent transactions. */
export function sentTransactions(
  { head, chainId, faucet }: SentTransactionsOptions,
) {
  const sent: SentTransaction[] = [];

  /** Transactions are in the order of sending, which is the order of their blocks. */
  function balanceAt(address: string, block: number): bigint {
    return sent.reduce((balance, transaction) => {
      const { transfer, from } = transaction;
      if (!transfer || !transaction.succeeds || transaction.block > block) {
        return balance;
      }
      return balance + (transfer.to === address ? transfer.amount : 0n) -
        (from === address ? transfer.amount : 0n);
    }, faucet.get(address) ?? 0n);
  }

  return {
    /** Adds a signed transaction; it is mined in the next block. */
    async send(raw: Hex): Promise<Hex | { readonly refusal: Refusal }> {
      const read = await readSigned(raw);
      if (!read) return { refusal: "rlp: invalid" };
      const { hash, from, fields } = read;
      if (fields.chainId !== chainId) return { refusal: "invalid sender" };
      if (sent.some((other) => other.hash === hash)) {
        return { refusal: "already known" };
      }
      const block = head() + 1;
      const to = fields.to?.toLowerCase() ?? null;
      const transfer = to === USDC_ADDRESS
        ? readTransfer(fields.data ?? "0x")
        : null;
      const holds = () => balanceAt(from, block) >= (transfer?.amount ?? 0n);
      sent.push({
        hash,
        from,
        to,
        fields,
        block,
        place: sent.filter((other) => other.block === block).length,
        transfer,
        succeeds: to !== USDC_ADDRESS || (transfer !== null && holds()),
      });
      return hash;
    },

    /** Finds a transaction, mined or not. */
    find(hash: string): SentTransaction | null {
      return sent.find((transaction) => transaction.hash === hash) ?? null;
    },

    /** Lists the transactions of a block range, both ends included, in order. */
    listIn(from: number, to: number): SentTransaction[] {
      return sent.filter(({ block }) => block >= from && block <= to);
    },

    /** Counts the transactions of an address up to a block. */
    countSent(address: string, block: number): number {
      return sent.filter((transaction) =>
        transaction.from === address && transaction.block <= block
      ).length;
    },

    /** Returns the USDC balance of an address at a block, in base units. */
    balanceAt,
  };
}

/** The transactions sent to a chain. */
export type SentTransactions = ReturnType<typeof sentTransactions>;

async function readSigned(
  raw: Hex,
): Promise<Pick<SentTransaction, "hash" | "from" | "fields"> | null> {
  const serializedTransaction = raw as TransactionSerialized;
  try {
    const from = await recoverTransactionAddress({ serializedTransaction });
    const fields = parseTransaction(serializedTransaction);
    return { hash: keccak256(raw), from: from.toLowerCase(), fields };
  } catch {
    return null;
  }
}
