/** Usage of wallets and their keys: one record per wallet, written in batches. */
import {
  type Charge,
  decide,
  type QuotaDecision,
  refund,
  type Usage,
} from "./quota.ts";
import { CommitOutcomeUnknown } from "../../platform/kv/commit_outcome_unknown.ts";
import {
  type KeyIds,
  usageOf,
  type WalletUsage,
  withUsage,
} from "./wallet_usage.ts";
import {
  batchedWrites,
  type WriteOutcome,
} from "../../platform/kv/batched_writes.ts";
import * as keys from "../keys.ts";
import {
  type ReadKey,
  sharedReads,
  type Version,
} from "../../platform/kv/shared_reads.ts";
import { pack, sizeOf, unpack, type UsageRecord } from "./usage_record.ts";
import { decrement } from "./slot_counter.ts";
import { dayAt } from "../../platform/days.ts";

/** The wallet and key that a call is charged to. */
export interface Payer extends KeyIds {
  readonly wallet: string;
}

const CONTENDED = { allowed: false, which: "contended" } as const;

/** Too many concurrent writes: nothing was spent. */
type Contended = typeof CONTENDED;

/** Usage in a store. */
export function usageStore(
  kv: Deno.Kv,
  read: ReadKey = sharedReads(kv),
  { isHosted } = { isHosted: false },
) {
  const change = batchedWrites<UsageRecord, WalletUsage>(kv, read, {
    expireIn: keys.COLLECTIONS.usage.expireMs,
    isHosted,
    decode: unpack,
    encode: pack,
    sizeOf,
  });

  const pending = pendingRefunds();

  /** Changes the record of a wallet, and writes its pending refunds in the same transaction. */
  function changeUsage(
    wallet: string,
    preconditions: readonly Version[],
    next: (held: WalletUsage) => WalletUsage,
  ): Promise<WriteOutcome> {
    const refunds = pending.take(wallet);
    return refunds.length === 0
      ? change({ key: keys.usage(wallet), preconditions, decide: next })
      : changeAndRefund(wallet, refunds, preconditions, next);
  }

  /** Changes the record of a wallet with refunds. Refunds that were not written stay pending. */
  async function changeAndRefund(
    wallet: string,
    refunds: readonly PendingRefund[],
    preconditions: readonly Version[],
    next: (held: WalletUsage) => WalletUsage,
  ): Promise<WriteOutcome> {
    const decide = (held: WalletUsage) => next(withRefunds(held, refunds));
    try {
      const outcome = await change({
        key: keys.usage(wallet),
        preconditions,
        decide,
      });
      if (outcome !== "committed") pending.add(wallet, refunds);
      return outcome;
    } catch (error) {
      // Refunds that may have been written must not be written twice.
      if (!(error instanceof CommitOutcomeUnknown)) {
        pending.add(wallet, refunds);
      }
      throw error;
    }
  }

  async function readWallet(wallet: string): Promise<WalletUsage> {
    const { value } = await read<UsageRecord>(keys.usage(wallet));
    return withRefunds(unpack(value), pending.list(wallet));
  }

  async function spendIf(
    preconditions: readonly Version[],
    payer: Payer,
    { charge, now }: { readonly charge: Charge; readonly now: number },
  ): Promise<QuotaDecision | Contended | null> {
    let decision: QuotaDecision;
    const outcome = await changeUsage(payer.wallet, preconditions, (held) => {
      const usage = usageOf(held, payer);
      decision = decide(usage, charge, now);
      return decision.usage === usage
        ? held
        : withUsage(held, payer, decision.usage);
    });
    if (outcome === "outdated") return null;
    return outcome === "committed" ? decision! : CONTENDED;
  }

  return {
    /** Spends the charge of a request, or refuses it and writes nothing. */
    async spend(
      payer: Payer,
      charge: Charge,
      now: number,
    ): Promise<QuotaDecision | Contended> {
      return (await spendIf([], payer, { charge, now }))!;
    },

    /**
     * Spends only if the records in `preconditions` are unchanged at the commit.
     * Returns null, and spends nothing, if one has changed.
     */
    spendIf,

    /**
     * Refunds the charge of a failed request. If it cannot be written now, it is
     * written with the next change of the wallet's record by this process.
     */
    async refund(
      { wallet, originId }: Pick<Payer, "originId" | "wallet">,
      charge: Pick<Charge, "endpoint" | "units">,
      spentAt: number,
    ): Promise<void> {
      const refunds = [...pending.take(wallet), { charge, originId, spentAt }];
      await changeAndRefund(wallet, refunds, [], (held) => held).catch(
        () => {},
      );
    },

    /** Reads the usage of a wallet and of one of its keys. */
    async read(payer: Payer): Promise<Usage> {
      return usageOf(await readWallet(payer.wallet), payer);
    },

    /** Reads the usage of a wallet and of all its keys. */
    readWallet,
  };
}

/** The charge of a failed request. */
interface PendingRefund {
  readonly charge: Pick<Charge, "endpoint" | "units">;
  /** Id of the first key in the key's chain of rotations. */
  readonly originId: string;
  /** Epoch ms. */
  readonly spentAt: number;
}

/** Wallets with pending refunds, and refunds of each wallet. More are dropped. */
const MAX_WALLETS = 10_000;
const MAX_REQUESTS = 1_000;

const NONE: readonly PendingRefund[] = [];

/** Holds the pending refunds of this process. */
export function pendingRefunds() {
  const pending = new Map<string, readonly PendingRefund[]>();
  return {
    /** Lists the pending refunds of a wallet. */
    list: (wallet: string) => pending.get(wallet) ?? NONE,

    /** Takes the pending refunds of a wallet: the caller must write them or add them again. */
    take(wallet: string): readonly PendingRefund[] {
      const refunds = pending.get(wallet) ?? NONE;
      pending.delete(wallet);
      return refunds;
    },

    /** Adds refunds to those of a wallet. */
    add(wallet: string, refunds: readonly PendingRefund[]): void {
      if (refunds.length === 0) return;
      if (pending.size >= MAX_WALLETS && !pending.has(wallet)) return;
      const all = [...pending.get(wallet) ?? NONE, ...refunds];
      pending.set(wallet, all.slice(-MAX_REQUESTS));
    },
  };
}

/** Applies refunds to the usage of a wallet; returns the same object if there are none. */
export function withRefunds(
  usage: WalletUsage,
  refunds: readonly PendingRefund[],
): WalletUsage {
  if (refunds.length === 0) return usage;
  let { period, keys } = usage;
  for (const { charge, originId, spentAt } of refunds) {
    period = refund(period, charge, spentAt);
    const days = keys[originId];
    if (days === undefined) continue;
    const left = decrement(days, dayAt(spentAt), charge.units);
    keys = { ...keys, [originId]: left };
  }
  return { ...usage, period, keys };
}
