/** Transfers of a transaction that all nodes confirm. */
import type { PaymentsDeps } from "./deps.ts";
import type { CallOptions, Limit } from "../platform/rate_limit/call_budget.ts";
import { Fault } from "../platform/fault.ts";
import {
  compareReports,
  type TransactionOutcome,
  type Transfer,
} from "./transfers.ts";

/** Outcome of a transaction, its transfers split by token. */
export type ConfirmedTransfers =
  | Exclude<TransactionOutcome, { kind: "final" }>
  | {
    readonly kind: "final";
    /** Transfers of USDC. */
    readonly transfers: readonly Transfer[];
    /** Transfers of any other token. */
    readonly otherTokens: readonly Transfer[];
  };

/**
 * Rate limit of transaction reads, shared by all wallets. Wallets are free and
 * hashes can be invented, so a limit per wallet is not enough. Each read takes
 * three calls of the 240 per minute that a public node allows. The payment scan
 * finds payments regardless of this limit.
 */
const LIMITS: readonly Limit[] = [{ calls: 40, perMs: 60_000 }];

/**
 * Reads the transfers of a transaction by its lower-case hash. It is final when
 * every node reports it in the same block with two confirmations. Throws a
 * fault above the rate limit.
 */
export async function readTransfers(
  { now, payment, store, upstream }: Pick<
    PaymentsDeps,
    "now" | "payment" | "store" | "upstream"
  >,
  txHash: string,
  options: CallOptions,
): Promise<ConfirmedTransfers> {
  const at = now().getTime();
  const admission = await store.budgets.take("transactions", LIMITS, at);
  if (!admission.allowed) {
    throw new Fault(
      `Cannot check ${txHash} now: too many transactions are being checked`,
      { kind: "tooManyChanges", retryAfterMs: admission.retryAfterMs },
    );
  }
  const settled = compareReports(
    await Promise.all(
      upstream.transfers.map((node) => node.readTransaction(txHash, options)),
    ),
  );
  if (settled.kind !== "final") return settled;
  const isUsdc = ({ token }: Transfer) => token === payment.token;
  return {
    kind: "final",
    transfers: settled.transfers.filter(isUsdc),
    otherTokens: settled.transfers.filter((moved) => !isUsdc(moved)),
  };
}
