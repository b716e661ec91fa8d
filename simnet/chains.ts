/** The simulated mainnet: thirty real chains, then as many fillers as asked for. */
import rows from "./chains.json" with { type: "json" };
import { dayOf } from "./series/days.ts";
import { base58, hash32, unit } from "./series/noise.ts";

/** A chain as the simulation knows it. */
export interface Chain {
  /** The id that clients name the chain by. */
  readonly evmChainId: number;
  /** The name, which another chain may have too. */
  readonly chainName: string;
  /** The chain's own id in CB58. */
  readonly blockchainId: string;
  /** The id of the validators' group in CB58. */
  readonly subnetId: string;
  /** The day of the first point, as days since 1970. */
  readonly firstDay: number;
  /** The level that the daily transactions settle at. */
  readonly typicalDailyTxs: number;
}

/** The EVM chain id of the C-Chain. */
export const C_CHAIN_ID = 43114;

/** How many chains there are where nothing else is said. */
export const DEFAULT_CHAIN_COUNT: number = rows.length;

const REAL_CHAINS: readonly Chain[] = rows.map((row) => ({
  ...row,
  firstDay: dayOf(row.firstDay),
}));

/** The C-Chain, which is in every list. */
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

/** Makes up a chain named as the trial L1s are; their names are not unique. */
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
