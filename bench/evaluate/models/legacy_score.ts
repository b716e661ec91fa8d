/** The legacy v1 score: a sum of points per signal. */
import {
  type Curve,
  daysSince,
  rise,
  type Tier,
  type TierFloors,
  tierOf,
} from "../../../services/model/scoring_model.ts";
import type {
  ChainSignals,
  GraphSignals,
  ProfileSignals,
} from "../../../services/model/signals.ts";

/** The lowest score of each tier, in points of 100. */
const FLOORS: TierFloors = {
  starter: 0,
  newcomer: 5,
  rising: 10,
  established: 25,
  elite: 50,
  legendary: 100,
};

/** References in transactions, AVAX, followers and USDC. */
const CURVES = {
  txActivity: { points: 25, reference: 1000, steepness: 99 },
  gasSpent: { points: 15, reference: 5, steepness: 99 },
  followers: { points: 10, reference: 100, steepness: 9 },
  donations: { points: 5, reference: 100, steepness: 9 },
} satisfies Record<string, Curve>;

const WALLET_AGE = { points: 25, days: 1095 };
const SOCIALS = { pointsEach: 5, most: 3 };
const PREMIUM = { pointsAMonth: 0.25, points: 3 };
const PAID_SLUG_POINTS = 2;

interface LegacySignals {
  readonly chain: Pick<ChainSignals, "firstTxAt" | "nonce" | "gasAvax">;
  readonly profile: ProfileSignals;
  readonly graph: GraphSignals;
}

/** Returns the points of an address by legacy v1 at `now` (epoch ms), before rounding, which makes ties. */
export function legacyPointsOf(
  { chain, profile, graph }: LegacySignals,
  now: number,
): readonly number[] {
  const { firstTxAt, nonce, gasAvax } = chain;
  const ageDays = firstTxAt === null ? 0 : daysSince(firstTxAt, now);
  const kinds = new Set(profile.socials.map(({ kind }) => kind)).size;
  const premium = PREMIUM.pointsAMonth * Math.max(0, profile.premiumMonths);
  return [
    WALLET_AGE.points * Math.min(1, ageDays / WALLET_AGE.days),
    rise(nonce, CURVES.txActivity),
    rise(gasAvax, CURVES.gasSpent),
    SOCIALS.pointsEach * Math.min(SOCIALS.most, kinds),
    rise(graph.followers, CURVES.followers),
    rise(profile.donatedUsdc, CURVES.donations),
    Math.min(PREMIUM.points, premium),
    profile.paidSlug ? PAID_SLUG_POINTS : 0,
  ];
}

/** Scores an address by legacy v1 at `now` (epoch ms). Points have one decimal. */
export function legacyScoreOf(
  signals: LegacySignals,
  now: number,
): Tier & { readonly score: number } {
  const points = legacyPointsOf(signals, now);
  const score = points.reduce((sum, each) => sum + Math.round(each * 10), 0) /
    10;
  return { score, ...tierOf(score, FLOORS) };
}
