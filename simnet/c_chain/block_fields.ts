/** The JSON fields of a C-Chain block. */
import type { BlockPlace } from "./blocks.ts";
import { C_CHAIN } from "../chains.ts";
import { dayOf } from "../series/days.ts";
import { hex } from "./json_rpc.ts";
import { hexBytes } from "../series/noise.ts";
import { dailyValue } from "../series/series.ts";

/** From this time on blocks have a timestamp in milliseconds. */
const MILLISECOND_TIMES_FROM_MS: number = Date.parse(
  "2025-11-19T16:00:00Z",
);

/** The fields of a block as JSON. */
export type Fields = Readonly<Record<string, unknown>>;

const GAS_LIMIT_RAISED_DAY = dayOf("2025-04-08");
const ZERO_HASH = `0x${"0".repeat(64)}`;
const EMPTY_ROOT =
  "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
const EMPTY_UNCLES =
  "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

const CONSTANT_FIELDS: Fields = {
  difficulty: "0x1",
  extraData: "0x",
  logsBloom: `0x${"0".repeat(512)}`,
  miner: "0x0100000000000000000000000000000000000000",
  mixHash: ZERO_HASH,
  nonce: "0x0000000000000000",
  sha3Uncles: EMPTY_UNCLES,
  uncles: [],
};

/** Describes block 0, whose timestamp is 0. */
export function describeGenesis(): Fields {
  return {
    ...CONSTANT_FIELDS,
    difficulty: "0x0",
    gasLimit: "0x5f5e100",
    gasUsed: "0x0",
    hash: hashOf(0),
    number: "0x0",
    parentHash: ZERO_HASH,
    receiptsRoot: EMPTY_ROOT,
    size: "0x200",
    stateRoot: hash("state", 0),
    timestamp: "0x0",
    totalDifficulty: "0x0",
    transactions: [],
    transactionsRoot: EMPTY_ROOT,
  };
}

/** Counts the transactions of a block, without those sent to the simulation. */
export function countTransactions(place: BlockPlace): number {
  return portionOf("txCount", place);
}

/** Returns the hash of a block. */
export function hashOf(number: number): string {
  return hash("block", number);
}

/** Returns the price of gas on a day, in wei. */
export function gasPriceOn(day: number): number {
  return dailyValue(C_CHAIN, "avgGasPrice", day);
}

/** Describes block 1 or later. Transactions sent to the simulation come last. */
export function describeBlock(
  number: number,
  place: BlockPlace,
  { timeMs, sent }: { timeMs: number; sent: readonly string[] },
): Fields {
  const { day } = place;
  const txCount = countTransactions(place);
  const gasLimit = day < GAS_LIMIT_RAISED_DAY ? 16_000_000 : 40_000_000;
  return {
    ...CONSTANT_FIELDS,
    baseFeePerGas: hex(gasPriceOn(day)),
    blockGasCost: "0x0",
    extDataGasUsed: "0x0",
    extDataHash: EMPTY_ROOT,
    gasLimit: hex(gasLimit),
    gasUsed: hex(Math.min(portionOf("gasUsed", place), gasLimit)),
    hash: hashOf(number),
    number: hex(number),
    parentHash: hashOf(number - 1),
    receiptsRoot: hash("receipts", number),
    size: hex(700 + 180 * txCount),
    stateRoot: hash("state", number),
    timestamp: hex(Math.floor(timeMs / 1_000)),
    ...(timeMs >= MILLISECOND_TIMES_FROM_MS &&
      { timestampMilliseconds: hex(timeMs), minDelayExcess: "0x7a11e0" }),
    totalDifficulty: hex(number),
    transactions: Array.from(
      { length: txCount },
      (_, transaction) => hash(`transaction/${transaction}`, number),
    ).concat(sent),
    transactionsRoot: hash("transactions", number),
  };
}

/** Returns a block's share of a day's total, distributed evenly. */
function portionOf(
  metric: "txCount" | "gasUsed",
  { day, index, dayBlockCount }: BlockPlace,
): number {
  const total = dailyValue(C_CHAIN, metric, day);
  const before = (blocks: number) => Math.floor(total * blocks / dayBlockCount);
  return before(index + 1) - before(index);
}

function hash(seed: string, number: number): string {
  return `0x${hexBytes(seed, number, 32)}`;
}
