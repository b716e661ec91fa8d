/** Transfers of a transaction that all nodes confirm. */
import type { PaymentsDeps } from "./deps.ts";
import type { CallOptions } from "../platform/rate_limit/call_budget.ts";
import {
  changeRequester,
  usedByOf,
} from "../platform/rate_limit/requesters.ts";
import { MINUTE_MS } from "../platform/days.ts";
import { retryWords } from "../platform/http/retry_after.ts";
import {
  type SharedBudget,
  UNSHARED,
} from "../platform/rate_limit/shared_budget.ts";
import {
  isWithinLimit,
  limitWallet,
  nameLimit,
} from "../platform/rate_limit/wallet_limits.ts";
import { takeCall } from "../platform/rate_limit/take_call.ts";
import { Fault } from "../platform/fault.ts";
import {
  compareReports,
  type TransactionOutcome,
  type Transfer,
} from "./transfers.ts";

/** Outcome of a transaction, its transfers split by token. */
type ConfirmedTransfers =
  | Exclude<TransactionOutcome, { kind: "final" }>
  | {
    readonly kind: "final";
    /** Transfers of USDC. */
    readonly transfers: readonly Transfer[];
    /** Some transfers of any other token to the receiver. */
    readonly otherTokens: readonly Transfer[];
  };

/** Who a transaction is read for. */
interface Reader {
  readonly wallet: string;
  /** The network address of the request; null if unknown. */
  readonly hostname: string | null;
}

const READS_PER_MINUTE = 40;

/** A wallet or network may use half of them: the 20 claims a minute of a wallet. */
const READS_CAP = 1 / 2;

/**
 * Rate limit of transaction reads, shared by wallet and network. Wallets are free
 * and hashes can be invented, so a limit per wallet is not enough. Each read takes
 * three calls of the 240 per minute that a public node allows. The payment scan
 * finds payments regardless of this limit.
 */
const BUDGET: SharedBudget = {
  name: "transaction-reads",
  limits: [{ calls: READS_PER_MINUTE, perMs: MINUTE_MS }],
  shares: UNSHARED,
};

/** Reads the limits of a claim, so that counting it takes no further reads. */
export async function prepareClaim(
  { store, upstream }: Pick<PaymentsDeps, "store" | "upstream">,
  reader: Reader,
  options: CallOptions,
): Promise<void> {
  const { name } = BUDGET;
  await Promise.all([
    store.budgets.prepare([
      { name: nameLimit("claim", reader.wallet) },
      { name, requester: changeRequester(reader, READS_CAP) },
    ]),
    ...upstream.transfers.map((node) => node.prepare(options)),
  ]);
}

/**
 * Counts a claim and its read of the chain, and returns the options of the calls to
 * each node. Throws a fault above a rate limit. A claim that the limits allow, by
 * what this process remembers of them, is counted in all of them at once.
 */
export async function countClaim(
  deps: Pick<PaymentsDeps, "now" | "store" | "upstream">,
  { txHash, reader }: { readonly txHash: string; readonly reader: Reader },
  options: CallOptions,
): Promise<readonly CallOptions[]> {
  const { now, store } = deps;
  const isLikely = isWithinLimit(deps, "claim", reader.wallet) &&
    store.budgets.isLeftFor(
      BUDGET,
      changeRequester(reader, READS_CAP),
      now().getTime(),
    );
  const reserving = isLikely ? reserveAll(deps, options) : null;
  const counting = limitWallet(deps, "claim", reader.wallet);
  if (!isLikely) await counting;
  const [claim, read, reserved] = await Promise.allSettled([
    counting,
    countRead(deps, { txHash, reader }),
    reserving,
  ]);
  for (const counted of [claim, read, reserved]) {
    if (counted.status === "rejected") throw counted.reason;
  }
  return (reserved as PromiseFulfilledResult<readonly CallOptions[]>).value ??
    await reserveAll(deps, options);
}

/** Counts the calls that read a transaction from each node. */
export function reserveAll(
  { upstream }: Pick<PaymentsDeps, "upstream">,
  options: CallOptions,
): Promise<readonly CallOptions[]> {
  return Promise.all(upstream.transfers.map((node) => node.reserve(options)));
}

/** Counts a read of a transaction. Throws a fault above the rate limit. */
export async function countRead(
  { now, store }: Pick<PaymentsDeps, "now" | "store">,
  { txHash, reader }: { readonly txHash: string; readonly reader: Reader },
): Promise<void> {
  const requester = changeRequester(reader, READS_CAP);
  const admission = await takeCall({ now, store }, BUDGET, requester);
  if (admission.allowed) return;
  const { retryAfterMs, party } = admission;
  const usedBy = usedByOf(party);
  const reason = usedBy === "everyone"
    ? `all callers share ${READS_PER_MINUTE} checks a minute, and they are used up`
    : `the share of this ${usedBy} of the ${READS_PER_MINUTE} checks a minute is used up`;
  throw new Fault(
    `Cannot check ${txHash} now: ${reason}; ${retryWords(retryAfterMs)}`,
    { kind: "tooManyChanges", retryAfterMs },
  );
}

/**
 * Reads the transfers of USDC of a transaction by its lower-case hash, and those of
 * other tokens to a receiver, with options for each node. It is final when every node
 * reports it in the same block with two confirmations.
 */
export async function readTransfers(
  { payment, upstream }: Pick<PaymentsDeps, "payment" | "upstream">,
  { txHash, to }: { readonly txHash: string; readonly to: string },
  options: readonly CallOptions[],
): Promise<ConfirmedTransfers> {
  const wanted = { token: payment.token, to };
  const settled = compareReports(
    await Promise.all(
      upstream.transfers.map((node, nth) =>
        node.readTransaction(txHash, wanted, options[nth]!)
      ),
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
