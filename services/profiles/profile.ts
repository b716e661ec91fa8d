/** A profile: what the service itself knows of an address. */
import type { SocialKind } from "../scores/model/score_terms_schema.ts";
import type { Entitlements } from "../payments/billing.ts";
import { NO_PROFILE, type ProfileSignals } from "../scores/model/signals.ts";

/** An account elsewhere that was shown to be the owner's. */
export interface VerifiedSocial {
  readonly kind: SocialKind;
  /** What stays when the handle changes; null where nobody told. */
  readonly id: string | null;
  /** In the one form that `normalizeHandle` gives. */
  readonly handle: string;
  /** Epoch ms. */
  readonly verifiedAt: number;
}

/** A claimed profile, under one key: a score needs no more of it. */
export interface Profile {
  readonly displayName: string | null;
  readonly slug: string | null;
  /** Whether anybody may see the handles. */
  readonly linksPublic: boolean;
  /** Epoch ms. */
  readonly claimedAt: number;
  /** At most one of a kind. */
  readonly socials: readonly VerifiedSocial[];
  /** The permanent number: given once, never taken back. */
  readonly verifiedHuman: number | null;
  /** Months of membership from before this service; those paid here are in the plan's record. */
  readonly premiumMonths: number;
  /** Whether a name was paid for before this service. */
  readonly paidSlug: boolean;
  /** Donations to others as far as they count, in base units of USDC. */
  readonly donated: bigint;
  readonly selfDonated: boolean;
}

/** What a wallet paid for that its profile gains from. */
export type ProfilePurchases = Pick<Entitlements, "premiumMonths" | "slugs">;

/** A profile at the moment of its claim. */
export function newProfile(claimedAt: number): Profile {
  return {
    displayName: null,
    slug: null,
    linksPublic: false,
    claimedAt,
    socials: [],
    verifiedHuman: null,
    premiumMonths: 0,
    paidSlug: false,
    donated: 0n,
    selfDonated: false,
  };
}

/**
 * Returns what a profile says of its address to the model. What was paid counts
 * once there is a profile; a name that was paid for stays paid when it changes.
 */
export function signalsOf(
  profile: Profile | null,
  purchases: ProfilePurchases | null,
): ProfileSignals {
  if (profile === null) return NO_PROFILE;
  const { socials, donated, selfDonated, verifiedHuman } = profile;
  return {
    claimed: true,
    socials: socials.map(({ kind, verifiedAt }) => ({ kind, verifiedAt })),
    premiumMonths: profile.premiumMonths + (purchases?.premiumMonths ?? 0),
    paidSlug: profile.paidSlug || (purchases?.slugs.length ?? 0) > 0,
    donatedUsdc: Number(donated) / 1e6,
    selfDonated,
    verifiedHuman,
  };
}

/** Returns whether the name that a profile has now is one that was paid for. */
export function isSlugPaid(
  { slug, paidSlug }: Profile,
  purchases: ProfilePurchases | null,
): boolean {
  return slug !== null &&
    (paidSlug || purchases?.slugs.includes(slug) === true);
}
