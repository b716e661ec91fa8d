/** Profiles, and the score signals they give. */
import type { SocialKind } from "../model/score_terms_schema.ts";
import type { Entitlements } from "../payments/billing.ts";
import { doesEvidenceStand, type NumberEvidence } from "./human_evidence.ts";
import {
  type AccountFacts,
  NO_PROFILE,
  type ProfileSignals,
  type ProofSignal,
} from "../model/signals.ts";

/** A verified account at another service. */
export interface VerifiedSocial {
  readonly kind: SocialKind;
  /** Lasting id of the account, which survives a change of handle; null if unknown. */
  readonly id: string | null;
  /** Normalized by `normalizeHandle`. */
  readonly handle: string;
  /** Epoch ms. */
  readonly verifiedAt: number;
  /**
   * Facts that the other service gave about the account when it was linked;
   * null or absent if none.
   */
  readonly account?: AccountFacts | null;
}

/** A claimed profile. It is one record, so a score reads one key. */
export interface Profile {
  readonly displayName: string | null;
  readonly slug: string | null;
  /** Whether handles are public. */
  readonly linksPublic: boolean;
  /** Epoch ms. */
  readonly claimedAt: number;
  /** At most one per kind. */
  readonly socials: readonly VerifiedSocial[];
  /** Kinds of the linked accounts that earned another profile its number. */
  readonly spentKinds: readonly SocialKind[];
  /** Permanent number, never revoked. */
  readonly verifiedHuman: number | null;
  /** What the number was given for; absent without a number, and from an earlier one. */
  readonly numberEvidence?: NumberEvidence;
  /** Imported months of membership. Months bought here are in the entitlements. */
  readonly premiumMonths: number;
  /** Whether an imported slug was paid for. */
  readonly paidSlug: boolean;
  /** That slug; absent if it is not known. */
  readonly boughtSlug?: string;
  /** Counted donations to others, in base units of USDC. See `donation_credit.ts`. */
  readonly donated: bigint;
  readonly selfDonated: boolean;
  /** When the operator hid its names and links, epoch ms; absent if they are shown. */
  readonly hiddenAt?: number;
}

/**
 * What remains of a deleted profile, in the record of the profile: the Verified Human
 * number and what was paid, which are facts of the ledger.
 */
type Remains =
  & { readonly claimedAt: null }
  & Pick<
    Profile,
    | "verifiedHuman"
    | "numberEvidence"
    | "premiumMonths"
    | "paidSlug"
    | "boughtSlug"
    | "donated"
    | "selfDonated"
    | "hiddenAt"
  >;

/** A profile, or what remains of a deleted one. */
export type StoredProfile = Profile | Remains;

/** Returns whether a stored profile is claimed. */
export function isClaimed(stored: StoredProfile | null): stored is Profile {
  return stored !== null && stored.claimedAt !== null;
}

/** Returns what remains of a profile that is deleted; null if it has no such facts. */
export function remainsOf(profile: Profile): Remains | null {
  const { verifiedHuman, premiumMonths, paidSlug, donated, selfDonated } =
    profile;
  const { boughtSlug, hiddenAt, numberEvidence } = profile;
  const isEmpty = verifiedHuman === null && premiumMonths === 0 && !paidSlug &&
    donated === 0n && !selfDonated && hiddenAt === undefined;
  return isEmpty ? null : {
    claimedAt: null,
    verifiedHuman,
    premiumMonths,
    paidSlug,
    donated,
    selfDonated,
    ...numberEvidence === undefined ? {} : { numberEvidence },
    ...boughtSlug === undefined ? {} : { boughtSlug },
    ...hiddenAt === undefined ? {} : { hiddenAt },
  };
}

/** Returns a newly claimed profile with what remains of the previous one. */
export function withRemains(
  profile: Profile,
  { claimedAt: _, ...remains }: Remains,
): Profile {
  return {
    ...profile,
    ...remains,
    premiumMonths: Math.max(profile.premiumMonths, remains.premiumMonths),
    paidSlug: profile.paidSlug || remains.paidSlug,
    donated: profile.donated + remains.donated,
    selfDonated: profile.selfDonated || remains.selfDonated,
  };
}

/** Returns a profile as others see it: without names and links if it is hidden. */
export function shownProfile(profile: Profile): Profile {
  return profile.hiddenAt === undefined
    ? profile
    : { ...profile, displayName: null, slug: null, socials: [] };
}

/** The entitlements that a profile's signals use. */
export type ProfilePurchases = Pick<Entitlements, "premiumMonths" | "slugs">;

/** Returns an empty profile claimed at an instant, epoch ms. */
export function newProfile(claimedAt: number): Profile {
  return {
    displayName: null,
    slug: null,
    linksPublic: false,
    claimedAt,
    socials: [],
    spentKinds: [],
    verifiedHuman: null,
    premiumMonths: 0,
    paidSlug: false,
    donated: 0n,
    selfDonated: false,
  };
}

/**
 * Returns the score signals of a profile, and the proofs of its wallet, at `now`, epoch
 * ms. A deleted one only keeps its number. Purchases count only with a profile. A paid
 * slug still counts after the slug was changed.
 */
export function signalsOf(
  profile: StoredProfile | null,
  purchases: ProfilePurchases | null,
  { proofs, now }: {
    readonly proofs: readonly ProofSignal[];
    readonly now: number;
  },
): ProfileSignals {
  if (!isClaimed(profile)) {
    const verifiedHuman = profile?.verifiedHuman ?? null;
    return verifiedHuman === null && proofs.length === 0
      ? NO_PROFILE
      : { ...NO_PROFILE, proofs, verifiedHuman };
  }
  const { socials, donated, selfDonated, verifiedHuman } = profile;
  return {
    claimed: true,
    socials: socials.map(({ kind, verifiedAt, account }) => ({
      kind,
      verifiedAt,
      ...(account ? { account } : {}),
    })),
    proofs,
    premiumMonths: profile.premiumMonths + (purchases?.premiumMonths ?? 0),
    paidSlug: profile.paidSlug || (purchases?.slugs.length ?? 0) > 0,
    donatedUsdc: Number(donated) / 1e6,
    selfDonated,
    verifiedHuman,
    isHumanNow: verifiedHuman !== null &&
      doesEvidenceStand(profile, { proofs, now }),
  };
}

/** Returns whether the current slug of a profile was paid for. */
export function isSlugPaid(
  { slug, boughtSlug }: Profile,
  purchases: ProfilePurchases | null,
): boolean {
  return slug !== null &&
    (slug === boughtSlug || purchases?.slugs.includes(slug) === true);
}
