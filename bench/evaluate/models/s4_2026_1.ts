/**
 * The model `s4-2026.1`, kept to reproduce scores: its tables and its four
 * dimensions, each from 0 to 100 points.
 */
import {
  SOCIAL_KINDS,
  type SocialKind,
} from "../../../services/model/score_terms_schema.ts";
import { dayAt } from "../../../services/platform/days.ts";
import {
  type Curve,
  type DatabaseSignals,
  daysSince,
  decay,
  meanDecay,
  rise,
  type Tenure,
} from "../../../services/model/scoring_model.ts";
import type { FollowerAnalysis } from "../../../services/model/follower_analysis.ts";
import type { EarlierChain, EarlierModel, Measures } from "./earlier_model.ts";
import type {
  GraphSignals,
  ProfileSignals,
} from "../../../services/model/signals.ts";

/** The transactions of an address over time. */
interface TxHistory extends Tenure {
  /** Number of transactions, decayed by age. */
  readonly txWeight: number;
  /** Number of UTC days with a transaction, decayed by age. */
  readonly dayWeight: number;
}

const HUMANITY = {
  ageHalfLifeDays: 365,
  /** Maximum evidence from age, out of 1. */
  ageEvidence: 0.5,
  socialEvidence: {
    x: 0.25,
    github: 0.25,
    farcaster: 0.20,
    domain: 0.15,
    discord: 0.12,
    telegram: 0.10,
    email: 0.06,
  } satisfies Record<SocialKind, number>,
};

const ACTIVITY = {
  halfLifeDays: 180,
  volume: { points: 55, reference: 300, steepness: 19 },
  regularity: { points: 45, reference: 90, steepness: 9 },
};

/** The reference is follower mass, of `massOf`. */
const SOCIAL: Curve = { points: 100, reference: 250, steepness: 49 };

/** References in AVAX, months and USDC. The gas reference is an estimate, to be calibrated on real addresses. */
const ECONOMIC = {
  gas: { points: 50, reference: 2, steepness: 99 },
  premium: { points: 20, reference: 12, steepness: 9 },
  slugPoints: 10,
  donations: { points: 20, reference: 250, steepness: 49 },
};

/** Summarises the transactions of an address at `now` (epoch ms). Those without known times are spread evenly before the known ones. */
function historyOf(chain: EarlierChain, now: number): TxHistory {
  const { firstTxAt, nonce } = chain;
  const known = chain.recentTxAt.length === 0 && firstTxAt !== null
    ? [firstTxAt]
    : chain.recentTxAt;
  const newest = known[0];
  const oldest = known.at(-1);
  if (newest === undefined || oldest === undefined) {
    const weights = { txWeight: 0, dayWeight: 0, activeDays: 0 };
    return { ...weights, ageDays: null, idleDays: null };
  }
  const first = Math.min(firstTxAt ?? oldest, oldest);
  const spread = Math.max(0, nonce - known.length);
  const spreadDays = Math.min(spread, dayAt(oldest) - dayAt(first));
  const spreadDecay = meanDecay(
    daysSince(oldest, now),
    daysSince(first, now),
    ACTIVITY.halfLifeDays,
  );
  let txWeight = spread * spreadDecay;
  let dayWeight = spreadDays * spreadDecay;
  let activeDays = spreadDays;
  let lastDay: number | null = null;
  for (const at of known) {
    txWeight += decay(daysSince(at, now), ACTIVITY.halfLifeDays);
    const day = dayAt(at);
    if (day === lastDay) continue;
    lastDay = day;
    activeDays++;
    dayWeight += decay(Math.max(0, dayAt(now) - day), ACTIVITY.halfLifeDays);
  }
  return {
    txWeight,
    dayWeight,
    activeDays,
    ageDays: daysSince(first, now),
    idleDays: daysSince(newest, now),
  };
}

/** Computes the four dimensions of an address. */
function measure(
  { chain, profile, graph }: DatabaseSignals & { readonly chain: EarlierChain },
  { history, followers }: {
    readonly history: TxHistory;
    readonly followers: FollowerAnalysis;
  },
): Measures {
  return {
    humanity: humanityOf(profile, history),
    activity: activityOf(history),
    social: socialOf(graph, followers),
    economic: economicOf(profile, chain),
  };
}

/** The model. */
export const S4_2026_1: EarlierModel = {
  id: "s4-2026.1",
  weights: { humanity: 30, activity: 30, social: 15, economic: 25 },
  floors: {
    starter: 0,
    newcomer: 15,
    rising: 30,
    established: 45,
    elite: 65,
    legendary: 85,
  },
  tables: { HUMANITY, ACTIVITY, SOCIAL, ECONOMIC },
  summarize(chain, now) {
    const tenure = historyOf(chain, now);
    return {
      tenure,
      measure: (signals, followers) =>
        measure({ ...signals, chain }, { history: tenure, followers }),
    };
  },
};

/** Evidence of a person: age and each kind of verified social, as independent probabilities. */
function humanityOf(
  { socials }: ProfileSignals,
  { ageDays }: TxHistory,
): Measures["humanity"] {
  const age = ageDays === null
    ? 0
    : 1 - decay(ageDays, HUMANITY.ageHalfLifeDays);
  const ageDoubt = 1 - HUMANITY.ageEvidence * age;
  const kinds = new Set(socials.map(({ kind }) => kind));
  let socialDoubt = 1;
  for (const kind of SOCIAL_KINDS) {
    if (kinds.has(kind)) socialDoubt *= 1 - HUMANITY.socialEvidence[kind];
  }
  return {
    age: 100 * (1 - ageDoubt) * socialDoubt,
    socials: 100 * ageDoubt * (1 - socialDoubt),
    all: 100 * (1 - ageDoubt * socialDoubt),
  };
}

function activityOf({ txWeight, dayWeight }: TxHistory): Measures["activity"] {
  const volume = rise(txWeight, ACTIVITY.volume);
  const regularity = rise(dayWeight, ACTIVITY.regularity);
  return { volume, regularity, all: volume + regularity };
}

function socialOf(
  { paidMass }: GraphSignals,
  { mass, damping }: FollowerAnalysis,
): Measures["social"] {
  const undamped = rise(mass, SOCIAL);
  return { paid: rise(paidMass, SOCIAL), undamped, all: undamped * damping };
}

function economicOf(
  { premiumMonths, paidSlug, donatedUsdc }: ProfileSignals,
  { gasAvax }: EarlierChain,
): Measures["economic"] {
  const gas = rise(gasAvax, ECONOMIC.gas);
  const premium = rise(premiumMonths, ECONOMIC.premium);
  const slug = paidSlug ? ECONOMIC.slugPoints : 0;
  const donations = rise(donatedUsdc, ECONOMIC.donations);
  // The parts have 100 points together.
  const all = gas + premium + slug + donations;
  return { gas, premium, slug, donations, all };
}
