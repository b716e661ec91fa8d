/** Donations: USDC transfers from one profile to another. */
import {
  type DonationAnswer,
  type DonationBody,
  MIN_DONATION,
} from "./profiles_schema.ts";
import type { PendingAnswer } from "../payments/payments_schema.ts";
import type { DonationStore } from "./donations_store.ts";
import type { ProfileStore } from "./profiles_store.ts";
import { Fault } from "../platform/fault.ts";
import { formatUsdc } from "../payments/plans_schema.ts";
import type { Transfer } from "../payments/c_chain_transfers_client.ts";
import type { PaymentTerms } from "../payments/quotes.ts";
import {
  readTransfers,
  refusalReason,
  type TransferDeps,
} from "../payments/transfers.ts";

/** What a donation needs. */
export interface DonationDeps extends TransferDeps {
  /** Returns who funded addresses first, and where they sent all they had, from their stored signals. */
  readonly findOrigins: (addresses: readonly string[]) => Promise<Origins[]>;
  readonly payment: Pick<PaymentTerms, "token" | "treasury">;
  readonly store: TransferDeps["store"] & {
    readonly donations: Pick<DonationStore, "record">;
    readonly profiles: Pick<ProfileStore, "find">;
  };
}

/** Records a final transaction of a wallet as a donation, once. */
export async function recordDonation(
  deps: DonationDeps,
  wallet: string,
  { to, txHash, requestId, hostname }: DonationBody & {
    readonly requestId: string;
    /** The network address of the request; null if unknown. */
    readonly hostname: string | null;
  },
): Promise<DonationAnswer | PendingAnswer> {
  await requireProfiles(deps, wallet, to);
  const reader = { wallet, hostname };
  const read = await readTransfers(deps, { txHash, to, reader, refused });
  if (read.status === "pending") return read;
  const given = read.transfers
    .filter((moved) => moved.from === wallet && moved.to === to);
  const [first] = given;
  const amount = given.reduce((sum, moved) => sum + moved.amount, 0n);
  if (first === undefined) {
    const otherTokens = read.otherTokens.filter(({ from }) => from === wallet);
    throw refused(refusalReason({ ...read, otherTokens }, to), txHash);
  }
  if (amount < MIN_DONATION) throw refused("noTransfer", txHash);
  const [giver, receiver] = await deps.findOrigins([wallet, to]);
  const isOwn = areTied(giver!, receiver!);
  const donation = {
    from: wallet,
    to,
    txHash,
    at: first.at,
    amount,
    netGiven: isOwn ? 0n : shareOfOutflow(read.transfers, wallet, amount),
    netReceived: atMost(amount, -outflowOf(read.transfers, to)),
  };
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

/**
 * Returns the part of a donation that the wallet lost in its transaction, in base
 * units. All transfers of a wallet to others share what it lost in proportion, so
 * donations to several profiles together are no more than that.
 */
function shareOfOutflow(
  transfers: readonly Transfer[],
  wallet: string,
  amount: bigint,
): bigint {
  const sent = transfers
    .filter(({ from, to }) => from === wallet && to !== wallet)
    .reduce((sum, { amount }) => sum + amount, 0n);
  const lost = atMost(sent, outflowOf(transfers, wallet));
  return sent === 0n ? 0n : amount * lost / sent;
}

/** Returns what a wallet lost in a transaction, in base units; negative if it gained. */
function outflowOf(transfers: readonly Transfer[], wallet: string): bigint {
  return transfers.reduce((sum, { from, to, amount }) => {
    const sent = from === wallet ? amount : 0n;
    const received = to === wallet ? amount : 0n;
    return sum + sent - received;
  }, 0n);
}

/** Returns an amount limited to the range from 0 to a maximum. */
function atMost(max: bigint, amount: bigint): bigint {
  if (amount < 0n) return 0n;
  return amount < max ? amount : max;
}

/** An address, and those that its stored signals tie it to. */
interface Origins {
  readonly address: string;
  /** Who funded it first; null if unknown. */
  readonly funder: string | null;
  /** Where it sent nearly all it had; null if it did not. */
  readonly sweptTo: string | null;
}

/**
 * Returns whether one of two addresses funded the other first, or sent it all it had:
 * then what one gives the other stays with one owner, as far as that can be known.
 */
function areTied(one: Origins, other: Origins): boolean {
  return [[one, other], [other, one]].some(([from, to]) =>
    from!.funder === to!.address || from!.sweptTo === to!.address
  );
}

/** Throws a fault unless both sides have a profile and the receiver is not the treasury. */
async function requireProfiles(
  { payment, store }: Pick<DonationDeps, "payment" | "store">,
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
    ? "transfers to the treasury are payments"
    : "the address has no profile";
  throw new Fault(`Cannot record a donation to ${to}: ${reason}`, {
    kind: "badInput",
    parameter: "to",
  });
}

const REFUSALS = {
  txUsed: "it is recorded already",
  txMissing: "no node knows the transaction",
  txFailed: "the transaction failed, so it moved nothing",
  noTransfer: "the transaction moved no USDC, or less than a cent",
  wrongToken:
    "the token it moved to the profile is not this chain's native USDC",
  wrongRecipient: "it moved USDC, but not to this profile",
  wrongSender: "another wallet paid; only that wallet can record it",
} as const;

function refused(kind: keyof typeof REFUSALS, txHash: string): Fault {
  return new Fault(`Cannot record ${txHash}: ${REFUSALS[kind]}`, {
    kind,
    txHash,
  });
}

function profileRequired(): Fault {
  return new Fault(
    "Cannot record a donation: the wallet has no profile; save one first",
    { kind: "profileRequired" },
  );
}
