/** Which linked accounts earned a Verified Human number. An account earns one number, ever. */
import type { SocialKind } from "../model/score_terms_schema.ts";
import type { VerifiedSocial } from "./profile.ts";
import { namesOf } from "./socials/social_names.ts";

/** Returns the key of the number that rests on a linked account, by the account's id or its handle. */
export const humanEvidenceKey = (
  kind: string,
  name: string,
) => ["human_evidence", kind, name];

/** The number that rests on an account, stored under each of its names. */
export interface HumanEvidence {
  readonly number: number;
  /** Lasting id of the account; null if unknown. */
  readonly id: string | null;
}

type EvidenceEntry = Deno.KvEntryMaybe<HumanEvidence>;

/** Linked accounts, and the stored evidence under their names. */
interface ReadEvidence {
  /** Kinds of the accounts that another number rests on. */
  readonly spent: readonly SocialKind[];
  /** Checks in a transaction that the evidence is unchanged. */
  readonly check: (atomic: Deno.AtomicOperation) => void;
  /** Records that a number rests on the accounts that are not spent. */
  readonly record: (atomic: Deno.AtomicOperation, number: number) => void;
}

/** Reads which of a profile's accounts are evidence for another number than its own. */
export async function readEvidence(
  kv: Deno.Kv,
  { socials, verifiedHuman }: {
    readonly socials: readonly VerifiedSocial[];
    readonly verifiedHuman: number | null;
  },
): Promise<ReadEvidence> {
  const accounts = await Promise.all(socials.map(async (social) => {
    const { id, handle } = namesOf(social);
    const names = id === null ? [handle] : [id, handle];
    const entries = await kv.getMany<HumanEvidence[]>(
      names.map((name) => humanEvidenceKey(social.kind, name)),
    );
    const isSpent = entries.some(({ value }) =>
      value !== null && value.number !== verifiedHuman &&
      isSameAccount(value, social)
    );
    return { social, entries, isSpent };
  }));
  return {
    spent: accounts.filter(({ isSpent }) => isSpent)
      .map(({ social: { kind } }) => kind),
    check(atomic) {
      for (const { entries } of accounts) {
        for (const entry of entries) atomic.check(entry);
      }
    },
    record(atomic, number) {
      for (const { social: { id }, entries, isSpent } of accounts) {
        if (isSpent) continue;
        const evidence: HumanEvidence = { number, id };
        for (const { key } of entries as EvidenceEntry[]) {
          atomic.set(key, evidence);
        }
      }
    },
  };
}

/** A handle can pass to another account, so if both ids are known, they decide. */
function isSameAccount(evidence: HumanEvidence, { id }: VerifiedSocial) {
  return evidence.id === null || id === null || evidence.id === id;
}
