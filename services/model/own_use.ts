/** What an address does on the chain: a summary of its own transactions. */
import { dayAt } from "../platform/days.ts";

/** A transaction that an address sent. */
export interface OwnTx {
  /** Epoch ms. */
  readonly at: number;
  /** The called or paid address, lower-case; empty if it created a contract. */
  readonly to: string;
  readonly gasUnits: number;
  /** A failed transaction counts only with its gas. */
  readonly failed: boolean;
}

/** A UTC day with own transactions. */
export interface ActiveDay {
  readonly day: number;
  /** Units of gas, which mean the same at every price of gas. */
  readonly gasUnits: number;
  /** Transactions, at most three to one target. */
  readonly varied: number;
}

/** A summary of own transactions. */
export interface OwnUse {
  /** Number of summarised transactions. */
  readonly count: number;
  /** Newest first. */
  readonly days: readonly ActiveDay[];
}

/** An address without own transactions. */
export const NO_USE: OwnUse = { count: 0, days: [] };

/** Transactions of a day that count for one target. */
const PER_TARGET = 3;

/** Summarises own transactions, in any order. */
export function useOf(txs: readonly OwnTx[]): OwnUse {
  const days: { day: number; gasUnits: number; varied: number }[] = [];
  let perTarget = new Map<string, number>();
  for (
    const { at, to, gasUnits, failed } of txs.toSorted((a, b) => b.at - a.at)
  ) {
    const day = dayAt(at);
    let current = days.at(-1);
    if (current?.day !== day) {
      current = { day, gasUnits: 0, varied: 0 };
      days.push(current);
      perTarget = new Map();
    }
    current.gasUnits += gasUnits;
    if (failed) continue;
    const before = perTarget.get(to) ?? 0;
    perTarget.set(to, before + 1);
    if (before < PER_TARGET) current.varied++;
  }
  return { count: txs.length, days };
}
