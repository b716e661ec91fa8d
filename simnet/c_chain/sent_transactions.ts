/** What was sent to the simulated C-Chain: mined into its next block, remembered while it runs. */
import {
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from "viem";
import { readTransfer, type Transfer, USDC_ADDRESS } from "./usdc.ts";

/** A transaction that was sent. */
export interface SentTransaction {
  readonly hash: Hex;
  /** Lower-case, as all addresses here. */
  readonly from: string;
  /** Null where a contract is created. */
  readonly to: string | null;
  readonly fields: ReturnType<typeof parseTransaction>;
  /** The block that it is mined in, which may be still to come. */
  readonly block: number;
  /** How many transactions sent before are in the same block. */
  readonly place: number;
  /** The USDC that it moves; null where it moves none. */
  readonly transfer: Transfer | null;
  /** False where it asks the contract for more than there is, or for nothing it knows. */
  readonly succeeds: boolean;
}

/** Why a transaction is not accepted, in a node's words. */
export type Refusal = "already known" | "invalid sender" | "rlp: invalid";

/** What the ledger is opened with. */
export interface SentTransactionsOptions {
  /** The newest block at this moment. */
  readonly head: () => number;
  readonly chainId: number;
  /** USDC that addresses start with, base units. */
  readonly faucet: ReadonlyMap<string, bigint>;
}

/** Opens a ledger in which nothing is sent yet. */
export function sentTransactions(
  { head, chainId, faucet }: SentTransactionsOptions,
) {
  const sent: SentTransaction[] = [];

  /** Balances change in the order of sending, which is also that of the blocks. */
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
    /** Takes a signed transaction in; it is mined in the next block. */
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

    /** Lists the transactions of blocks, both ends included, in order. */
    listIn(from: number, to: number): SentTransaction[] {
      return sent.filter(({ block }) => block >= from && block <= to);
    },

    /** Counts what an address has sent up to a block. */
    countSent(address: string, block: number): number {
      return sent.filter((transaction) =>
        transaction.from === address && transaction.block <= block
      ).length;
    },

    /** Returns the USDC of an address at a block, base units. */
    balanceAt,
  };
}

/** The transactions sent to one chain. */
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
