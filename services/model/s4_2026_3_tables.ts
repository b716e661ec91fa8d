/** The numbers of the model `s4-2026.3`. Changing one makes another model. */
import type { ProofKind } from "./human_proofs_schema.ts";
import type { SocialKind } from "./score_terms_schema.ts";

/** The numbers that the measures of `s4-2026.3` depend on. */
export const TABLES = {
  /** Percent; each between 15 and 40. */
  weights: { humanity: 35, activity: 20, social: 15, economic: 30 },
  /** Lowest headline score of each tier: shares of real wallets, see the model card. */
  floors: {
    starter: 0,
    newcomer: 6,
    rising: 13,
    established: 23,
    elite: 48,
    legendary: 72,
  },
  /** Units of gas of a transfer, and of a day at most. */
  gas: { transfer: 21_000, mostADay: 1_000_000 },
  humanity: {
    /** Evidence out of 1: time since the first use, and months with use. */
    age: { evidence: 0.3, halfLifeDays: 730 },
    months: { evidence: 0.4, half: 12, days: 30 },
    accounts: {
      github: 0.45,
      domain: 0.25,
      farcaster: 0.15,
      x: 0.12,
      discord: 0.08,
      telegram: 0.05,
      email: 0.02,
    } satisfies Record<SocialKind, number>,
    /** A link counts more the longer it holds. */
    link: { floor: 0.3, fullDays: 180 },
    /** A GitHub account counts by its age and its public repositories and followers. */
    github: {
      floor: 0.1,
      age: { part: 0.5, fullDays: 2190 },
      work: { points: 0.4, reference: 60, steepness: 9 },
      /** Instead of the three, if GitHub's facts are not known. */
      unknown: 0.3,
    },
    /** The strongest proof counts, by its strength. */
    proofs: {
      worldId: 0.5,
      coinbase: 0.5,
      passport: 0.35,
    } satisfies Record<ProofKind, number>,
  },
  activity: {
    halfLifeDays: 180,
    days: { part: 0.5, half: 180 },
    /** Transactions, at most three a day to one target. */
    volume: { points: 0.5, reference: 1_000, steepness: 9 },
  },
  /** Paid follower mass, divided among those that a follower follows. */
  social: { points: 1, reference: 1_000, steepness: 30 },
  /** Points of 100. What the service sells, and donations: 16 of them, 4.8 of the composite. */
  economic: {
    gas: { points: 84, reference: 200_000_000, steepness: 9 },
    premium: { points: 7, reference: 12, steepness: 3 },
    slugPoints: 3,
    donations: { points: 6, reference: 1_000, steepness: 9 },
  },
  /** What others did before the first use. All risks together remove at most `most`. */
  origin: {
    /** Points of the composite. */
    most: 2.5,
    /** A payer counts that sent a transfer's cost in AVAX at least, and this share of all. */
    payer: { leastAvax: 0.000525, share: 0.01 },
    payers: { half: 1.5, delayHalfDays: 0.25 },
    /** Wallets with the same funder and the same sweep target, funded within 30 days. */
    alike: { least: 2, half: 2 },
  },
};

/**
 * Prices of copies, in US dollars. They are part of the model, so that the cost to fake
 * is a pure function too. The model card has the source of each.
 */
export const COPY_PRICES = {
  asOf: "2026-11",
  avax: 20,
  /** AVAX for a unit of gas. */
  gasAvax: 1e-9,
  accounts: {
    x: 0.1,
    telegram: 0.89,
    discord: 0.1,
    email: 0.01,
    farcaster: 0.5,
    domain: 1,
  } satisfies Record<Exclude<SocialKind, "github">, number>,
  /** A GitHub account by its age, and its public work. */
  github: { fresh: 0.3, years2: 2, years6: 8, work: 1, fullWork: 60 },
  proofs: {
    worldId: 0.5,
    coinbase: 5,
    passport: 5,
  } satisfies Record<ProofKind, number>,
  premium: { month: 9, mostMonths: 12 },
  slug: 25,
  /**
   * Units of gas of a donation that comes back: one transfer of USDC to a profile of the
   * farm, and one from there to the next wallet that gives the same money.
   */
  donation: { gas: 130_000 },
  /** Units of gas of a follower with full standing. */
  followerGas: 2_000_000,
};
