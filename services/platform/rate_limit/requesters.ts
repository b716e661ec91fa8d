/** Who a call to an upstream is made for: a class of work, and the wallet and networks that caused it. */
import type { UsedBy } from "../fault.ts";
import { networksOf } from "./networks.ts";

/**
 * Classes of calls, in order of precedence: payments and claims, signatures of
 * smart accounts, chain data, scores for paid plans, and scores for free wallets
 * and for visitors without a key.
 */
export const CALL_CLASSES = [
  "payments",
  "signatures",
  "service",
  "paid",
  "free",
] as const;

/** A class of calls. */
export type CallClass = typeof CALL_CLASSES[number];

/** A wallet or a network, whose calls are counted. */
export interface Party {
  readonly name: string;
  /**
   * The party may make fewer calls than `weight` times what its class has left.
   * Alone it gets `weight / (1 + weight)` of the class. The shares of several that
   * call all the time approach the proportion of their weights (Choudhury and
   * Hahne, "Dynamic queue length thresholds", 1998).
   */
  readonly weight: number;
}

/** Who a call is made for. */
export interface Requester {
  readonly of: CallClass;
  readonly parties: readonly Party[];
}

/** A network gets at most half of what is left. */
const NETWORK_WEIGHT = 1;

/** A free wallet gets at most a third of what is left. */
const FREE_WALLET_WEIGHT = 1 / 2;

/** A wallet that claims payments or records donations gets at most half of what is left. */
const CHANGE_WEIGHT = 1;

/** Price in USDC of a plan whose wallet gets at most half of what is left. */
const EVEN_PRICE = 250;

/** The service itself. */
export const SERVICE: Requester = { of: "service", parties: [] };

/** Returns who used up calls: a wallet or a network by the name of the party, or everyone without a party. */
export function usedByOf(party: Party | undefined): UsedBy {
  if (party === undefined) return "everyone";
  return party.name.startsWith("0x") ? "wallet" : "network";
}

/** Returns the networks of an address as parties. */
export function networkParties(hostname: string): Party[] {
  return networksOf(hostname)
    .map((name) => ({ name, weight: NETWORK_WEIGHT }));
}

/** Returns the requester of a wallet whose plan costs `price` USDC. */
export function paidRequester(wallet: string, price: number): Requester {
  const party = { name: wallet, weight: price / EVEN_PRICE };
  return { of: "paid", parties: [party] };
}

/** Returns the requester of a free wallet, of a visitor without one, or of work for visitors. */
export function freeRequester(
  { wallet, hostname }: {
    readonly wallet?: string;
    readonly hostname?: string | undefined;
  },
): Requester {
  const wallets = wallet === undefined
    ? []
    : [{ name: wallet, weight: FREE_WALLET_WEIGHT }];
  const networks = hostname === undefined ? [] : networkParties(hostname);
  return { of: "free", parties: [...wallets, ...networks] };
}

/** Returns the requester of a change that a wallet makes; the wallet and its networks each get at most half of what is left. */
export function changeRequester(
  { wallet, hostname }: {
    readonly wallet: string;
    readonly hostname: string | null;
  },
): Requester {
  const networks = hostname === null ? [] : networkParties(hostname);
  return {
    of: "service",
    parties: [{ name: wallet, weight: CHANGE_WEIGHT }, ...networks],
  };
}
