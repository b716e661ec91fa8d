/** Granting of Verified Human numbers. */
import type { ProfilesDeps } from "./deps.ts";
import { isClaimed, type Profile, type StoredProfile } from "./profile.ts";
import { hasEvidence } from "./human_evidence.ts";
import { isNumberDue } from "./verified_human.ts";

/**
 * Grants a number if the profile meets the conditions, and returns the resulting
 * profile. Otherwise nothing is read or written.
 */
export async function grantIfDue(
  { now, store }: Pick<ProfilesDeps, "now" | "store">,
  address: string,
  { profile, firstTxAt, requestId = null }: {
    readonly profile: StoredProfile | null;
    readonly firstTxAt: number | null;
    readonly requestId?: string | null;
  },
): Promise<StoredProfile | null> {
  const at = now().getTime();
  if (!isNumberDue(profile, { firstTxAt, now: at })) return profile;
  return await store.humans.grantByEvidence(address, { at, requestId });
}

/** Grants a number based on stored signals. They are read only if the linked accounts suffice. */
export async function grantByStoredSignals(
  deps: Pick<ProfilesDeps, "findFirstTxAt" | "now" | "store">,
  address: string,
  { profile, requestId }: {
    readonly profile: Profile;
    readonly requestId: string;
  },
): Promise<Profile> {
  if (profile.verifiedHuman !== null || !hasEvidence(profile)) return profile;
  const firstTxAt = await deps.findFirstTxAt(address);
  const found = await grantIfDue(deps, address, {
    profile,
    firstTxAt,
    requestId,
  });
  return isClaimed(found) ? found : profile;
}
