/** Donations: USDC from one profile to another, as the chain tells. */
import type { DonationAnswer, DonationBody } from "./profiles_schema.ts";
import type { PendingAnswer } from "../payments/payments_schema.ts";
import type { ProfilesDeps } from "./deps.ts";
import { Fault } from "../platform/fault.ts";
import { formatUsdc } from "../payments/money.ts";
import type { Transfer } from "../payments/transfers.ts";
import { readerCallOptions } from "../platform/cache/read_through.ts";
import {
  type ConfirmedTransfers,
  readTransfers,
} from "../payments/confirmed_transfers.ts";

type DonationDeps = Pick<
  ProfilesDeps,
  "now" | "payment" | "store" | "upstream"
>;

/** Less than this is no donation, in base units: a cent. */
const LEAST_AMOUNT = 10_000n;

/** Records what a wallet gave another profile in a transaction; once, and only when it is final. */
export async function recordDonation(
  deps: DonationDeps,
  wallet: string,
  { to, txHash, requestId }: DonationBody & { readonly requestId: string },
): Promise<DonationAnswer | PendingAnswer> {
  await requireProfiles(deps, wallet, to);
  const read = await readTransfers(deps, txHash, readerCallOptions());
  if (read.kind === "missing") throw refused("txMissing", txHash);
  if (read.kind === "failed") throw refused("txFailed", txHash);
  if (read.kind === "pending") {
    const { confirmations, required } = read;
    return { status: "pending", confirmations, required };
  }
  const given = read.transfers
    .filter((moved) => moved.from === wallet && moved.to === to);
  const [first] = given;
  const amount = given.reduce((sum, moved) => sum + moved.amount, 0n);
  if (first === undefined) {
    throw refused(refusalReason(read, { wallet, to }), txHash);
  }
  if (amount < LEAST_AMOUNT) throw refused("noTransfer", txHash);
  const donation = { from: wallet, to, txHash, at: first.at, amount };
  const at = deps.now().getTime();
  const recorded = await deps.store.donations.record(donation, {
    at,
    requestId,
  });
  if (recorded.kind === "used") throw refused("txUsed", txHash);
  if (recorded.kind === "unclaimed") throw profileRequired();
  return {
    status: "recorded",
    to,
    txHash,
    usdc: formatUsdc(amount),
    countedUsdc: formatUsdc(recorded.donation.counted),
    at: new Date(first.at).toISOString(),
  };
}

/** What goes to the treasury pays for something; all else has to go to a profile. */
async function requireProfiles(
  { payment, store }: Pick<ProfilesDeps, "payment" | "store">,
  wallet: string,
  to: string,
): Promise<void> {
  const [giver, receiver] = await Promise.all([
    store.profiles.find(wallet),
    store.profiles.find(to),
  ]);
  if (giver === null) throw profileRequired();
  if (to !== payment.treasury && receiver !== null) return;
  const reason = to === payment.treasury
    ? "it is the treasury, and what it gets is a payment"
    : "nobody has claimed a profile for it";
  throw new Fault(`Cannot record a donation to ${to}: ${reason}`, {
    kind: "badInput",
    parameter: "to",
  });
}

const REFUSALS = {
  txUsed: "it is recorded already",
  txMissing: "no node knows it",
  txFailed: "it has failed, so it moved nothing",
  noTransfer: "it moved no USDC, or less than a cent",
  wrongToken: "what it moved there is not USDC of this chain's issuer",
  wrongRecipient: "it moved your USDC to others",
  wrongSender: "another wallet gave; that wallet can record it",
} as const;

type Refusal = keyof typeof REFUSALS;

/** Says what a transaction lacks: the right wallet, the right receiver, or the right token. */
function refusalReason(
  { transfers, otherTokens }: Extract<ConfirmedTransfers, { kind: "final" }>,
  { wallet, to }: { wallet: string; to: string },
): Refusal {
  const isTo = (moved: Transfer) => moved.to === to;
  if (transfers.some(isTo)) return "wrongSender";
  if (otherTokens.some((moved) => isTo(moved) && moved.from === wallet)) {
    return "wrongToken";
  }
  return transfers.length > 0 ? "wrongRecipient" : "noTransfer";
}

function refused(kind: Refusal, txHash: string): Fault {
  return new Fault(`Cannot record ${txHash}: ${REFUSALS[kind]}`, {
    kind,
    txHash,
  });
}

function profileRequired(): Fault {
  return new Fault(
    "Cannot record a donation: the wallet has no profile; write one first",
    { kind: "profileRequired" },
  );
}
