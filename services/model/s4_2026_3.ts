/**
 * The model `s4-2026.3`: how it measures an address. No rule reads a date, a block
 * height, the address itself or a list, so scores are comparable over time.
 */
import { daysSince, decay, meanDecay, partOf, rise } from "./curves.ts";
import { countedMass, type FollowerAnalysis } from "./follower_analysis.ts";
import type { ActiveDay } from "./own_use.ts";
import { COPY_PRICES, TABLES } from "./s4_2026_3_tables.ts";
import { SOCIAL_KINDS } from "./score_terms_schema.ts";
import type {
  DatabaseSignals,
  Measures,
  ScoringModel,
  Tenure,
} from "./scoring_model.ts";
import type { ChainSignals, Origin, ProfileSignals } from "./signals.ts";
import { dayAt } from "../platform/days.ts";

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
