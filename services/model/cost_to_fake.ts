/** What the evidence of an address would cost to copy. It is no part of the score. */
import { daysSince } from "./scoring_model.ts";
import { countedMass } from "./follower_analysis.ts";
import {
  COPY_PRICES as PRICES,
  countedGas,
  strongestProof,
  TABLES,
} from "./s4_2026_3.ts";
import type { CostToFake } from "./scores_schema.ts";
import type { ChainSignals, GraphSignals, ProfileSignals } from "./signals.ts";

/** Days of a year, by which accounts are priced. */
const YEAR_DAYS = 365;

/**
 * Returns what the evidence that counts would cost to copy at `now`, epoch ms, for
 * each wallet of a farm of so many, at the prices of the model.
 */
export function costToFake(
  { chain, profile, graph }: {
    readonly chain: ChainSignals;
    readonly profile: ProfileSignals;
    readonly graph: GraphSignals;
  },
  now: number,
  of = 100,
): CostToFake {
  const { firstTxAt } = chain;
  const gas = gasOf(chain);
  const usd = gas * PRICES.gasAvax * PRICES.avax + accountsUsd(profile, now) +
    soldUsd(profile);
  const mass = Math.min(
    TABLES.social.reference,
    countedMass(graph.sharedPaidMass, graph.freeMass),
  );
  // Members of a farm follow each other: together they give each one its own gas's worth.
  const ofMembers = Math.min((of - 1) / 2, gas / PRICES.followerGas);
  const followerUsd = PRICES.followerGas * PRICES.gasAvax * PRICES.avax;
  return {
    usd: toCents(usd + followerUsd * Math.max(0, mass - ofMembers)),
    of,
    alone: toCents(usd + followerUsd * mass),
    days: firstTxAt === null ? 0 : Math.ceil(daysSince(firstTxAt, now)),
    asOf: PRICES.asOf,
  };
}

/** Returns the units of gas that count, at least a transfer for each transaction. */
function gasOf({ use: { days } }: ChainSignals): number {
  const txs = days.reduce((sum, { varied }) => sum + varied, 0);
  const most = 3 * TABLES.activity.volume.reference;
  return Math.max(
    Math.min(TABLES.economic.gas.reference, countedGas(days)),
    TABLES.gas.transfer * Math.min(most, txs),
  );
}

/** Returns the price of linked accounts, and of the proof that counts, at `now`, epoch ms. */
export function accountsUsd(
  { socials, proofs }: Pick<ProfileSignals, "socials" | "proofs">,
  now: number,
): number {
  const { github } = PRICES;
  let usd = 0;
  for (const { kind, account } of socials) {
    if (kind !== "github") {
      usd += PRICES.accounts[kind];
      continue;
    }
    const years = account ? daysSince(account.createdAt, now) / YEAR_DAYS : 0;
    usd += years >= 6
      ? github.years6
      : years >= 2
      ? github.years2
      : github.fresh;
    usd += github.work *
      Math.min(1, (account?.publicWork ?? 0) / github.fullWork);
  }
  return usd + (strongestProof(proofs, now)?.usd ?? 0);
}

/** Returns the price of what the service sells, and of a donation that comes back. */
function soldUsd(
  { premiumMonths, paidSlug, donatedUsdc }: ProfileSignals,
): number {
  const { premium, slug, donation, gasAvax, avax } = PRICES;
  return premium.month * Math.min(premium.mostMonths, premiumMonths) +
    (paidSlug ? slug : 0) +
    (donatedUsdc > 0 ? donation.gas * gasAvax * avax : 0);
}

function toCents(usd: number): number {
  return Math.round(usd * 100) / 100;
}
