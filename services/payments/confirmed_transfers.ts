/** Transfers of a transaction that all nodes confirm. */
import type { PaymentsDeps } from "./deps.ts";
import type { CallOptions } from "../platform/rate_limit/call_budget.ts";
import { changeRequester } from "../platform/rate_limit/requesters.ts";
import {
  type SharedBudget,
  UNSHARED,
} from "../platform/rate_limit/shared_budget.ts";
import { nameLimit } from "../platform/rate_limit/wallet_limits.ts";
import { takeCall } from "../platform/rate_limit/take_call.ts";
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

/** Who a transaction is read for. */
export interface Reader {
  readonly wallet: string;
  /** The network address of the request; null if unknown. */
  readonly hostname: string | null;
}

const READS_PER_MINUTE = 40;

/**
 * Rate limit of transaction reads, shared by wallet and network. Wallets are free
 * and hashes can be invented, so a limit per wallet is not enough. Each read takes
 * three calls of the 240 per minute that a public node allows. The payment scan
 * finds payments regardless of this limit.
 */
const BUDGET: SharedBudget = {
  name: "transaction-reads",
  limits: [{ calls: READS_PER_MINUTE, perMs: 60_000 }],
  shares: UNSHARED,
};

/** Reads the limits of a claim, so that counting it takes no further reads. */
export function prepareClaim(
  { store }: Pick<PaymentsDeps, "store">,
  reader: Reader,
): Promise<void> {
  const { name } = BUDGET;
  return store.budgets.prepare([
    { name: nameLimit("claim", reader.wallet) },
    { name, requester: changeRequester(reader) },
  ]);
}

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
  { txHash, reader }: { readonly txHash: string; readonly reader: Reader },
  options: CallOptions,
): Promise<ConfirmedTransfers> {
  const requester = changeRequester(reader);
  const admission = await takeCall({ now, store }, BUDGET, requester);
  if (!admission.allowed) {
    const reason = admission.used === null
      ? "too many transactions are being checked"
      : `your share of the ${READS_PER_MINUTE} checks a minute is used up`;
    throw new Fault(`Cannot check ${txHash} now: ${reason}`, {
      kind: "tooManyChanges",
      retryAfterMs: admission.retryAfterMs,
    });
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
