/** Profiles, the score signals they give, and the evidence that a Verified Human number rests on. */
import type { SocialKind } from "../model/score_terms_schema.ts";
import type { Entitlements } from "../payments/billing.ts";
import {
  type AccountFacts,
  NO_PROFILE,
  type ProfileSignals,
  type ProofSignal,
} from "../model/signals.ts";
import {
  type NumberEvidenceShown,
  PROOF_KINDS,
  type ProofKind,
} from "../model/human_proofs_schema.ts";
import { DAY_MS } from "../platform/days.ts";

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
  /** Counted donations to others, in base units of USDC. See `donations_store.ts`. */
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

/** What a number was given for; absent from profiles with an earlier number. */
interface NumberEvidence {
  readonly rule: "uniqueHuman" | "accounts" | "operator";
  /** The proofs or accounts that it rests on. */
  readonly kinds: readonly (ProofKind | SocialKind)[];
  /** Epoch ms. */
  readonly at: number;
}

/** Linked accounts, and proofs on other chains, at an instant. */
interface EvidenceAt {
  readonly proofs: readonly ProofSignal[];
  /** Epoch ms. */
  readonly now: number;
}

/** Linked accounts, and the kinds of those that earned another number. */
type Accounts = Pick<Profile, "socials" | "spentKinds">;

/** A number, and what it was given for. */
type Numbered = Pick<Profile, "verifiedHuman" | "numberEvidence">;

/** Without a proof, so many accounts of different kinds, each old and used. */
const MIN_ACCOUNTS = 3;
/** A GitHub account: age, and public repositories and followers. */
const GITHUB_EVIDENCE = { ageMs: 730 * DAY_MS, publicWork: 10 };
/** Of other accounts only the time is known since they were linked. */
const LINKED_MS = 365 * DAY_MS;
/** Accounts that cost about nothing at any age. */
const NEVER: readonly SocialKind[] = ["email"];
/** Kinds of accounts that an earlier number required, of any age. */
const EARLIER_KINDS = 2;

/**
 * Returns what a new number would rest on: proofs of a unique human, or several linked
 * accounts that are each old and used and earned no other number. Null if neither.
 */
export function evidenceFor(
  profile: Accounts,
  { proofs, now }: EvidenceAt,
): Omit<NumberEvidence, "at"> | null {
  const current = new Set(
    proofs.filter(({ until }) => until > now).map(({ kind }) => kind),
  );
  if (current.size > 0) {
    const kinds = PROOF_KINDS.filter((kind) => current.has(kind));
    return { rule: "uniqueHuman", kinds };
  }
  const kinds = unspentKinds({
    ...profile,
    socials: profile.socials.filter((social) => isOldAndUsed(social, now)),
  });
  return kinds.length >= MIN_ACCOUNTS ? { rule: "accounts", kinds } : null;
}

/**
 * Returns whether the evidence of a number stands now. A number is held to the rule
 * that it was given by.
 */
function doesEvidenceStand(
  profile: Accounts & Numbered,
  at: EvidenceAt,
): boolean {
  const { rule } = profile.numberEvidence ?? { rule: "operator" };
  return evidenceFor(profile, at) !== null ||
    rule === "operator" && unspentKinds(profile).length >= EARLIER_KINDS;
}

/** Returns what a number rests on, as answers show it; null without a number. */
export function showEvidence(
  profile: Numbered & Partial<Accounts> | null,
): NumberEvidenceShown | null {
  if (profile === null || profile.verifiedHuman === null) return null;
  const { numberEvidence: given, socials = [], spentKinds = [] } = profile;
  if (given === undefined) {
    return {
      rule: "earlier",
      kinds: unspentKinds({ socials, spentKinds }),
      since: null,
    };
  }
  const { rule, kinds, at } = given;
  return { rule, kinds: [...kinds], since: new Date(at).toISOString() };
}

function unspentKinds({ socials, spentKinds }: Accounts): SocialKind[] {
  const kinds = new Set(socials.map(({ kind }) => kind));
  return [...kinds.difference(new Set(spentKinds))];
}

function isOldAndUsed(
  { kind, verifiedAt, account }: VerifiedSocial,
  now: number,
): boolean {
  if (NEVER.includes(kind)) return false;
  if (kind !== "github") return now - verifiedAt >= LINKED_MS;
  return !!account && now - account.createdAt >= GITHUB_EVIDENCE.ageMs &&
    account.publicWork >= GITHUB_EVIDENCE.publicWork;
}
