/** Simulates what an honest person does on the chain, transaction by transaction. */
import { DAY_MS, dayAt, MINUTE_MS } from "../../services/platform/days.ts";
import { NO_CHAIN, type OwnTx, useOf } from "../../services/model/signals.ts";
import type { Past } from "./targets.ts";

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
  /** Addresses and methods that it uses; some are used far more than others. */
  readonly targets: number;
  readonly methods: number;
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

/** Length of the slots of the day that the earlier models count. */
const SLOT_MS = 10 * MINUTE_MS;

/** A transaction, with what the earlier models read of it. */
interface LivedTx extends OwnTx {
  readonly method: string;
  readonly paidAvax: number;
}

/** Returns the past of a life. Random numbers are from 0 up to 1. */
export function pastOf(
  phases: readonly Phase[],
  random: () => number,
): Past {
  const txs: LivedTx[] = [];
  for (const phase of phases) live(phase, random, txs);
  txs.sort((a, b) => b.at - a.at);
  txs.length = Math.min(txs.length, MOST_TXS);
  const distinct = (keyOf: (tx: LivedTx) => unknown) =>
    new Set(txs.filter(({ failed }) => !failed).map(keyOf)).size;
  const paid = new Map<number, number>();
  for (const { at, paidAvax } of txs) {
    paid.set(dayAt(at), (paid.get(dayAt(at)) ?? 0) + paidAvax);
  }
  return {
    ...NO_CHAIN,
    firstTxAt: txs.at(-1)?.at ?? null,
    recentTxAt: txs.slice(0, 1_000).map(({ at }) => at),
    nonce: txs.length,
    gasAvax: txs.reduce((sum, { paidAvax }) => sum + paidAvax, 0),
    gasUnits: txs.reduce((sum, { gasUnits }) => sum + gasUnits, 0),
    use: {
      ...useOf(txs),
      days: useOf(txs).days.map((day) => ({
        ...day,
        gasAvax: paid.get(day.day) ?? 0,
      })),
      months: distinct(({ at }) => new Date(at).toISOString().slice(0, 7)),
      slots: distinct(({ at }) => Math.floor(at % DAY_MS / SLOT_MS)),
      targets: distinct(({ to }) => to),
      methods: distinct(({ method }) => method),
    },
    cohort: 0,
    fetchedAt: NOW,
  };
}

function live(phase: Phase, random: () => number, txs: LivedTx[]): void {
  const { from, until = 0, daysAWeek, txsADay, gas, targets, methods } = phase;
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
        method: `method${(target * 7 + skewed(3, random)) % methods}`,
        gasUnits: Math.round(used),
        paidAvax: used * price * (phase.hurry ?? 1) * 1e-9,
        failed: random() < 0.02,
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
