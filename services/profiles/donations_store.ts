/** Store of donations: each transfer is recorded once. */
import {
  type DonationFlows,
  give,
  MAX_REMEMBERED,
  NO_FLOWS,
  receive,
} from "./donation_credit.ts";
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
