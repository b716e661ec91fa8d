/** What a transaction moved, as all nodes agree. */
import type { PaymentsDeps } from "./deps.ts";
import type { CallOptions, Limit } from "../platform/rate_limit/call_budget.ts";
import { Fault } from "../platform/fault.ts";
import {
  compareReports,
  type TransactionOutcome,
  type Transfer,
} from "./transfers.ts";

/** What became of a transaction. */
export type ConfirmedTransfers =
  | Exclude<TransactionOutcome, { kind: "final" }>
  | {
    readonly kind: "final";
    /** Its transfers of USDC. */
    readonly transfers: readonly Transfer[];
    /** Its transfers of whatever else calls itself a token. */
    readonly otherTokens: readonly Transfer[];
  };

/**
 * Transactions that wallets may have looked at, all of them together: a wallet
 * costs nothing, a hash can be made up, and each takes three calls to a node
 * that gives 240 a minute to everybody. What pays is found by a job too.
 */
const LIMITS: readonly Limit[] = [{ calls: 40, perMs: 60_000 }];

/**
 * Reads what a transaction moved, by a hash in lower case. It is final once
 * every node has it in one and the same block, with two blocks on top. Throws a
 * fault where too many are looked at.
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
      `Cannot look at ${txHash} now: too many transactions are looked at`,
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
