/** What wallets and keys have spent: one record a wallet, changed by all that ask at once. */
import type { Charge, Decision, Usage } from "./quota.ts";
import { decide } from "./quota.ts";
import { CommitOutcomeUnknown } from "../../platform/kv/commit_outcome_unknown.ts";
import { usageOf, type WalletUsage, withUsage } from "./wallet_usage.ts";
import { EXPIRE_MS } from "../../platform/kv/expiry.ts";
import {
  batchedWrites,
  type Outcome,
} from "../../platform/kv/batched_writes.ts";
import * as keys from "../keys.ts";
import {
  type PendingRefund,
  pendingRefunds,
  withRefunds,
} from "./pending_refunds_store.ts";
import {
  type ReadKey,
  sharedReads,
  type Version,
} from "../../platform/kv/shared_reads.ts";
import { pack, unpack, type UsageRecord } from "./usage_record.ts";

/** Who spends. */
export interface Payer {
  readonly wallet: string;
  readonly keyId: string;
}

const CONTENDED = {
  allowed: false,
  which: "contended",
  retryAfterMs: 1_000,
} as const;

/** The record was too contended to decide: nothing was spent. */
export type Contended = typeof CONTENDED;

/** Usage in a store. */
export function usageStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  const change = batchedWrites<UsageRecord, WalletUsage>(kv, read, {
    expireIn: EXPIRE_MS.usage!,
    decode: unpack,
    encode: pack,
    markOf: ({ mark }) => mark,
  });

  const owed = pendingRefunds();

  /** Changes the record of a wallet, which gets back what it is owed in the same transaction. */
  function changeUsage(
    wallet: string,
    preconditions: readonly Version[],
    next: (held: WalletUsage) => WalletUsage,
  ): Promise<Outcome> {
    const due = owed.take(wallet);
    return due.length === 0
      ? change({ key: keys.usage(wallet), preconditions, decide: next })
      : changeAndPay(wallet, due, preconditions, next);
  }

  /** Changes the record of a wallet and pays what is due to it; what was not paid stays owed. */
  async function changeAndPay(
    wallet: string,
    due: readonly PendingRefund[],
    preconditions: readonly Version[],
    next: (held: WalletUsage) => WalletUsage,
  ): Promise<Outcome> {
    const decide = (held: WalletUsage) => next(withRefunds(held, due));
    try {
      const outcome = await change({
        key: keys.usage(wallet),
        preconditions,
        decide,
      });
      if (outcome !== "committed") owed.add(wallet, due);
      return outcome;
    } catch (error) {
      // What may have been paid must not be paid twice.
      if (!(error instanceof CommitOutcomeUnknown)) owed.add(wallet, due);
      throw error;
    }
  }

  async function spendIf(
    preconditions: readonly Version[],
    { wallet, keyId }: Payer,
    { charge, now }: { readonly charge: Charge; readonly now: number },
  ): Promise<Decision | Contended | null> {
    let decision: Decision;
    const outcome = await changeUsage(wallet, preconditions, (held) => {
      const usage = usageOf(held, keyId);
      decision = decide(usage, charge, now);
      return decision.usage === usage
        ? held
        : withUsage(held, keyId, decision.usage);
    });
    if (outcome === "outdated") return null;
    return outcome === "committed" ? decision! : CONTENDED;
  }

  return {
    /** Spends what a request costs, or refuses it and writes nothing. */
    async spend(
      payer: Payer,
      charge: Charge,
      now: number,
    ): Promise<Decision | Contended> {
      return (await spendIf([], payer, { charge, now }))!;
    },

    /**
     * Spends only if all records that are given are still as they were read, in
     * the transaction that spends; null, and nothing spent, where one is not.
     */
    spendIf,

    /**
     * Gives a wallet back what a request cost. What cannot be written now goes
     * along with what this process next writes for the wallet.
     */
    async giveBack(
      { wallet }: Pick<Payer, "wallet">,
      charge: Pick<Charge, "endpoint" | "units">,
      spentAt: number,
    ): Promise<void> {
      const due = [...owed.take(wallet), { charge, spentAt }];
      await changeAndPay(wallet, due, [], (held) => held).catch(() => {});
    },

    /** Reads what a wallet has spent and, where one is named, how a key was used. */
    async read(wallet: string, keyId = ""): Promise<Usage> {
      const { value } = await read<UsageRecord>(keys.usage(wallet));
      return usageOf(withRefunds(unpack(value), owed.list(wallet)), keyId);
    },
  };
}
