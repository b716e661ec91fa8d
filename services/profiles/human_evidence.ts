/** Which evidence a Verified Human number needs, and which one a given number rests on. */
import {
  type NumberEvidenceShown,
  PROOF_KINDS,
  type ProofKind,
} from "../model/human_proofs_schema.ts";
import type { AccountFacts, ProofSignal } from "../model/signals.ts";
import type { SocialKind } from "../model/score_terms_schema.ts";
import { DAY_MS } from "../platform/days.ts";

/** What a number was given for; absent from profiles with an earlier number. */
export interface NumberEvidence {
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

/** A linked account. */
interface Account {
  readonly kind: SocialKind;
  /** Epoch ms. */
  readonly verifiedAt: number;
  readonly account?: AccountFacts | null;
}

/** Linked accounts, and the kinds of those that earned another number. */
interface Accounts {
  readonly socials: readonly Account[];
  readonly spentKinds: readonly SocialKind[];
}

/** A number, and what it was given for. */
interface Numbered {
  readonly verifiedHuman: number | null;
  readonly numberEvidence?: NumberEvidence;
}

/** Without a proof, so many accounts of different kinds, each old and used. */
const MIN_ACCOUNTS = 3;
/** A GitHub account: age, and public repositories and followers. */
const GITHUB = { ageMs: 730 * DAY_MS, publicWork: 10 };
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
export function doesEvidenceStand(
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
  { kind, verifiedAt, account }: Account,
  now: number,
): boolean {
  if (NEVER.includes(kind)) return false;
  if (kind !== "github") return now - verifiedAt >= LINKED_MS;
  return !!account && now - account.createdAt >= GITHUB.ageMs &&
    account.publicWork >= GITHUB.publicWork;
}
