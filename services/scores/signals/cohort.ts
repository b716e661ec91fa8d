/**
 * Cohorts: wallets that one address funded first. A wallet is tied to those of them
 * that moved their AVAX to the same address as it did.
 */
import { DAY_MS } from "../../platform/days.ts";

/** A scored wallet of a cohort. */
export interface Member {
  readonly address: string;
  /** When it was funded, epoch ms. */
  readonly fundedAt: number;
  /** Where it sent nearly all it had; null if it did not. */
  readonly sweptTo: string | null;
}

/** A stored cohort: the members that were scored last. */
export interface Cohort {
  readonly members: readonly Member[];
}

/** What a node says about a funder or a sweep target. */
export interface HubFacts {
  /** Transactions sent; for a contract, contracts created. */
  readonly nonce: number;
  readonly isContract: boolean;
}

/** Members that are kept. */
export const MAX_MEMBERS = 48;

/** Ties below which a wallet is not judged by them, so that hubs need not be looked up. */
export const LEAST_TIES = 2;

/**
 * Only wallets that were funded within this time before count: nobody can add such
 * wallets afterwards.
 */
const WINDOW_MS = 30 * DAY_MS;

/** Transactions from which on an account belongs to an exchange, a bridge or a pool. */
const HUB_NONCE = 100_000;

/** Members with another sweep target, or none, from which on a funder is a hub. */
const HUB_OTHERS = 24;

/** Counts the members that are tied to a wallet. A funder of many unrelated wallets ties nobody. */
export function tiesIn(own: Member, { members }: Cohort): number {
  if (own.sweptTo === null) return 0;
  const others = members.filter(({ address }) => address !== own.address);
  const unrelated = others.filter(({ sweptTo }) => sweptTo !== own.sweptTo);
  if (unrelated.length >= HUB_OTHERS) return 0;
  return others.filter(({ sweptTo, fundedAt }) =>
    sweptTo === own.sweptTo && fundedAt <= own.fundedAt &&
    own.fundedAt - fundedAt <= WINDOW_MS
  ).length;
}

/** Returns the cohort with a member, or with its newer facts. */
export function withMember({ members }: Cohort, member: Member): Cohort {
  const others = members.filter(({ address }) => address !== member.address);
  return { members: [...others, member].slice(-MAX_MEMBERS) };
}

/** Returns whether an account is a hub, whose wallets have nothing to do with each other. */
export function isHub({ nonce, isContract }: HubFacts): boolean {
  return isContract || nonce >= HUB_NONCE;
}
