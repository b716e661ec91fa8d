/** Verified Human numbers: given where they are due. */
import type { ProfilesDeps } from "./deps.ts";
import type { Profile } from "./profile.ts";
import { hasKinds, isNumberDue } from "./verified_human.ts";

/**
 * Gives a profile its number where enough speaks for a person, and returns the
 * profile as it then is; in every other case it costs nothing.
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

/** The same by stored signals, which are read only where the profile has what it takes. */
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
