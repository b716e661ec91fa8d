/** Who funded an address first, and where the address swept its funds. */
import type { Funding } from "../../model/signals.ts";

/** AVAX that an address received. */
interface Receipt {
  /** Lower-case. */
  readonly from: string;
  /** Epoch ms. */
  readonly at: number;
  /** Wei. */
  readonly value: bigint;
}

/**
 * Returns the sender of the most AVAX before the first own transaction; null if none
 * is known. Later receipts do not count, since anybody can send them.
 */
export function fundingOf(
  received: readonly Receipt[],
  first: { readonly at: number } | undefined,
): Funding | null {
  if (first === undefined) return null;
  const sums = new Map<string, { wei: bigint; at: number }>();
  for (const { from, at, value } of received) {
    if (value === 0n || at > first.at) continue;
    const sum = sums.get(from) ?? { wei: 0n, at };
    sums.set(from, { wei: sum.wei + value, at: Math.min(sum.at, at) });
  }
  let most: (Funding & { wei: bigint }) | null = null;
  for (const [funder, { wei, at }] of sums) {
    if (most === null || wei > most.wei) most = { funder, at, wei };
  }
  return most && { funder: most.funder, at: most.at };
}

/** An own transaction. */
interface Sent {
  readonly to: string;
  /** Empty for a plain transfer. */
  readonly method: string;
  /** Wei. */
  readonly value: bigint;
  readonly failed: boolean;
}

/**
 * Returns where the newest transaction sent AVAX by a plain transfer, if it was more
 * than all others sent together; null if it was not. Newest first.
 */
export function sweepTargetOf(txs: readonly Sent[]): string | null {
  const [newest, ...others] = txs.filter(({ failed }) => !failed);
  if (newest === undefined || newest.method !== "" || newest.to === "") {
    return null;
  }
  const sent = others.reduce((sum, { value }) => sum + value, 0n);
  return newest.value > sent ? newest.to : null;
}
