/** What an address does on the chain: a summary of its own transactions. */
import { DAY_MS, dayAt, MINUTE_MS } from "../platform/days.ts";
import { behaviorOf } from "./behavior.ts";
import { maxOf } from "../platform/extremes.ts";

/** A transaction that an address sent. */
export interface OwnTx {
  /** Epoch ms. */
  readonly at: number;
  /** The called or paid address, lower-case; empty if it created a contract. */
  readonly to: string;
  /** The called method: the first four bytes of the input as hex; empty without input. */
  readonly method: string;
  readonly paidAvax: number;
  readonly movesValue: boolean;
  /** A failed transaction counts only with its gas. */
  readonly failed: boolean;
}

/** A UTC day with own transactions. */
export interface ActiveDay {
  readonly day: number;
  readonly gasAvax: number;
  /** Transactions, at most three to one target. */
  readonly varied: number;
}

/** A summary of own transactions. */
export interface OwnUse {
  /** Number of summarised transactions. */
  readonly count: number;
  /** Newest first. */
  readonly days: readonly ActiveDay[];
  /** Distinct UTC months with a transaction. */
  readonly months: number;
  /** Distinct ten-minute slots of the day with a transaction, of 144. */
  readonly slots: number;
  /** Distinct called or paid addresses. */
  readonly targets: number;
  /** Distinct called methods. */
  readonly methods: number;
  /** Share of the transactions that went to the most frequent target. */
  readonly topTargetShare: number;
  /** Share of the transactions that moved AVAX. */
  readonly valueShare: number;
  /** Entropy of the hours of the day, from 0 (one hour) to 1 (all equally). */
  readonly hourEntropy: number;
  /** Entropy of the gaps between transactions, in classes of doubling length, from 0 to 1. */
  readonly gapEntropy: number;
  /** A sketch of its behaviour, to compare it with other wallets: see `behavior.ts`. */
  readonly behavior: Uint32Array<ArrayBuffer>;
}

/** An address without own transactions. */
export const NO_USE: OwnUse = {
  count: 0,
  days: [],
  months: 0,
  slots: 0,
  targets: 0,
  methods: 0,
  topTargetShare: 0,
  valueShare: 0,
  hourEntropy: 0,
  gapEntropy: 0,
  behavior: new Uint32Array(0),
};

/** Transactions of a day that count for one target. */
const PER_TARGET = 3;

/** Length of a slot of the day. */
const SLOT_MS = 10 * MINUTE_MS;

/** Classes of gap length: below 1 minute, below 2, below 4, and so on. */
const GAP_CLASSES = 24;

/** Summarises own transactions, in any order. */
export function useOf(txs: readonly OwnTx[]): OwnUse {
  const sorted = txs.toSorted((a, b) => b.at - a.at);
  const done = sorted.filter(({ failed }) => !failed);
  const targets = countBy(done, ({ to }) => to);
  return {
    count: txs.length,
    days: daysOf(sorted),
    months: countBy(done, ({ at }) => monthOf(at)).size,
    slots: countBy(done, ({ at }) => Math.floor(at % DAY_MS / SLOT_MS)).size,
    targets: targets.size,
    methods: countBy(done, ({ method }) => method).size,
    topTargetShare: done.length === 0
      ? 0
      : maxOf(targets.values()) / done.length,
    valueShare: done.length === 0
      ? 0
      : done.filter(({ movesValue }) => movesValue).length / done.length,
    hourEntropy: entropyOf(
      countBy(done, ({ at }) => Math.floor(at % DAY_MS / (6 * SLOT_MS))),
      24,
    ),
    gapEntropy: entropyOf(countBy(gapsOf(done), (gap) => gap), GAP_CLASSES),
    behavior: behaviorOf(done),
  };
}

function daysOf(sorted: readonly OwnTx[]): ActiveDay[] {
  const days: { day: number; gasAvax: number; varied: number }[] = [];
  let perTarget = new Map<string, number>();
  for (const { at, to, paidAvax, failed } of sorted) {
    const day = dayAt(at);
    let current = days.at(-1);
    if (current?.day !== day) {
      current = { day, gasAvax: 0, varied: 0 };
      days.push(current);
      perTarget = new Map();
    }
    current.gasAvax = toNAvax(current.gasAvax + paidAvax);
    if (failed) continue;
    const before = perTarget.get(to) ?? 0;
    perTarget.set(to, before + 1);
    if (before < PER_TARGET) current.varied++;
  }
  return days;
}

/** Rounds AVAX to whole nAVAX, so that stored days equal those that were read. */
function toNAvax(avax: number): number {
  return Math.round(avax * 1e9) / 1e9;
}

/** Returns the classes of the gaps between transactions, newest first. */
function gapsOf(sorted: readonly OwnTx[]): number[] {
  return sorted.slice(1).map(({ at }, nth) => {
    const minutes = (sorted[nth]!.at - at) / MINUTE_MS;
    return minutes < 1
      ? 0
      : Math.min(GAP_CLASSES - 1, 1 + Math.floor(Math.log2(minutes)));
  });
}

function monthOf(at: number): number {
  const date = new Date(at);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

function countBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const item of items) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Returns Shannon's entropy of a distribution over a number of classes, as a share of its maximum. */
function entropyOf(
  counts: ReadonlyMap<unknown, number>,
  classes: number,
): number {
  let all = 0;
  for (const count of counts.values()) all += count;
  let entropy = 0;
  for (const count of counts.values()) {
    entropy -= count / all * Math.log(count / all);
  }
  return entropy / Math.log(classes);
}
