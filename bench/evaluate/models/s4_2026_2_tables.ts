/** The tables of the model `s4-2026.2`. Changing a number makes another model. */
import type { SocialKind } from "../../../services/model/score_terms_schema.ts";

/** The numbers that the measures of `s4-2026.2` depend on. */
export const TABLES = {
  humanity: {
    age: {
      /** Maximum evidence from age, out of 1. */
      evidence: 0.5,
      halfLifeDays: 300,
      /** Part that counts without steady use; the rest grows to the full number of months. */
      floor: 0.5,
      fullMonths: 20,
    },
    /** Evidence of a linked account, out of 1. */
    evidence: {
      x: 0.09,
      github: 0.55,
      farcaster: 0.09,
      domain: 0.36,
      discord: 0.07,
      telegram: 0.03,
      email: 0.01,
    } satisfies Record<SocialKind, number>,
    /** A link counts more the longer it holds. */
    link: { floor: 0.3, fullDays: 180 },
    /** A GitHub account counts by its age and its public repositories and followers. */
    github: {
      floor: 0.1,
      age: { part: 0.3, fullDays: 2190 },
      work: { points: 0.6, reference: 60, steepness: 9 },
      /** Instead of the three, if GitHub's facts are not known. */
      unknown: 0.3,
    },
  },
  activity: {
    halfLifeDays: 180,
    days: { points: 50, reference: 70, steepness: 6 },
    varied: { points: 50, reference: 60, steepness: 25 },
    /** Days that count: a base, and some more for each slot of the day in use. */
    counted: { base: 2, perSlot: 2 },
    /** Part that counts without diversity, and what distinct targets and methods add. */
    diversity: {
      floor: 0.55,
      targets: { points: 0.225, reference: 30, steepness: 9 },
      methods: { points: 0.225, reference: 10, steepness: 9 },
    },
  },
  /** The reference is follower mass, divided among those that a follower follows. */
  social: { points: 100, reference: 1000, steepness: 30 },
  /** References in AVAX, months and USDC. */
  economic: {
    gas: { points: 70, reference: 1, steepness: 750 },
    gasHalfLifeDays: 2190,
    /** Gas of one UTC day that counts, in AVAX. */
    mostGasADay: 0.02,
    premium: { points: 15, reference: 12, steepness: 3 },
    slugPoints: 10,
    donations: { points: 5, reference: 1000, steepness: 9 },
  },
  /**
   * Wallets of one funder that act alike count less in humanity and activity. Own
   * evidence and gas, in AVAX, lift that again.
   */
  cohort: { floor: 0.9, half: 3, fullEvidence: 0.5, fullGasAvax: 0.5 },
};

/** The tables of a variant of the model. */
export type Tables = typeof TABLES;
