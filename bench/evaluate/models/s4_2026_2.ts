/**
 * The model `s4-2026.2`: how its four dimensions are measured. Evidence counts
 * by its cost or by how long it took, because its quantity is cheap to raise.
 */
import {
  type Curve,
  type DatabaseSignals,
  daysSince,
  decay,
  rise,
} from "../../../services/model/scoring_model.ts";
import {
  countedMass,
  type FollowerAnalysis,
} from "../../../services/model/follower_analysis.ts";
import type { EarlierChain, EarlierModel, Measures } from "./earlier_model.ts";
import { SOCIAL_KINDS } from "../../../services/model/score_terms_schema.ts";
import { TABLES, type Tables } from "./s4_2026_2_tables.ts";
import type {
  GraphSignals,
  ProfileSignals,
} from "../../../services/model/signals.ts";
import { type UseOverTime, useOverTime } from "./use_over_time.ts";

type Socials = ProfileSignals["socials"];

/** The model. */
export const S4_2026_2: EarlierModel = {
  id: "s4-2026.2",
  weights: { humanity: 16, activity: 3, social: 6, economic: 75 },
  floors: {
    starter: 0,
    newcomer: 12,
    rising: 43,
    established: 62,
    elite: 87,
    legendary: 97,
  },
  tables: TABLES,
  summarize(chain, now) {
    const use = useOverTime(chain, now, TABLES);
    return {
      tenure: use,
      measure: (signals, followers) =>
        measure(signals, followers, { chain, use, now, tables: TABLES }),
    };
  },
};

function measure(
  { profile, graph }: DatabaseSignals,
  followers: FollowerAnalysis,
  { chain, use, now, tables }: {
    readonly chain: EarlierChain;
    readonly use: UseOverTime;
    readonly now: number;
    readonly tables: Tables;
  },
): Measures {
  const doubt = socialDoubtOf(profile.socials, now, tables);
  const part = cohortPart(chain, 1 - doubt, tables);
  return {
    humanity: humanityOf(use, doubt, { part, tables }),
    activity: scale(activityOf(use, tables), part),
    social: socialOf(graph, followers, tables),
    economic: economicOf(profile, use, tables),
  };
}

/** Returns the doubt that linked accounts leave, from 0 to 1, as independent probabilities. */
function socialDoubtOf(
  socials: Socials,
  now: number,
  { humanity: { evidence, link, github } }: Tables,
): number {
  const best = new Map<string, number>();
  for (const { kind, verifiedAt, account } of socials) {
    const held = Math.min(1, daysSince(verifiedAt, now) / link.fullDays);
    let weight = evidence[kind] * (link.floor + (1 - link.floor) * held);
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
  return doubt;
}

/**
 * Returns the part of humanity and activity that counts if other wallets act
 * alike; 1 if none do.
 */
function cohortPart(
  { alike, gasAvax }: EarlierChain,
  socialEvidence: number,
  { cohort: { floor, half, fullEvidence, fullGasAvax } }: Tables,
): number {
  if (alike <= 0) return 1;
  const least = Math.max(floor, 1 / (1 + alike / half));
  const own = socialEvidence / fullEvidence + gasAvax / fullGasAvax;
  return least + (1 - least) * Math.min(1, own);
}

function humanityOf(
  { ageDays, months }: UseOverTime,
  socialDoubt: number,
  { part, tables }: { readonly part: number; readonly tables: Tables },
): Measures["humanity"] {
  const { evidence, halfLifeDays, floor, fullMonths } = tables.humanity.age;
  const age = ageDays === null ? 0 : 1 - decay(ageDays, halfLifeDays);
  const steady = floor + (1 - floor) * Math.min(1, months / fullMonths);
  const ageDoubt = 1 - evidence * age * steady * part;
  return {
    age: 100 * (1 - ageDoubt) * socialDoubt,
    socials: 100 * ageDoubt * (1 - socialDoubt),
    all: 100 * (1 - ageDoubt * socialDoubt),
  };
}

function activityOf(
  { dayWeight, variedWeight, targets, methods }: UseOverTime,
  { activity: { days, varied, diversity } }: Tables,
): Measures["activity"] {
  const diverse = diversity.floor + rise(targets, diversity.targets) +
    rise(methods, diversity.methods);
  const volume = diverse * rise(variedWeight, varied);
  const regularity = diverse * rise(dayWeight, days);
  return { volume, regularity, all: volume + regularity };
}

function scale(
  { volume, regularity, all }: Measures["activity"],
  part: number,
): Measures["activity"] {
  return {
    volume: part * volume,
    regularity: part * regularity,
    all: part * all,
  };
}

function socialOf(
  { sharedPaidMass, freeMass }: GraphSignals,
  { damping }: FollowerAnalysis,
  { social }: Tables,
): Measures["social"] {
  const curve: Curve = social;
  const undamped = rise(countedMass(sharedPaidMass, freeMass), curve);
  return {
    paid: rise(sharedPaidMass, curve),
    undamped,
    all: undamped * damping,
  };
}

function economicOf(
  { premiumMonths, paidSlug, donatedUsdc }: ProfileSignals,
  { gasWeight }: UseOverTime,
  { economic }: Tables,
): Measures["economic"] {
  const gas = rise(gasWeight, economic.gas);
  const premium = rise(premiumMonths, economic.premium);
  const slug = paidSlug ? economic.slugPoints : 0;
  const donations = rise(donatedUsdc, economic.donations);
  // The parts have 100 points together.
  const all = gas + premium + slug + donations;
  return { gas, premium, slug, donations, all };
}
