/** The history of an address, from the transactions that an index has shown. */
import { originOf } from "../../model/s4_2026_3.ts";
import {
  type Funding,
  type Origin,
  type OwnUse,
  useOf,
} from "../../model/signals.ts";
import { DAY_MS } from "../../platform/days.ts";
import { minOf } from "../../platform/numbers.ts";

/** Wei of one AVAX. */
const WEI = 1e18;

/** Sent transactions of an address, failed ones included, since they paid gas. Times in epoch ms. */
export interface AccountHistory {
  /** Null if it has sent nothing; the oldest known one if the first is outside the window. */
  readonly firstTxAt: number | null;
  /** Newest first. */
  readonly recentTxAt: readonly number[];
  /** One more than the nonce of the newest indexed transaction. */
  readonly nonce: number;
  /** Gas paid by the transactions that were read: for a long history, less than in total. */
  readonly gasAvax: number;
  /** What the transactions that were read say about the use of the address. */
  readonly use: OwnUse;
  /** Null if the records before its first transaction were not read, or none sent AVAX. */
  readonly funding: Funding | null;
  /** Null as `funding`. */
  readonly origin: Origin | null;
  /** Where the newest transaction sent AVAX, more than all known others together; null if it did not. */
  readonly sweptTo: string | null;
  /** True if the first or the newest transactions are not known. */
  readonly isPartial: boolean;
  /** Why transactions could not be read; empty if all could. */
  readonly unread: readonly string[];
}

/** Number of newest transactions whose times count. */
export const MAX_RECENT = 1000;

/** An own transaction, failed ones included. */
export interface OwnTx extends Sent {
  /** Epoch ms. */
  readonly at: number;
  readonly nonce: number;
  readonly gasUnits: number;
  readonly paidWei: bigint;
}

/** Summarises own transactions by nonce, and what the oldest records show as received. */
export function summarize(
  own: ReadonlyMap<number, OwnTx>,
  { received, ...rest }: {
    readonly received: readonly Receipt[];
    readonly unread: readonly string[];
    readonly isPartial: boolean;
  },
): AccountHistory {
  const txs = [...own.values()].sort((a, b) => b.nonce - a.nonce);
  const paidWei = txs.reduce((sum, tx) => sum + tx.paidWei, 0n);
  return {
    firstTxAt: txs.at(-1)?.at ?? null,
    recentTxAt: txs.slice(0, MAX_RECENT).map(({ at }) => at),
    nonce: (txs[0]?.nonce ?? -1) + 1,
    gasAvax: Number(paidWei) / WEI,
    use: useOf(txs),
    ...beforeUseOf(received, txs.at(-1)),
    sweptTo: sweepTargetOf(txs),
    ...rest,
  };
}

/** AVAX that an address received. */
export interface Receipt {
  /** Lower-case. */
  readonly from: string;
  /** Epoch ms. */
  readonly at: number;
  /** Wei. */
  readonly value: bigint;
}

/** What an address received before it was used. */
type BeforeUse = Pick<AccountHistory, "funding" | "origin">;

/**
 * Returns who sent AVAX before the first own transaction. Later receipts do not
 * count, since anybody can send them.
 */
export function beforeUseOf(
  received: readonly Receipt[],
  first: { readonly at: number } | undefined,
): BeforeUse {
  const sums = new Map<string, { wei: bigint; at: number }>();
  if (first !== undefined) {
    for (const { from, at, value } of received) {
      if (value === 0n || at > first.at) continue;
      const sum = sums.get(from) ?? { wei: 0n, at };
      sums.set(from, { wei: sum.wei + value, at: Math.min(sum.at, at) });
    }
  }
  let most: (Funding & { wei: bigint }) | null = null;
  for (const [funder, { wei, at }] of sums) {
    if (most === null || wei > most.wei) most = { funder, at, wei };
  }
  if (first === undefined || most === null) {
    return { funding: null, origin: null };
  }
  const senders = [...sums.values()];
  const amounts = senders.map(({ wei }) => Number(wei) / WEI);
  const since = minOf(senders.map(({ at }) => at));
  return {
    funding: { funder: most.funder, at: most.at },
    origin: originOf(amounts, (first.at - since) / DAY_MS),
  };
}

/** An own transaction, as far as a sweep shows in it. */
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
