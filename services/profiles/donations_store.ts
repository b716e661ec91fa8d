/** Store of donations: each transfer is recorded once. */
import { countDonation, type CountedDonation } from "./donation_credit.ts";
import type { Profile } from "./profile.ts";
import { withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";

/** A donation of one address to another in one transaction; addresses and hash are lower-case. */
export interface Donation {
  readonly from: string;
  readonly to: string;
  readonly txHash: string;
  /** The time of its block, epoch ms. */
  readonly at: number;
  /** Base units of USDC. */
  readonly amount: bigint;
}

/** A stored donation. */
export type DonationRecord = Pick<Donation, "at" | "amount"> & {
  /** The counted part, in base units. */
  readonly counted: bigint;
};

/** Result of recording. `used`: it was recorded before. `unclaimed`: the giver has no profile. */
export type RecordResult =
  | { readonly kind: "recorded"; readonly donation: DonationRecord }
  | { readonly kind: "used"; readonly donation: DonationRecord }
  | { readonly kind: "unclaimed" };

/** Maximum number of counted donations kept per pair of addresses; the oldest are dropped. */
export const MAX_REMEMBERED = 500;

/** Store of donations. */
export function donationStore(kv: Deno.Kv) {
  return {
    /** Records a donation once and adds its counted part to the giver's profile. */
    record(
      donation: Donation,
      cause: { at: number; requestId: string | null },
    ): Promise<RecordResult> {
      const { from, to, txHash, at, amount } = donation;
      const key = keys.profile(from);
      return checkAndSet<Profile, RecordResult>(
        kv,
        key,
        async ({ value: giver }) => {
          if (giver === null) return { value: { kind: "unclaimed" } };
          const [used, pair] = await kv.getMany<
            [DonationRecord, readonly CountedDonation[]]
          >([
            keys.donation(txHash, from, to),
            keys.donationPair(...[from, to].toSorted() as [string, string]),
          ]);
          if (used.value) {
            return {
              value: { kind: "used", donation: used.value },
            };
          }
          const isOwn = from === to;
          const before = pair.value ?? [];
          const counted = isOwn ? 0n : countDonation({ at, amount }, before);
          const record: DonationRecord = { at, amount, counted };
          return {
            value: { kind: "recorded", donation: record },
            write(atomic) {
              atomic.check(used, pair).set(used.key, record);
              if (counted > 0n) {
                const after = [...before, { at, amount: counted }]
                  .toSorted((a, b) => a.at - b.at).slice(-MAX_REMEMBERED);
                atomic.set(pair.key, after);
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
                } satisfies Profile,
              );
            },
          };
        },
      );
    },
  };
}
