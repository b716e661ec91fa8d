/**
 * The model `s4-2026.3`: its numbers, and how it measures an address. Changing a number
 * makes another model. No rule reads a date, a block height, the address itself or a
 * list, so scores are comparable over time.
 */
import type { ProofKind } from "./human_proofs_schema.ts";
import { SOCIAL_KINDS, type SocialKind } from "./score_terms_schema.ts";
import {
  type DatabaseSignals,
  daysSince,
  decay,
  meanDecay,
  type Measures,
  partOf,
  rise,
  type ScoringModel,
  type Tenure,
} from "./scoring_model.ts";
import { countedMass, type FollowerAnalysis } from "./follower_analysis.ts";
import type {
  ActiveDay,
  ChainSignals,
  Origin,
  ProfileSignals,
} from "./signals.ts";
import { dayAt } from "../platform/days.ts";

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

const { weights, humanity, activity, social, economic, origin } = TABLES;

/** The model. */
export const S4_2026_3: ScoringModel = {
  id: "s4-2026.3",
  weights,
  floors: TABLES.floors,
  tables: { ...TABLES, copyPrices: COPY_PRICES },
  summarize(chain, now) {
    const use = useAt(chain, now);
    const risks = risksOf(chain);
    return {
      tenure: use,
      measure: (signals, followers) =>
        measure(signals, followers, { use, risks, now }),
    };
  },
};

/** The use of an address, weighed at an instant. */
interface UseAt extends Tenure {
  readonly months: number;
  /** Days of use and transactions, decayed by age. */
  readonly dayWeight: number;
  readonly volume: number;
  readonly gasUnits: number;
}

/** What others did before the first use, from 0 to 1 each. */
type Risks = Measures["removed"];

function measure(
  { profile, graph }: DatabaseSignals,
  { damping }: FollowerAnalysis,
  { use, risks, now }: {
    readonly use: UseAt;
    readonly risks: Risks;
    readonly now: number;
  },
): Measures {
  const tenure = tenureOf(use);
  const risk = Math.max(risks.manyPayers, risks.sharedFunder);
  const taken = Math.min(tenure, risk * origin.most / weights.humanity);
  const accounts = accountsOf(profile.socials, now);
  const proof = strongestProof(profile.proofs, now)?.evidence ?? 0;
  const others = 1 - (1 - accounts) * (1 - proof);
  // Tenure and the rest are independent evidence: what both show is shared evenly.
  const shared = (tenure - taken) * others / 2;
  const share = accounts + proof > 0
    ? (others - shared) / (accounts + proof)
    : 0;
  const { days, volume } = activity;
  const active = {
    days: weights.activity * days.part * partOf(use.dayWeight, days.half),
    volume: weights.activity * rise(use.volume, volume),
  };
  const { sharedPaidMass, freeMass } = graph;
  const undamped = weights.social *
    rise(countedMass(sharedPaidMass, freeMass), social);
  const removed = weights.humanity * (1 - others) * taken;
  const isPayers = risks.manyPayers >= risks.sharedFunder;
  const ofEconomic = weights.economic / 100;
  return {
    parts: {
      walletAge: weights.humanity * (tenure - taken - shared),
      verifiedSocials: weights.humanity * share * accounts,
      humanProofs: weights.humanity * share * proof,
      txActivity: active.days + active.volume,
      followers: undamped * damping,
      gasSpent: ofEconomic * rise(use.gasUnits, economic.gas),
      premium: ofEconomic * rise(profile.premiumMonths, economic.premium),
      paidSlug: profile.paidSlug ? ofEconomic * economic.slugPoints : 0,
      donations: ofEconomic * rise(profile.donatedUsdc, economic.donations),
    },
    activity: active,
    social: { paid: weights.social * rise(sharedPaidMass, social), undamped },
    removed: {
      manyPayers: isPayers ? removed : 0,
      sharedFunder: isPayers ? 0 : removed,
    },
  };
}

/** Returns the evidence of age and of months of use, from 0 to 1. */
function tenureOf({ ageDays, months }: UseAt): number {
  const { age, months: steady } = humanity;
  const lasted = ageDays === null ? 0 : 1 - decay(ageDays, age.halfLifeDays);
  return age.evidence * lasted + steady.evidence * partOf(months, steady.half);
}

function risksOf({ origin: known, alike }: ChainSignals): Risks {
  const { payers, alike: ties } = origin;
  return {
    manyPayers: known === null ? 0 : partOf(known.payers - 1, payers.half) *
      partOf(known.delayDays, payers.delayHalfDays),
    sharedFunder: alike < ties.least ? 0 : partOf(alike, ties.half),
  };
}

/** Returns the evidence of linked accounts, from 0 to 1, as independent probabilities. */
function accountsOf(socials: ProfileSignals["socials"], now: number): number {
  const { accounts, link, github } = humanity;
  const best = new Map<string, number>();
  for (const { kind, verifiedAt, account } of socials) {
    const held = Math.min(1, daysSince(verifiedAt, now) / link.fullDays);
    let weight = accounts[kind] * (link.floor + (1 - link.floor) * held);
    if (kind === "github") {
      weight *= account
        ? github.floor +
          github.age.part *
            Math.min(
              1,
              daysSince(account.createdAt, now) / github.age.fullDays,
            ) +
          rise(account.publicWork, github.work)
        : github.unknown;
    }
    best.set(kind, Math.max(best.get(kind) ?? 0, weight));
  }
  let doubt = 1;
  for (const kind of SOCIAL_KINDS) doubt *= 1 - (best.get(kind) ?? 0);
  return 1 - doubt;
}

/**
 * Returns the proof that counts at `now`, epoch ms, with its evidence from 0 to 1, and
 * the cheaper one of two that are equally strong; null if none counts. A passport can
 * rest on the same account as another proof, so no two proofs count together.
 */
export function strongestProof(
  proofs: ProfileSignals["proofs"],
  now: number,
): { readonly evidence: number; readonly usd: number } | null {
  let best: ReturnType<typeof strongestProof> = null;
  for (const { kind, strength, until } of proofs) {
    if (until <= now) continue;
    const evidence = humanity.proofs[kind] * Math.min(1, strength);
    const usd = COPY_PRICES.proofs[kind];
    const isBetter = best === null || evidence > best.evidence ||
      evidence === best.evidence && usd < best.usd;
    if (isBetter) best = { evidence, usd };
  }
  return best;
}

/** Maximum number of transactions a day that count for those that were not seen: their targets are unknown. */
const UNSEEN_A_DAY = 3;

/**
 * Weighs the use of an address at `now`. Transactions that are not in the summary
 * are spread evenly between the first and the known ones.
 */
function useAt(chain: ChainSignals, now: number): UseAt {
  const { firstTxAt, recentTxAt, use: { days } } = chain;
  const newest = recentTxAt[0] ?? firstTxAt;
  const today = dayAt(now);
  let activeDays = 0;
  let dayWeight = 0;
  let volume = 0;
  for (const { day, varied } of days) {
    if (varied === 0) continue;
    const weight = activityDecay(Math.max(0, today - day));
    activeDays++;
    dayWeight += weight;
    volume += weight * varied;
  }
  const unseen = unseenOf(chain, now);
  return {
    activeDays: activeDays + unseen.days,
    ageDays: firstTxAt === null ? null : daysSince(firstTxAt, now),
    idleDays: newest === null ? null : daysSince(newest, now),
    months: monthsOf(days) + unseen.months,
    dayWeight: dayWeight + unseen.days * unseen.weight,
    volume: volume + unseen.days * unseen.weight * unseen.aDay,
    gasUnits: countedGas(days),
  };
}

/**
 * Returns the months of use: one, and for each further day of use the time since the
 * one before, at most a month. It is the mean number of months that the days touch,
 * over all places where a month might begin, so that no calendar enters. A day with
 * failed transactions alone does not count. Newest first.
 */
export function monthsOf(days: readonly ActiveDay[]): number {
  let months = 0;
  let later: number | null = null;
  for (const { day, varied } of days) {
    if (varied === 0) continue;
    months += later === null
      ? 1
      : Math.min(1, (later - day) / humanity.months.days);
    later = day;
  }
  return months;
}

/** Returns the units of gas that count: of each day at most so many. */
export function countedGas(days: readonly ActiveDay[]): number {
  return days.reduce(
    (sum, { gasUnits }) => sum + Math.min(TABLES.gas.mostADay, gasUnits),
    0,
  );
}

/** Spreads the transactions that are not in the summary over days. */
function unseenOf(
  { firstTxAt, recentTxAt, nonce, use }: ChainSignals,
  now: number,
): { days: number; aDay: number; months: number; weight: number } {
  const oldest = recentTxAt.at(-1) ?? firstTxAt;
  const missing = nonce - use.count;
  if (missing <= 0 || firstTxAt === null || oldest === null) {
    return { days: 0, aDay: 0, months: 0, weight: 0 };
  }
  const from = dayAt(firstTxAt);
  const until = dayAt(oldest);
  const known = use.days
    .filter(({ day }) => day >= from && day <= until).length;
  const days = Math.min(missing, Math.max(1, until - from + 1 - known));
  // The known days at both ends count one month for the time between them.
  const between = Math.floor((until - from) / humanity.months.days) - 1;
  return {
    days,
    aDay: Math.min(UNSEEN_A_DAY, missing / days),
    months: Math.min(days, Math.max(0, between)),
    weight: meanDecay(
      daysSince(oldest, now),
      daysSince(firstTxAt, now),
      activity.halfLifeDays,
    ),
  };
}

/** Returns what a wallet received before its first use, from what each sender sent in all, in AVAX. */
export function originOf(
  amounts: readonly number[],
  delayDays: number,
): Origin {
  const { leastAvax, share } = origin.payer;
  const all = amounts.reduce((sum, amount) => sum + amount, 0);
  const least = Math.max(leastAvax, share * all);
  return {
    payers: amounts.filter((amount) => amount >= least).length,
    delayDays,
  };
}

/** Twenty years of days, computed once: the score of a busy wallet needs thousands of them. */
const ACTIVITY_DECAYS = Float64Array.from(
  { length: 7_300 },
  (_, days) => decay(days, activity.halfLifeDays),
);

function activityDecay(days: number): number {
  return ACTIVITY_DECAYS[days] ?? decay(days, activity.halfLifeDays);
}
