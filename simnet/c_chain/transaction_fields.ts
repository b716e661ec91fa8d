/** The JSON fields of a transaction, its receipt and its logs. */
import type { Fields } from "./block_fields.ts";
import { hex } from "./json_rpc.ts";
import type { SentTransaction } from "./sent_transactions.ts";
import { encodeTransfer, USDC_ADDRESS } from "./usdc.ts";

/** The block that a transaction is mined in. */
export interface Mined {
  readonly blockHash: string;
  /** Index of the first sent transaction within the block. */
  readonly firstPlace: number;
}

/** Gas of a USDC transfer, about as on the real chain. */
export const TRANSFER_GAS = 62_000;

/** Gas of a plain AVAX transfer. */
export const PAYMENT_GAS = 21_000;

/** Describes a transaction. The fields of its block are null until it is mined. */
export function describeTransaction(
  { hash, from, to, fields, block, place }: SentTransaction,
  mined: Mined | null,
): Fields {
  const { maxFeePerGas, maxPriorityFeePerGas } = fields;
  const gasPrice = hex(fields.gasPrice ?? maxFeePerGas ?? 0);
  return {
    hash,
    from,
    to,
    nonce: hex(fields.nonce ?? 0),
    value: hex(fields.value ?? 0),
    input: fields.data ?? "0x",
    gas: hex(fields.gas ?? 0),
    gasPrice,
    ...(maxFeePerGas !== undefined && {
      maxFeePerGas: hex(maxFeePerGas),
      maxPriorityFeePerGas: hex(maxPriorityFeePerGas ?? 0),
    }),
    type: typeOf(fields),
    chainId: hex(fields.chainId ?? 0),
    v: hex(fields.yParity ?? 0),
    r: fields.r,
    s: fields.s,
    blockNumber: mined && hex(block),
    blockHash: mined && mined.blockHash,
    transactionIndex: mined && hex(mined.firstPlace + place),
  };
}

/** Describes the receipt of a mined transaction. */
export function describeReceipt(sent: SentTransaction, mined: Mined): Fields {
  const { hash, from, to, fields, block, place } = sent;
  const gasUsed = hex(to === USDC_ADDRESS ? TRANSFER_GAS : PAYMENT_GAS);
  return {
    transactionHash: hash,
    transactionIndex: hex(mined.firstPlace + place),
    blockNumber: hex(block),
    blockHash: mined.blockHash,
    from,
    to,
    contractAddress: null,
    status: hex(sent.succeeds ? 1 : 0),
    type: typeOf(fields),
    gasUsed,
    cumulativeGasUsed: gasUsed,
    effectiveGasPrice: hex(fields.gasPrice ?? fields.maxFeePerGas ?? 0),
    logsBloom: `0x${"0".repeat(512)}`,
    logs: describeLogs(sent, mined),
  };
}

/** Describes the logs of a mined transaction: one transfer, or none. */
export function describeLogs(
  { hash, from, block, place, transfer, succeeds }: SentTransaction,
  mined: Mined,
) {
  if (!transfer || !succeeds) return [];
  return [{
    address: USDC_ADDRESS,
    ...encodeTransfer(from, transfer),
    blockNumber: hex(block),
    blockHash: mined.blockHash,
    transactionHash: hash,
    transactionIndex: hex(mined.firstPlace + place),
    logIndex: hex(mined.firstPlace + place),
    removed: false,
  }];
}

function typeOf({ type }: SentTransaction["fields"]): string {
  return type === "eip1559" ? "0x2" : "0x0";
}
