/** Granting of Verified Human numbers. */
import type { ProfilesDeps } from "./deps.ts";
import { isClaimed, type Profile, type StoredProfile } from "./profile.ts";
import { evidenceFor } from "./human_evidence.ts";
import { type ProofRecord, proofSignalsOf } from "./proofs/human_proofs.ts";
import { isNumberDue } from "./verified_human.ts";

/**
 * Grants a number if the profile meets the conditions, and returns the resulting
 * profile. Otherwise nothing is read or written.
 */
export async function grantIfDue(
  { now, store }: Pick<ProfilesDeps, "now" | "store">,
  address: string,
  { profile, proofs: record, firstTxAt, requestId = null }: {
    readonly profile: StoredProfile | null;
    readonly proofs: ProofRecord | null;
    readonly firstTxAt: number | null;
    readonly requestId?: string | null;
  },
): Promise<StoredProfile | null> {
  const at = now().getTime();
  const proofs = proofSignalsOf(record);
  if (!isNumberDue(profile, { firstTxAt, now: at, proofs })) return profile;
  return await store.humans.grantByEvidence(address, { at, requestId });
}

/** Grants a number based on stored signals. They are read only if the evidence suffices. */
export async function grantByStoredSignals(
  deps: Pick<ProfilesDeps, "findFirstTxAt" | "now" | "store">,
  address: string,
  { profile, requestId }: {
    readonly profile: Profile;
    readonly requestId: string;
  },
): Promise<Profile> {
  if (profile.verifiedHuman !== null) return profile;
  const proofs = await deps.store.humanProofs.find(address);
  const evidence = evidenceFor(profile, {
    proofs: proofSignalsOf(proofs),
    now: deps.now().getTime(),
  });
  if (evidence === null) return profile;
  const firstTxAt = await deps.findFirstTxAt(address);
  const found = await grantIfDue(deps, address, {
    profile,
    proofs,
    firstTxAt,
    requestId,
  });
  return isClaimed(found) ? found : profile;
}
