/** Who a call to an upstream is made for: a class of work, and the wallet and networks that caused it. */
import type { UsedBy } from "../fault.ts";
import { networksOf } from "./networks.ts";

/**
 * A class of calls. `payments`: the search for payments; `changes`: what anybody may
 * have checked without paying for it, such as claims, signatures of smart accounts
 * and linked accounts; `service`: chain data and jobs; `plans` and `free`: scores
 * for paid plans, and for free wallets and visitors; `refresh`: reads ahead of them.
 */
export type CallClass =
  | "payments"
  | "changes"
  | "service"
  | "plans"
  | "free"
  | "refresh";

/** A wallet or a network, whose calls are counted. */
export interface Party {
  readonly name: string;
  /** The part of each limit that it may use. */
  readonly cap: number;
}

/** Who a call is made for. */
export interface Requester {
  readonly of: CallClass;
  readonly parties: readonly Party[];
  /** Turns in a queue, compared with those of others. */
  readonly weight: number;
}

/** Part of a limit that one network may use for chain data. */
const NETWORK_CAP = 1 / 2;

/** Part of a limit that the free wallets and visitors of one network may use. */
const FREE_NETWORK_CAP = 1 / 5;

/** Part of a limit that a wallet or a network may use for changes. */
const CHANGE_CAP = 1 / 4;

/** Jobs and chain data, for nobody in particular. */
export const SERVICE: Requester = { of: "service", parties: [], weight: 4 };

/** The search for payments. */
export const PAYMENTS: Requester = { of: "payments", parties: [], weight: 4 };

/**
 * Reads ahead. In 24 hours they use at most a quarter of the calls, because those of
 * an evening count until the next one.
 */
export const REFRESH: Requester = {
  of: "refresh",
  parties: [{ name: "refresh", cap: 1 / 4 }],
  weight: 1,
};

/** Returns who used up calls: a wallet or a network by the name of the party, or everyone without a party. */
export function usedByOf(party: Party | undefined): UsedBy {
  if (party === undefined) return "everyone";
  return party.name.startsWith("0x") ? "wallet" : "network";
}

/** Returns the requester of a read for a network, or for the service itself. */
export function requesterOfClient(client: string | undefined): Requester {
  return client === undefined
    ? SERVICE
    : { ...SERVICE, parties: partiesOf(client, NETWORK_CAP) };
}

/** Turns and cap of a plan. */
interface Turns {
  readonly weight: number;
  readonly cap: number;
}

/** Returns the requester of a wallet with a paid plan. */
export function planRequester(
  wallet: string,
  { weight, cap }: Turns,
): Requester {
  return { of: "plans", parties: [{ name: wallet, cap }], weight };
}

/** Returns the requester of a visitor, or of work for visitors. */
export function visitorRequester(hostname: string | undefined): Requester {
  const parties = partiesOf(hostname, FREE_NETWORK_CAP);
  return { of: "free", parties, weight: 1 };
}

/** Returns the requester of a free wallet. */
export function freeRequester(
  wallet: string,
  { weight, cap }: Turns,
  hostname: string | undefined,
): Requester {
  const { of, parties } = visitorRequester(hostname);
  return { of, parties: [{ name: wallet, cap }, ...parties], weight };
}

/** Returns the requester of a change that a wallet makes, with the part of a limit that it may use. */
export function changeRequester(
  { wallet, hostname }: {
    readonly wallet: string;
    readonly hostname: string | null;
  },
  cap = CHANGE_CAP,
): Requester {
  const networks = partiesOf(hostname ?? undefined, cap);
  return {
    of: "changes",
    parties: [{ name: wallet, cap }, ...networks],
    weight: 1,
  };
}

function partiesOf(hostname: string | undefined, cap: number): Party[] {
  if (hostname === undefined) return [];
  return networksOf(hostname).map((name) => ({ name, cap }));
}
