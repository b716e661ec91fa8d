/** The simulated mainnet: thirty real chains, then generated ones. */
import rows from "./chains.json" with { type: "json" };
import { dayOf } from "./series/days.ts";
import { base58, hash32, unit } from "./series/noise.ts";

/** A simulated chain. */
export interface Chain {
  /** The id that clients use. */
  readonly evmChainId: number;
  /** The name. It is not unique. */
  readonly chainName: string;
  /** The Avalanche blockchain id in CB58. */
  readonly blockchainId: string;
  /** The id of the subnet in CB58. */
  readonly subnetId: string;
  /** The day of the first point, as days since 1970. */
  readonly firstDay: number;
  /** Daily transactions of the mature chain. */
  readonly typicalDailyTxs: number;
}

/** The EVM chain id of the C-Chain. */
export const C_CHAIN_ID = 43114;

/** Number of chains by default. */
const DEFAULT_CHAIN_COUNT: number = rows.length;

const REAL_CHAINS: readonly Chain[] = rows.map((row) => ({
  ...row,
  firstDay: dayOf(row.firstDay),
}));

/** The C-Chain. It is in every list. */
export const C_CHAIN: Chain = REAL_CHAINS[0]!;

/** Lists the chains, the C-Chain first. */
export function listChains(count: number = DEFAULT_CHAIN_COUNT): Chain[] {
  return Array.from(
    { length: count },
    (_, index) => REAL_CHAINS[index] ?? fillerChain(index),
  );
}

const FILLER_IDS_FROM = 5_000_000;
const FILLER_DAYS_FROM = dayOf("2023-01-02");

/** Generates a chain. It is named like real trial L1s, whose names are not unique either. */
function fillerChain(index: number): Chain {
  const evmChainId = FILLER_IDS_FROM + index;
  const suffix = 100 + hash32("filler name", evmChainId) % 300;
  return {
    evmChainId,
    chainName: `qr0${suffix}t1ms`,
    blockchainId: base58("blockchain", evmChainId, 50),
    subnetId: base58("subnet", evmChainId, 50),
    firstDay: FILLER_DAYS_FROM + hash32("filler day", evmChainId) % 1_000,
    typicalDailyTxs: 10 ** (4.5 * unit("filler size", evmChainId)),
  };
}
