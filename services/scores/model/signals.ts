/** What the model knows of an address: its signals, without where they came from. */
import type { SocialKind } from "./score_terms_schema.ts";

/** What the chain says of an address; instants are epoch ms. */
export interface ChainSignals {
  /** Null where it has sent no transaction. */
  readonly firstTxAt: number | null;
  /** Its own transactions, newest first, at most 1,000. */
  readonly recentTxAt: readonly number[];
  /** How many transactions it has sent; those beyond `recentTxAt` have no known times. */
  readonly nonce: number;
  /** What its own transactions paid for gas, in AVAX. */
  readonly gasAvax: number;
  readonly isContract: boolean;
  /** True where upstream gave only a part: what is absent here may exist. */
  readonly isPartial: boolean;
  readonly fetchedAt: number;
}

/** What the service's own profile says of an address. */
export interface ProfileSignals {
  readonly claimed: boolean;
  readonly socials: readonly {
    readonly kind: SocialKind;
    /** Epoch ms. */
    readonly verifiedAt: number;
  }[];
  readonly premiumMonths: number;
  readonly paidSlug: boolean;
  /** Donations to others, in USDC. */
  readonly donatedUsdc: number;
  readonly selfDonated: boolean;
  /** The permanent Verified Human number. */
  readonly verifiedHuman: number | null;
}

/**
 * What the followers of an address come to. These are running sums, changed as
 * followers come and go, so that a score costs the same with any number of them.
 * Masses are sums of `massOf` in `graph.ts`.
 */
export interface GraphSignals {
  /** False where nobody has looked at the followers. */
  readonly analyzed: boolean;
  readonly followers: number;
  /** Followers that the address follows back. */
  readonly mutual: number;
  /** Unclaimed followers without any on-chain history. */
  readonly thin: number;
  /** Most followers that arrived in one 24-hour window. */
  readonly burst: number;
  readonly solidMass: number;
  readonly softMass: number;
  readonly mutualSolidMass: number;
  readonly mutualSoftMass: number;
  /** Largest solid mass that arrived in one 24-hour window, whichever window that is. */
  readonly burstSolidMass: number;
  /** Largest soft mass that arrived in one 24-hour window, whichever window that is. */
  readonly burstSoftMass: number;
}

/** An address of which the chain knows nothing. */
export const NO_CHAIN: ChainSignals = {
  firstTxAt: null,
  recentTxAt: [],
  nonce: 0,
  gasAvax: 0,
  isContract: false,
  isPartial: false,
  fetchedAt: 0,
};

/** An address without a profile. */
export const NO_PROFILE: ProfileSignals = {
  claimed: false,
  socials: [],
  premiumMonths: 0,
  paidSlug: false,
  donatedUsdc: 0,
  selfDonated: false,
  verifiedHuman: null,
};

/** An address whose followers nobody has looked at. */
export const NO_GRAPH: GraphSignals = {
  analyzed: false,
  followers: 0,
  mutual: 0,
  thin: 0,
  burst: 0,
  solidMass: 0,
  softMass: 0,
  mutualSolidMass: 0,
  mutualSoftMass: 0,
  burstSolidMass: 0,
  burstSoftMass: 0,
};
