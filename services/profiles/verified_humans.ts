/** Granting of Verified Human numbers. */
import type { ProfilesDeps } from "./deps.ts";
import type { Profile } from "./profile.ts";
import { hasKinds, isNumberDue } from "./verified_human.ts";

/**
 * Grants a number if the profile meets the conditions, and returns the resulting
 * profile. Otherwise nothing is read or written.
 */
export async function grantIfDue(
  { now, store }: Pick<ProfilesDeps, "now" | "store">,
  address: string,
  { profile, firstTxAt, requestId = null }: {
    readonly profile: Profile | null;
    readonly firstTxAt: number | null;
    readonly requestId?: string | null;
  },
): Promise<Profile | null> {
  const at = now().getTime();
  if (!isNumberDue(profile, { firstTxAt, now: at })) return profile;
  const verifiedHuman = await store.humans.grant(address, { at, requestId });
  return { ...profile, verifiedHuman };
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
  if (profile.verifiedHuman !== null || !hasKinds(profile)) return profile;
  const firstTxAt = await deps.findFirstTxAt(address);
  const found = await grantIfDue(deps, address, {
    profile,
    firstTxAt,
    requestId,
  });
  return found ?? profile;
}
