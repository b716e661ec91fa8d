/** Strategies of an attacker: what one wallet of a farm does, what signals that gives, and what it costs. */
import { DAY_MS, dayAt } from "../../services/platform/days.ts";
import { type ActiveDay, NO_USE } from "../../services/model/own_use.ts";
import {
  type ChainSignals,
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  type ProfileSignals,
} from "../../services/model/signals.ts";
import { type Parameter, type Strategy, valueOf } from "./choices.ts";
import { NOW } from "./honest_life.ts";
import { PRICES } from "./prices.ts";

/** The conditions of an attack. */
export interface Conditions {
  /** Wallets of the farm. */
  readonly farm: number;
  /** Gas price in nAVAX. */
  readonly gasPrice: number;
  /** Whether wallets with a past can be had: not at all, at their price, or for nothing. */
  readonly wallets: "none" | "bought" | "free";
  /** What the service checks, besides what the model measures. */
  readonly rules: {
    /** Donations count by net outflow, so that money has to leave and come back. */
    readonly netDonations: boolean;
    /** Domains count under public suffixes only. */
    readonly paidDomains: boolean;
  };
}

/** Gas of a plain transfer. */
const TRANSFER_GAS = 21_000;

/** Gas of one day that the attacker burns at most, in AVAX: no model counts more. */
const BURN_A_DAY = 0.02;

/** Distinct targets and methods that transactions can have at no extra cost. */
const FREE_VARIETY = 30;

/** Gas, in AVAX, of a follower with full standing. */
const FOLLOWER_GAS = 0.05;

const GITHUB = [
  { usd: 0, years: 0, work: 0 },
  { usd: PRICES.gitHubNew.usd, years: 0, work: 0 },
  { usd: PRICES.gitHub2Years.usd, years: 2, work: 5 },
  { usd: PRICES.gitHub6Years.usd, years: 6, work: 10 },
  {
    usd: PRICES.gitHub6Years.usd + PRICES.gitHubWork.usd,
    years: 6,
    work: 60,
  },
] as const;

/** Bought wallets: days since the first use, months and days of use, and gas in AVAX. */
const BOUGHT = [
  null,
  {
    usd: PRICES.agedWallet.usd,
    ageDays: 1_095,
    months: 24,
    days: 24,
    gasAvax: 0.05,
  },
  {
    usd: PRICES.spentWallet.usd,
    ageDays: 1_460,
    months: 36,
    days: 60,
    gasAvax: 2,
  },
] as const;

/** Returns the days on which a wallet is active, newest first, as days before now. */
function activeDaysOf(strategy: Strategy): number[] {
  const wait = valueOf(strategy, "wait");
  const burnDays = Math.ceil(valueOf(strategy, "burn") / BURN_A_DAY);
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
  { farm, gasPrice, rules, wallets }: Conditions,
): number {
  const value = (parameter: Parameter) => valueOf(strategy, parameter);
  const txs = activeDaysOf(strategy).length - value("days") +
    value("days") * value("txsADay");
  const gasAvax = Math.max(1, txs) * TRANSFER_GAS * gasPrice * 1e-9 +
    value("burn");
  const donated = value("donated");
  const domain = rules.paidDomains ? PRICES.domain : PRICES.freeDomain;
  return gasAvax * PRICES.avax.usd +
    value("x") * PRICES.x.usd +
    GITHUB[value("gitHub")]!.usd +
    value("domain") * domain.usd +
    value("farcaster") * PRICES.farcaster.usd +
    value("discord") * PRICES.discord.usd +
    value("telegram") * PRICES.telegram.usd +
    value("email") * PRICES.email.usd +
    value("premium") * PRICES.premiumMonth.usd +
    value("name") * PRICES.name.usd +
    donated * PRICES.capital.usd +
    (rules.netDonations ? Math.ceil(donated / 10) * PRICES.withdrawal.usd : 0) +
    value("fleet") * FOLLOWER_GAS * PRICES.avax.usd / farm +
    value("withdrawal") * PRICES.withdrawal.usd +
    (wallets === "free" ? 0 : BOUGHT[value("bought")]?.usd ?? 0);
}

/** Returns the chain signals of a wallet. They depend on few parameters; see `chainKeyOf`. */
export function chainOf(
  strategy: Strategy,
  { farm, gasPrice }: Conditions,
): ChainSignals {
  const today = dayAt(NOW);
  const bought = BOUGHT[valueOf(strategy, "bought")]!;
  const activeDays = activeDaysOf(strategy);
  const most = valueOf(strategy, "days");
  const perTx = TRANSFER_GAS * gasPrice * 1e-9;
  let left = valueOf(strategy, "burn");
  const days: ActiveDay[] = [];
  const recentTxAt: number[] = [];
  for (const [nth, ago] of activeDays.entries()) {
    const burned = Math.min(left, BURN_A_DAY);
    left -= burned;
    const txs = nth < most ? valueOf(strategy, "txsADay") : 1;
    days.push({
      day: today - ago,
      gasAvax: txs * perTx + burned,
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
    const each = bought.gasAvax / bought.days;
    const step = 0.6 * bought.ageDays / bought.days;
    for (let nth = 0; nth < bought.days; nth++) {
      const ago = Math.floor(bought.ageDays * 0.4 + nth * step);
      if (ago <= wait) continue;
      days.push({ day: today - ago, gasAvax: each, varied: 2 });
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
    use: {
      ...NO_USE,
      count,
      days,
      months,
      slots: Math.min(144, count),
      targets: variety,
      methods: variety,
    },
    alike: valueOf(strategy, "withdrawal") ? 0 : farm - 1,
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
  const { years, work } = GITHUB[value("gitHub")]!;
  const plain = ["x", "farcaster", "domain", "discord", "telegram", "email"]
    .filter((kind) => value(kind as Parameter) === 1)
    .map((kind) => ({ kind: kind as "x", verifiedAt }));
  return {
    ...NO_PROFILE,
    claimed: true,
    socials: value("gitHub") === 0 ? plain : [...plain, {
      kind: "github",
      verifiedAt,
      account: {
        createdAt: Math.min(verifiedAt, NOW - years * 365 * DAY_MS),
        publicWork: work,
      },
    }],
    premiumMonths: value("premium"),
    paidSlug: value("name") === 1,
    donatedUsdc: value("donated"),
  };
}

/** Returns the followers of a wallet. Arrivals are spread over time, so no flag is raised. */
export function graphOf(
  strategy: Strategy,
  { farm }: Conditions,
  gasAvax: number,
): GraphSignals {
  const fleet = valueOf(strategy, "fleet");
  const members = valueOf(strategy, "ring") ? Math.floor((farm - 1) / 2) : 0;
  const standing = gasAvax / FOLLOWER_GAS;
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
