/** Simulates what an honest person does on the chain, transaction by transaction. */
import { DAY_MS } from "../../services/platform/days.ts";
import { type OwnTx, useOf } from "../../services/model/own_use.ts";
import { type ChainSignals, NO_CHAIN } from "../../services/model/signals.ts";

/** The instant of all simulated scores. */
export const NOW = Date.UTC(2026, 10, 22, 12);

/** A time of steady use. */
export interface Phase {
  /** Days before now. */
  readonly from: number;
  readonly until?: number;
  readonly daysAWeek: number;
  readonly txsADay: number;
  /** Gas of a usual transaction. */
  readonly gas: number;
  /** Addresses that it uses; some are used far more than others. */
  readonly targets: number;
  /** Hours of the day, in UTC, in which it is awake. */
  readonly hours?: readonly [from: number, until: number];
  /** Pays this many times the usual gas price. */
  readonly hurry?: number;
}

/**
 * Gas price that users paid, in nAVAX, from that time on: 25 was the minimum from
 * Apricot Phase 4, 1 from Etna (ACP-125); since Fortuna (ACP-176) it is mostly lower,
 * and wallets still offer about 1 with their tip.
 */
const GAS_PRICES: readonly (readonly [from: number, nAvax: number])[] = [
  [Date.UTC(2025, 3, 8), 1],
  [Date.UTC(2024, 11, 16), 2],
  [0, 27],
];

/**
 * Maximum number of simulated transactions of one wallet: as many as the index serves.
 */
const MOST_TXS = 10_000;

interface LifeTx extends OwnTx {
  readonly paidAvax: number;
}

/** Returns the chain signals of a life. Random numbers are from 0 up to 1. */
export function chainOf(
  phases: readonly Phase[],
  random: () => number,
): ChainSignals {
  const txs: LifeTx[] = [];
  for (const phase of phases) live(phase, random, txs);
  txs.sort((a, b) => b.at - a.at);
  txs.length = Math.min(txs.length, MOST_TXS);
  return {
    ...NO_CHAIN,
    firstTxAt: txs.at(-1)?.at ?? null,
    recentTxAt: txs.slice(0, 1_000).map(({ at }) => at),
    nonce: txs.length,
    gasAvax: txs.reduce((sum, { paidAvax }) => sum + paidAvax, 0),
    use: useOf(txs),
    fetchedAt: NOW,
  };
}

function live(phase: Phase, random: () => number, txs: LifeTx[]): void {
  const { from, until = 0, daysAWeek, txsADay, gas, targets } = phase;
  const [wake, sleep] = phase.hours ?? [7, 23];
  for (let day = from; day > until; day--) {
    const isFirst = day === from;
    if (!isFirst && random() >= daysAWeek / 7) continue;
    const count = Math.max(1, poisson(txsADay, random));
    for (let nth = 0; nth < count; nth++) {
      const hour = wake + (sleep - wake) * random();
      const start = NOW - NOW % DAY_MS - day * DAY_MS;
      const at = Math.floor((start + hour * DAY_MS / 24) / 1000) * 1000;
      const target = skewed(targets, random);
      const price = GAS_PRICES.find(([since]) => at >= since)![1];
      const used = gas * (0.4 + 1.2 * random());
      txs.push({
        at,
        to: `target${target}`,
        gasUnits: Math.round(used),
        failed: random() < 0.02,
        paidAvax: used * price * (phase.hurry ?? 1) * 1e-9,
      });
    }
  }
}

/** Returns a number below `count`; low ones far more often (a power law). */
function skewed(count: number, random: () => number): number {
  return Math.min(count - 1, Math.floor(count * random() ** 2.5));
}

/** Returns a Poisson number with this mean. */
function poisson(mean: number, random: () => number): number {
  if (mean > 30) return Math.round(mean * (0.7 + 0.6 * random()));
  let product = random();
  let count = 0;
  for (const limit = Math.exp(-mean); product > limit; count++) {
    product *= random();
  }
  return count;
}
