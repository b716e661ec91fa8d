/** Strategies of an attacker: what one wallet of a farm does, what signals that gives, and what it costs. */
import { DAY_MS, dayAt } from "../../services/platform/days.ts";
import type { ActiveDay } from "../../services/model/own_use.ts";
import { COPY_PRICES, TABLES } from "../../services/model/s4_2026_3_tables.ts";
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

/** Units of gas of a plain transfer, of one day at most, and of a follower with full standing. */
const { transfer: TRANSFER_GAS, mostADay: BURN_A_DAY } = TABLES.gas;
const { followerGas: FOLLOWER_GAS } = COPY_PRICES;

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

/** Bought wallets: days since the first use, days of use, and units of gas. */
const BOUGHT = [
  null,
  {
    usd: PRICES.agedWallet.usd,
    ageDays: 1_095,
    days: 24,
    gasUnits: 2_000_000,
  },
  {
    usd: PRICES.spentWallet.usd,
    ageDays: 1_460,
    days: 60,
    gasUnits: 80_000_000,
  },
] as const;

/** Returns the days on which a wallet is active, newest first, as days before now. */
function activeDaysOf(strategy: Strategy): number[] {
  const wait = valueOf(strategy, "wait");
  const burnDays = Math.ceil(valueOf(strategy, "burn") * 1e6 / BURN_A_DAY);
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
  const unitAvax = gasPrice * 1e-9;
  const gasUnits = Math.max(1, txs) * TRANSFER_GAS + value("burn") * 1e6;
  const donated = value("donated");
  const domain = rules.paidDomains ? PRICES.domain : PRICES.freeDomain;
  return gasUnits * unitAvax * PRICES.avax.usd +
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
    value("fleet") * FOLLOWER_GAS * unitAvax * PRICES.avax.usd / farm +
    value("withdrawal") * PRICES.withdrawal.usd +
    (wallets === "free" ? 0 : BOUGHT[value("bought")]?.usd ?? 0);
}

/** Returns the chain signals of a wallet. They depend on few parameters; see `chainKeyOf`. */
export function chainOf(
  strategy: Strategy,
  { farm }: Conditions,
): ChainSignals {
  const today = dayAt(NOW);
  const bought = BOUGHT[valueOf(strategy, "bought")]!;
  const activeDays = activeDaysOf(strategy);
  const most = valueOf(strategy, "days");
  let left = valueOf(strategy, "burn") * 1e6;
  const days: ActiveDay[] = [];
  const recentTxAt: number[] = [];
  for (const [nth, ago] of activeDays.entries()) {
    const burned = Math.min(left, BURN_A_DAY);
    left -= burned;
    const txs = nth < most ? valueOf(strategy, "txsADay") : 1;
    days.push({
      day: today - ago,
      gasUnits: txs * TRANSFER_GAS + burned,
      varied: txs,
    });
    for (let tx = 0; tx < txs && recentTxAt.length < 1_000; tx++) {
      recentTxAt.push(NOW - ago * DAY_MS - tx * 60_000);
    }
  }
  const count = days.reduce((sum, { varied }) => sum + varied, 0);
  const wait = valueOf(strategy, "wait");
  let firstTxAt = NOW - wait * DAY_MS;
  if (bought) {
    const each = bought.gasUnits / bought.days;
    const step = 0.6 * bought.ageDays / bought.days;
    for (let nth = 0; nth < bought.days; nth++) {
      const ago = Math.floor(bought.ageDays * 0.4 + nth * step);
      if (ago <= wait) continue;
      days.push({ day: today - ago, gasUnits: each, varied: 2 });
    }
    firstTxAt = NOW - bought.ageDays * DAY_MS;
  }
  return {
    ...NO_CHAIN,
    firstTxAt,
    recentTxAt,
    nonce: count,
    use: { count, days: days.sort((a, b) => b.day - a.day) },
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
  gasUnits: number,
): GraphSignals {
  const fleet = valueOf(strategy, "fleet");
  const members = valueOf(strategy, "ring") ? Math.floor((farm - 1) / 2) : 0;
  const standing = gasUnits / FOLLOWER_GAS;
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
