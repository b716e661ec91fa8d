/** Transfers that pay the treasury. */
import type { PaidTransaction } from "./ledger.ts";
import type { Transfer } from "./transfers.ts";

/** The payment of one wallet in one transaction. */
export interface TreasuryTransfer {
  readonly wallet: string;
  /** Sum of its transfers in base units. */
  readonly amount: bigint;
  readonly transaction: PaidTransaction;
}

/** Sums the transfers to the treasury by transaction and sender. */
export function listTreasuryTransfers(
  transfers: readonly Transfer[],
  treasury: string,
): TreasuryTransfer[] {
  const paying = transfers.filter(({ to, amount }) =>
    to === treasury && amount > 0n
  );
  const groups = Map.groupBy(paying, ({ txHash, from }) => `${txHash}/${from}`);
  return [...groups.values()].map((group) => {
    const { from, txHash, blockNumber, blockHash, at } = group[0]!;
    return {
      wallet: from,
      amount: group.reduce((sum, { amount }) => sum + amount, 0n),
      transaction: {
        txHash,
        logIndexes: group.map(({ logIndex }) => logIndex),
        blockNumber,
        blockHash,
        paidAt: at,
      },
    };
  });
}
