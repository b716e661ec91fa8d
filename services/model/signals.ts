/** The signals of an address, the input of the model, and the summary of its own transactions. */
import { dayAt } from "../platform/days.ts";
import type { SocialKind } from "./score_terms_schema.ts";
import type { ProofKind } from "./human_proofs_schema.ts";

/** A transaction that an address sent. */
export interface OwnTx {
  /** Epoch ms. */
  readonly at: number;
  /** The called or paid address, lower-case; empty if it created a contract. */
  readonly to: string;
  readonly gasUnits: number;
  /** A failed transaction counts only with its gas. */
  readonly failed: boolean;
}

/** A UTC day with own transactions. */
export interface ActiveDay {
  readonly day: number;
  /** Units of gas, which mean the same at every price of gas. */
  readonly gasUnits: number;
  /** Transactions, at most three to one target. */
  readonly varied: number;
}

/** A summary of own transactions. */
export interface OwnUse {
  /** Number of summarised transactions. */
  readonly count: number;
  /** Newest first. */
  readonly days: readonly ActiveDay[];
}

/** An address without own transactions. */
export const NO_USE: OwnUse = { count: 0, days: [] };

/** Transactions of a day that count for one target. */
const PER_TARGET = 3;

/** Summarises own transactions, in any order. */
export function useOf(txs: readonly OwnTx[]): OwnUse {
  const days: { day: number; gasUnits: number; varied: number }[] = [];
  let perTarget = new Map<string, number>();
  for (
    const { at, to, gasUnits, failed } of txs.toSorted((a, b) => b.at - a.at)
  ) {
    const day = dayAt(at);
    let current = days.at(-1);
    if (current?.day !== day) {
      current = { day, gasUnits: 0, varied: 0 };
      days.push(current);
      perTarget = new Map();
    }
    current.gasUnits += gasUnits;
    if (failed) continue;
    const before = perTarget.get(to) ?? 0;
    perTarget.set(to, before + 1);
    if (before < PER_TARGET) current.varied++;
  }
  return { count: txs.length, days };
}

/** Who sent an address the most AVAX before its first own transaction. */
export interface Funding {
  /** Lower-case. */
  readonly funder: string;
  /** Epoch ms. */
  readonly at: number;
}

/** What an address received before its first own transaction. */
export interface Origin {
  /** Payers that count; see `originOf`. */
  readonly payers: number;
  /** Days from the first receipt of AVAX to the first own transaction. */
  readonly delayDays: number;
}

/** On-chain signals of an address; times in epoch ms. */
export interface ChainSignals {
  /** Null if it has sent no transaction. */
  readonly firstTxAt: number | null;
  /** Times of its own transactions, newest first, at most 1,000. */
  readonly recentTxAt: readonly number[];
  /** Number of transactions sent. Those beyond `recentTxAt` have no known times. */
  readonly nonce: number;
  /** Gas paid by its own transactions, in AVAX; for display. */
  readonly gasAvax: number;
  /** A summary of its known transactions. */
  readonly use: OwnUse;
  /** Who funded it first; null if unknown. */
  readonly funding: Funding | null;
  /** Null if it received nothing before, or the records before were not read. */
  readonly origin: Origin | null;
  /** Where it sent nearly all it had with its newest transaction; null if it did not. */
  readonly sweptTo: string | null;
  /**
   * Number of wallets with the same funder and the same sweep target, neither of them
   * a hub, that were funded within the 30 days before it.
   */
  readonly alike: number;
  readonly isContract: boolean;
  /** True if upstream returned only a part. */
  readonly isPartial: boolean;
  readonly fetchedAt: number;
}

/** Facts that another service gives about an account. */
export interface AccountFacts {
  /** Epoch ms. */
  readonly createdAt: number;
  /** Public repositories plus followers. */
  readonly publicWork: number;
}

/** A proof of a unique human. */
export interface ProofSignal {
  readonly kind: ProofKind;
  /** From 0 to 1. */
  readonly strength: number;
  /** It counts before this instant, epoch ms. */
  readonly until: number;
}

/** Signals from the profile of an address, and proofs that its wallet has elsewhere. */
export interface ProfileSignals {
  readonly claimed: boolean;
  readonly socials: readonly {
    readonly kind: SocialKind;
    /** Epoch ms. */
    readonly verifiedAt: number;
    /** Facts about the account; null or absent if none are known. */
    readonly account?: AccountFacts | null;
  }[];
  /** Proofs of a unique human, on other chains. */
  readonly proofs: readonly ProofSignal[];
  readonly premiumMonths: number;
  readonly paidSlug: boolean;
  /** Donations to others, in USDC. */
  readonly donatedUsdc: number;
  readonly selfDonated: boolean;
  /** The permanent Verified Human number. */
  readonly verifiedHuman: number | null;
  /** Whether it has the number and the evidence that the number requires. */
  readonly isHumanNow: boolean;
}

/**
 * Signals from the followers of an address. They are running sums, so that a score
 * costs the same with any number of followers. Masses are sums of `massOf` in
 * `follower_analysis.ts`.
 */
export interface GraphSignals {
  /** False if the followers were never analysed. */
  readonly analyzed: boolean;
  readonly followers: number;
  /** Followers that the address follows back. */
  readonly mutual: number;
  /** Unclaimed followers without any on-chain history. */
  readonly thin: number;
  /** Maximum number of followers that arrived in one 24-hour window. */
  readonly burst: number;
  readonly paidMass: number;
  /** Paid mass; each follower's part is divided by the number of addresses it follows. */
  readonly sharedPaidMass: number;
  readonly freeMass: number;
  readonly mutualPaidMass: number;
  readonly mutualFreeMass: number;
  /** Largest paid mass that arrived in any 24-hour window. */
  readonly burstPaidMass: number;
  /** Largest free mass that arrived in any 24-hour window. */
  readonly burstFreeMass: number;
}

/** An address without on-chain history. */
export const NO_CHAIN: ChainSignals = {
  firstTxAt: null,
  recentTxAt: [],
  nonce: 0,
  gasAvax: 0,
  use: NO_USE,
  funding: null,
  origin: null,
  sweptTo: null,
  alike: 0,
  isContract: false,
  isPartial: false,
  fetchedAt: 0,
};

/** An address without a profile. */
export const NO_PROFILE: ProfileSignals = {
  claimed: false,
  socials: [],
  proofs: [],
  premiumMonths: 0,
  paidSlug: false,
  donatedUsdc: 0,
  selfDonated: false,
  verifiedHuman: null,
  isHumanNow: false,
};

/** An address whose followers were never analysed. */
export const NO_GRAPH: GraphSignals = {
  analyzed: false,
  followers: 0,
  mutual: 0,
  thin: 0,
  burst: 0,
  paidMass: 0,
  sharedPaidMass: 0,
  freeMass: 0,
  mutualPaidMass: 0,
  mutualFreeMass: 0,
  burstPaidMass: 0,
  burstFreeMass: 0,
};
