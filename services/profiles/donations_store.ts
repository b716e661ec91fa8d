/**
 * Store of donations: each transfer is recorded once. How much of a wallet's donations
 * counts towards its score is the net outflow to others. Donations that a wallet received
 * within 30 days of its own donation are deducted, from any sender, so money that goes
 * round in a circle counts for nothing. Of several donations to one address within 30
 * days only the largest counts, because ordinary transfers, which could return the
 * money, are not recorded.
 */
import { DAY_MS, dayAt } from "../platform/days.ts";
import { isClaimed, type StoredProfile } from "./profile.ts";
import { withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import { profileKey } from "./profiles_store.ts";
import {
  ANY,
  type Rule,
  type StoredRecords,
  textAt,
} from "../platform/kv/store_rule.ts";

/** What still counts of the donations to one address on one day. */
interface Given {
  /** The time of the last block, epoch ms. */
  readonly at: number;
  readonly to: string;
  /** Base units. */
  readonly amount: bigint;
}

/** What was received on one day and not yet deducted from a donation. */
type Received = Omit<Given, "to">;

/** The donations of a wallet, and those to it, each oldest first. */
export interface DonationFlows {
  readonly given: readonly Given[];
  readonly received: readonly Received[];
}

/** Flows of a wallet without donations. */
export const NO_FLOWS: DonationFlows = { given: [], received: [] };

/** Flows of a wallet after a donation, and what it adds to or takes from the counted sum. */
interface Credit {
  readonly flows: DonationFlows;
  readonly counted: bigint;
}

/** Window in which donations are compared. */
const WINDOW_MS = 30 * DAY_MS;

/** Maximum number of entries in each list. Beyond it, the oldest are dropped if they left the window. */
export const MAX_REMEMBERED = 500;

/** Adds a donation to another address. The counted part is zero or more. */
export function give(flows: DonationFlows, gift: Given): Credit {
  const repeated = flows.given
    .filter((one) => one.to === gift.to && isInWindow(one, gift))
    .reduce((sum, { amount }) => sum + amount, 0n);
  const more = gift.amount > repeated ? gift.amount - repeated : 0n;
  const { left: received, taken } = deduct(flows.received, {
    ...gift,
    amount: more,
  });
  const given = remember(
    flows.given,
    { ...gift, amount: more - taken },
    (one) => one.to === gift.to,
  );
  // Without room, nothing counts: later receipts could not be deducted from it.
  if (given === null) return { flows, counted: 0n };
  return { flows: { given, received }, counted: more - taken };
}

/** Adds a donation from another address. The counted part is zero or negative. */
export function receive(flows: DonationFlows, receipt: Received): Credit {
  const { left: given, taken } = deduct(flows.given, receipt);
  const received = remember(
    flows.received,
    { ...receipt, amount: receipt.amount - taken },
    () => true,
  );
  return {
    flows: { given, received: received ?? flows.received },
    counted: -taken,
  };
}

/** Takes up to an amount out of the entries in its window, oldest first. */
function deduct<T extends Received>(
  entries: readonly T[],
  { at, amount }: Received,
): { left: T[]; taken: bigint } {
  let taken = 0n;
  const left = entries.map((entry) => {
    if (!isInWindow(entry, { at })) return entry;
    const part = entry.amount < amount - taken ? entry.amount : amount - taken;
    taken += part;
    return { ...entry, amount: entry.amount - part };
  });
  return { left: left.filter(({ amount }) => amount > 0n), taken };
}

/** Adds an entry to a list, merged with those of its day that are alike. Null if a full list has no room for it. */
function remember<T extends Received>(
  entries: readonly T[],
  entry: T,
  isAlike: (other: T) => boolean,
): readonly T[] | null {
  if (entry.amount === 0n) return entries;
  const isMerged = (other: T) =>
    dayAt(other.at) === dayAt(entry.at) && isAlike(other);
  const merged = entries.filter(isMerged).reduce((sum, other) => ({
    ...sum,
    at: Math.max(sum.at, other.at),
    amount: sum.amount + other.amount,
  }), entry);
  const all = [...entries.filter((other) => !isMerged(other)), merged]
    .toSorted((a, b) => a.at - b.at);
  if (all.length <= MAX_REMEMBERED) return all;
  const oldest = all[0]!;
  return oldest === merged || isInWindow(oldest, all.at(-1)!)
    ? null
    : all.slice(1);
}

function isInWindow(a: { at: number }, b: { at: number }): boolean {
  return Math.abs(a.at - b.at) < WINDOW_MS;
}

/** Keys. */
const keys = {
  /** A donation of one address to another in a transaction. */
  donation: (txHash: string, from: string, to: string) => [
    "donations",
    txHash,
    from,
    to,
  ],
  /** Donations of an address and to it that later ones are compared with. */
  donationFlows: (address: string) => ["donation_flows", address],
};

/** A donation of one address to another in one transaction; addresses and hash are lower-case. */
export interface Donation {
  readonly from: string;
  readonly to: string;
  readonly txHash: string;
  /** The time of its block, epoch ms. */
  readonly at: number;
  /** Base units of USDC. */
  readonly amount: bigint;
  /** The part that the giver lost in the whole transaction; the amount if absent. */
  readonly netGiven?: bigint;
  /** The part that the receiver gained in the whole transaction; the amount if absent. */
  readonly netReceived?: bigint;
}

/** A stored donation. */
type DonationRecord = Pick<Donation, "at" | "amount"> & {
  /** The part that counted when it was recorded, in base units. */
  readonly counted: bigint;
};

/** Result of recording. `used`: it was recorded before. `unclaimed`: the giver has no profile. */
type RecordResult =
  | { readonly kind: "recorded"; readonly donation: DonationRecord }
  | { readonly kind: "used"; readonly donation: DonationRecord }
  | { readonly kind: "unclaimed" };

/** Store of donations. */
export function donationStore(kv: Deno.Kv) {
  return {
    /** Finds the donations of an address and to it that later ones are compared with. */
    async findFlows(address: string): Promise<DonationFlows> {
      const { value } = await kv.get<DonationFlows>(
        keys.donationFlows(address),
      );
      return value ?? NO_FLOWS;
    },

    /** Records a donation once, and updates the counted sums of the giver and the receiver. */
    record(
      donation: Donation,
      cause: { at: number; requestId: string | null },
    ): Promise<RecordResult> {
      const { from, to, txHash, at, amount } = donation;
      const isOwn = from === to;
      const { netGiven = amount, netReceived = amount } = donation;
      const given = isOwn ? 0n : netGiven;
      const received = isOwn ? 0n : netReceived;
      const key = profileKey(from);
      return checkAndSet<StoredProfile, RecordResult>(
        kv,
        key,
        async ({ value: giver }) => {
          if (!isClaimed(giver)) return { value: { kind: "unclaimed" } };
          const [used, taker, outOf, into] = await kv.getMany<
            [DonationRecord, StoredProfile, DonationFlows, DonationFlows]
          >([
            keys.donation(txHash, from, to),
            profileKey(to),
            keys.donationFlows(from),
            keys.donationFlows(to),
          ]);
          if (used.value) {
            return {
              value: { kind: "used", donation: used.value },
            };
          }
          const gift = give(outOf.value ?? NO_FLOWS, {
            at,
            to,
            amount: given,
          });
          const receipt = receive(into.value ?? NO_FLOWS, {
            at,
            amount: received,
          });
          const { counted } = gift;
          const record: DonationRecord = { at, amount, counted };
          return {
            value: { kind: "recorded", donation: record },
            write(atomic) {
              atomic.check(used).set(used.key, record);
              if (given > 0n || received > 0n) {
                atomic.check(taker, outOf, into)
                  .set(outOf.key, gift.flows).set(into.key, receipt.flows);
              }
              if (receipt.counted < 0n && taker.value !== null) {
                const donated = taker.value.donated + receipt.counted;
                atomic.set(
                  taker.key,
                  { ...taker.value, donated } satisfies StoredProfile,
                );
              }
              return withAudit(atomic, from, {
                ...cause,
                event: "donation",
                to,
                txHash,
                amount: String(amount),
                counted: String(counted),
              }).set(
                key,
                {
                  ...giver,
                  donated: giver.donated + counted,
                  selfDonated: giver.selfDonated || isOwn,
                } satisfies StoredProfile,
              );
            },
          };
        },
      );
    },
  };
}

/** Store of donations. */
export type DonationStore = ReturnType<typeof donationStore>;

const donation: Rule<DonationRecord> = {
  name: "donation",
  of: keys.donation(ANY, ANY, ANY),
  invariant:
    "the counted part of a donation is at most its amount, and the profile of a wallet that gave to itself says so",
  async holds({ key, value: { amount, counted } }, { find }) {
    const [from, to] = [textAt(key, 2), textAt(key, 3)];
    const giver = await find<StoredProfile>(profileKey(from));
    if (counted < 0n || counted > amount) return false;
    // Nothing remains of a deleted profile whose donations no longer count.
    return from === to
      ? giver?.selfDonated === true && counted === 0n
      : (giver?.donated ?? 0n) >= 0n;
  },
};

const flows: Rule<DonationFlows> = {
  name: "donation-flows",
  of: keys.donationFlows(ANY),
  invariant:
    "remembered donations are positive and sorted by time, and what they count is in the profile",
  async holds({ key, value: { given, received } }, { find }) {
    const profile = await find<StoredProfile>(profileKey(textAt(key, 1)));
    const counted = given.reduce((sum, { amount }) => sum + amount, 0n);
    return counted <= (profile?.donated ?? 0n) &&
      [given, received].every((entries) =>
        entries.length <= MAX_REMEMBERED &&
        entries.every(({ at, amount }, nth) =>
          amount > 0n && at >= (entries[nth - 1]?.at ?? at)
        )
      );
  },
};

/** The collections and the rules. */
export const DONATION_RECORDS: StoredRecords = {
  collections: { donation_flows: {}, donations: {} },
  rules: [donation, flows],
};
