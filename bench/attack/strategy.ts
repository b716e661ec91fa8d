/** Strategies of an attacker: what one wallet of a farm does, what signals that gives, and what it costs. */
import { DAY_MS, dayAt } from "../../services/platform/days.ts";
import { accountsUsd } from "../../services/model/cost_to_fake.ts";
import { COPY_PRICES, TABLES } from "../../services/model/s4_2026_3.ts";
import {
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  type ProfileSignals,
} from "../../services/model/signals.ts";
import { type Parameter, type Strategy, valueOf } from "./choices.ts";
import { NOW } from "./honest_life.ts";
import type { Past, Target } from "./targets.ts";

/** The conditions of an attack. */
export interface Conditions {
  /** Wallets of the farm. */
  readonly farm: number;
  /** Gas price in nAVAX. */
  readonly gasPrice: number;
  /** Whether wallets with a past can be had: not at all, at their price, or for nothing. */
  readonly wallets: "none" | "bought" | "free";
}

/** Distinct targets and methods that transactions can have at no extra cost. */
const FREE_VARIETY = 30;

/** Age in years and public work of the GitHub accounts that are sold. */
const GITHUB = [
  null,
  { years: 0, work: 0 },
  { years: 2, work: 5 },
  { years: 6, work: 10 },
  { years: 6, work: 60 },
] as const;

/**
 * Prices in US dollars of what this service does not see, so that no cost of a copy
 * contains them; all are estimates of 2026-11.
 */
export const UNSEEN = {
  /** Funding a wallet by a withdrawal of its own from an exchange, of about 0.005 AVAX. */
  withdrawal: 0.1,
  /** A wallet of three years with a transaction in each of 24 months. */
  agedWallet: 5,
  /** A dormant wallet of four years with 36 months of use and much gas. */
  spentWallet: 40,
};

/** Bought wallets: days since the first use, months and days of use, and units of gas. */
const BOUGHT = [
  null,
  {
    usd: UNSEEN.agedWallet,
    ageDays: 1_095,
    months: 24,
    days: 24,
    gasUnits: 2_000_000,
  },
  {
    usd: UNSEEN.spentWallet,
    ageDays: 1_460,
    months: 36,
    days: 60,
    gasUnits: 80_000_000,
  },
] as const;

/** AVAX for a unit of gas. */
const unitAvax = ({ gasPrice }: Conditions) => gasPrice * 1e-9;

/** Returns the days on which a wallet is active, newest first, as days before now. */
function activeDaysOf(strategy: Strategy, burnADay: number): number[] {
  const wait = valueOf(strategy, "wait");
  const burnDays = Math.ceil(valueOf(strategy, "burn") / burnADay);
  const newest = Math.min(
    wait,
    Math.max(valueOf(strategy, "days"), burnDays),
  );
  const days = Array.from({ length: newest }, (_, nth) => nth);
  for (let day = newest + 30; day < wait; day += 30) days.push(day);
  if (wait > newest) days.push(wait);
  return days;
}

/** Returns the cost of one wallet of the farm in US dollars. */
export function costOf(
  strategy: Strategy,
  conditions: Conditions,
  target: Target,
): number {
  const value = (parameter: Parameter) => valueOf(strategy, parameter);
  const { avax, premium, slug, donation } = COPY_PRICES;
  const burnADay = target.burnADay(conditions.gasPrice);
  const txs = activeDaysOf(strategy, burnADay).length - value("days") +
    value("days") * value("txsADay");
  const units = Math.max(1, txs) * TABLES.gas.transfer +
    (value("donated") > 0 ? donation.gas : 0);
  return (units * unitAvax(conditions) + value("burn")) * avax +
    accountsUsd(profileOf(strategy), NOW) +
    value("premium") * premium.month +
    value("name") * slug +
    value("fleet") * target.followerAvax(conditions.gasPrice) * avax /
      conditions.farm +
    value("withdrawal") * UNSEEN.withdrawal +
    (conditions.wallets === "free" ? 0 : BOUGHT[value("bought")]?.usd ?? 0);
}

/** Returns the past of a wallet. It depends on few parameters; see `chainKeyOf`. */
export function pastOf(
  strategy: Strategy,
  conditions: Conditions,
  target: Target,
): Past {
  const today = dayAt(NOW);
  const bought = BOUGHT[valueOf(strategy, "bought")]!;
  const burnADay = target.burnADay(conditions.gasPrice);
  const activeDays = activeDaysOf(strategy, burnADay);
  const most = valueOf(strategy, "days");
  const price = unitAvax(conditions);
  let left = valueOf(strategy, "burn");
  const days: Past["use"]["days"][number][] = [];
  const recentTxAt: number[] = [];
  for (const [nth, ago] of activeDays.entries()) {
    const burned = Math.min(left, burnADay);
    left -= burned;
    const txs = nth < most ? valueOf(strategy, "txsADay") : 1;
    const gasUnits = txs * TABLES.gas.transfer + burned / price;
    days.push({
      day: today - ago,
      gasUnits,
      gasAvax: gasUnits * price,
      varied: txs,
    });
    for (let tx = 0; tx < txs && recentTxAt.length < 1_000; tx++) {
      recentTxAt.push(NOW - ago * DAY_MS - tx * 60_000);
    }
  }
  const count = days.reduce((sum, { varied }) => sum + varied, 0);
  const wait = valueOf(strategy, "wait");
  let firstTxAt = NOW - wait * DAY_MS;
  let months = Math.ceil((wait + 1) / 30);
  if (bought) {
    const gasUnits = bought.gasUnits / bought.days;
    const step = 0.6 * bought.ageDays / bought.days;
    for (let nth = 0; nth < bought.days; nth++) {
      const ago = Math.floor(bought.ageDays * 0.4 + nth * step);
      if (ago <= wait) continue;
      days.push({
        day: today - ago,
        gasUnits,
        // It was used in the old fee era.
        gasAvax: gasUnits * 25e-9,
        varied: 2,
      });
    }
    firstTxAt = NOW - bought.ageDays * DAY_MS;
    months += bought.months;
  }
  const variety = Math.min(FREE_VARIETY, count);
  return {
    ...NO_CHAIN,
    firstTxAt,
    recentTxAt,
    nonce: count,
    gasAvax: days.reduce((sum, { gasAvax }) => sum + gasAvax, 0),
    gasUnits: days.reduce((sum, { gasUnits }) => sum + gasUnits, 0),
    use: {
      count,
      days,
      months,
      slots: Math.min(144, count),
      targets: variety,
      methods: variety,
    },
    cohort: valueOf(strategy, "withdrawal") ? 0 : conditions.farm - 1,
    fetchedAt: NOW,
  };
}

/** Returns a key that is equal for strategies with the same chain signals. */
export function chainKeyOf(strategy: Strategy): string {
  const { wait, days, txsADay, burn, withdrawal, bought } = strategy;
  return [wait, days, txsADay, burn, withdrawal, bought].join();
}

/** Returns the profile of a wallet. */
export function profileOf(strategy: Strategy): ProfileSignals {
  const value = (parameter: Parameter) => valueOf(strategy, parameter);
  const verifiedAt = NOW - Math.min(value("wait"), 365) * DAY_MS;
  const gitHub = GITHUB[value("gitHub")]!;
  const plain = ["x", "farcaster", "domain", "discord", "telegram", "email"]
    .filter((kind) => value(kind as Parameter) === 1)
    .map((kind) => ({ kind: kind as "x", verifiedAt }));
  return {
    ...NO_PROFILE,
    claimed: true,
    socials: gitHub === null ? plain : [...plain, {
      kind: "github",
      verifiedAt,
      account: {
        createdAt: Math.min(verifiedAt, NOW - gitHub.years * 365 * DAY_MS),
        publicWork: gitHub.work,
      },
    }],
    premiumMonths: value("premium"),
    paidSlug: value("name") === 1,
    donatedUsdc: value("donated"),
  };
}

/**
 * Returns the followers of a wallet: of the fleet, and members with this part of a full
 * standing. Arrivals are spread over time, so no flag is raised.
 */
export function graphOf(
  strategy: Strategy,
  { farm }: Conditions,
  standing: number,
): GraphSignals {
  const fleet = valueOf(strategy, "fleet");
  const members = valueOf(strategy, "ring") ? Math.floor((farm - 1) / 2) : 0;
  const followers = fleet + members;
  if (followers === 0) return NO_GRAPH;
  return {
    ...NO_GRAPH,
    analyzed: true,
    followers,
    paidMass: fleet + members * Math.min(1, standing),
    sharedPaidMass: fleet / farm + Math.min(members, standing),
  };
}
