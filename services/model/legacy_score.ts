/** The legacy v1 score: a sum of points per signal. */
import type { Breakdown } from "./scores_schema.ts";
import { type Curve, daysSince, rise } from "./curves.ts";
import type { ChainSignals, GraphSignals, ProfileSignals } from "./signals.ts";
import { legacyTier, type Tier } from "./tiers.ts";

/** A legacy score from 0 to 100 points, and its breakdown. */
interface LegacyScore extends Tier {
  readonly score: number;
  readonly breakdown: Breakdown;
}

type Signal = Exclude<keyof Breakdown, "total">;

/** References in transactions, AVAX, followers and USDC. */
const CURVES = {
  txActivity: { points: 25, reference: 1000, steepness: 99 },
  gasSpent: { points: 15, reference: 5, steepness: 99 },
  followers: { points: 10, reference: 100, steepness: 9 },
  donations: { points: 5, reference: 100, steepness: 9 },
} satisfies Partial<Record<Signal, Curve>>;

const WALLET_AGE = { points: 25, days: 1095 };
const SOCIALS = { pointsEach: 5, most: 3 };
const PREMIUM = { pointsAMonth: 0.25, points: 3 };
const PAID_SLUG_POINTS = 2;

/** Scores an address by legacy v1 at `now` (epoch ms). Points have one decimal; the score is their exact sum. */
export function legacyScoreOf(
  { chain, profile, graph }: {
    readonly chain: ChainSignals;
    readonly profile: ProfileSignals;
    readonly graph: GraphSignals;
  },
  now: number,
): LegacyScore {
  const { firstTxAt, nonce, gasAvax } = chain;
  const ageDays = firstTxAt === null ? 0 : daysSince(firstTxAt, now);
  const kinds = new Set(profile.socials.map(({ kind }) => kind)).size;
  const premium = PREMIUM.pointsAMonth * Math.max(0, profile.premiumMonths);
  const tenths: Record<Signal, number> = {
    walletAge: toTenths(
      WALLET_AGE.points * Math.min(1, ageDays / WALLET_AGE.days),
    ),
    txActivity: toTenths(rise(nonce, CURVES.txActivity)),
    gasSpent: toTenths(rise(gasAvax, CURVES.gasSpent)),
    verifiedSocials: toTenths(
      SOCIALS.pointsEach * Math.min(SOCIALS.most, kinds),
    ),
    followers: toTenths(rise(graph.followers, CURVES.followers)),
    donations: toTenths(rise(profile.donatedUsdc, CURVES.donations)),
    premium: toTenths(Math.min(PREMIUM.points, premium)),
    paidSlug: profile.paidSlug ? toTenths(PAID_SLUG_POINTS) : 0,
  };
  const score = sum(Object.values(tenths)) / 10;
  const breakdown: Breakdown = {
    walletAge: tenths.walletAge / 10,
    txActivity: tenths.txActivity / 10,
    gasSpent: tenths.gasSpent / 10,
    verifiedSocials: tenths.verifiedSocials / 10,
    followers: tenths.followers / 10,
    donations: tenths.donations / 10,
    premium: tenths.premium / 10,
    paidSlug: tenths.paidSlug / 10,
    total: score,
  };
  return { score, ...legacyTier(score), breakdown };
}

/** Returns points as integer tenths, so that their sum is exact. */
function toTenths(points: number): number {
  return Math.round(points * 10);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
