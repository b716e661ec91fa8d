/** The test addresses: with a test key they always return the same published answers. */

/** A test address, and what its answer demonstrates. */
interface FixtureAddress {
  readonly address: string;
  readonly shows: string;
}

/** The test addresses that return a score. */
export const SCORED_FIXTURES = {
  starter: {
    address: "0x7e57000000000000000000000000000000000001",
    shows: "tier starter: an address that never sent a transaction",
  },
  newcomer: {
    address: "0x7e57000000000000000000000000000000000002",
    shows: "tier newcomer",
  },
  rising: {
    address: "0x7e57000000000000000000000000000000000003",
    shows: "tier rising",
  },
  established: {
    address: "0x7e57000000000000000000000000000000000004",
    shows: "tier established",
  },
  elite: {
    address: "0x7e57000000000000000000000000000000000005",
    shows: "tier elite",
  },
  legendary: {
    address: "0x7e57000000000000000000000000000000000006",
    shows: "tier legendary, with a Verified Human number",
  },
  follow_ring: {
    address: "0x7e57000000000000000000000000000000000011",
    shows: "flag follow_ring",
  },
  follower_burst: {
    address: "0x7e57000000000000000000000000000000000012",
    shows: "flag follower_burst",
  },
  thin_followers: {
    address: "0x7e57000000000000000000000000000000000013",
    shows: "flag thin_followers",
  },
  self_donation: {
    address: "0x7e57000000000000000000000000000000000014",
    shows: "flag self_donation",
  },
  stale: {
    address: "0x7e57000000000000000000000000000000000021",
    shows: "signals stale: reason STALE_SIGNALS",
  },
  none: {
    address: "0x7e57000000000000000000000000000000000022",
    shows: "signals none in a batch, and an empty history",
  },
  partial: {
    address: "0x7e57000000000000000000000000000000000023",
    shows: "a part of the signals: reason PARTIAL_SIGNALS",
  },
  contract: {
    address: "0x7e57000000000000000000000000000000000024",
    shows: "a contract account: reason CONTRACT_ACCOUNT",
  },
} as const satisfies Record<string, FixtureAddress>;

/** The name of a test address that returns a score. */
export type ScoredFixture = keyof typeof SCORED_FIXTURES;

/**
 * The test addresses that return an error. One of them in a batch fails the whole
 * batch.
 */
export const FAILED_FIXTURES = {
  planRequired: {
    address: "0x7e57000000000000000000000000000000000402",
    shows: "402 PLAN_REQUIRED, as on the Free plan",
  },
  rateLimited: {
    address: "0x7e57000000000000000000000000000000000429",
    shows: "429 RATE_LIMITED: the burst of a minute is used up",
  },
  scoringDown: {
    address: "0x7e57000000000000000000000000000000000500",
    shows: "500 UPSTREAM_UNAVAILABLE: scoring failed, safe to retry",
  },
} as const satisfies Record<string, FixtureAddress>;

/** The name of a test address that returns an error. */
export type FailedFixture = keyof typeof FAILED_FIXTURES;

/** All test addresses in the order of publication. */
export const FIXTURE_ADDRESSES: readonly FixtureAddress[] = [
  ...Object.values(SCORED_FIXTURES),
  ...Object.values(FAILED_FIXTURES),
];
