/** The conditions for a Verified Human number. */
import { DAY_MS } from "../platform/days.ts";
import type { Profile } from "./profile.ts";

/** Required kinds of verified accounts, and required age of the wallet. */
const MIN_KINDS = 2;
const MIN_AGE_MS = 90 * DAY_MS;

/** Returns whether a profile without a number meets the conditions at an instant; times in epoch ms. */
export function isNumberDue(
  profile: Profile | null,
  { firstTxAt, now }: {
    readonly firstTxAt: number | null;
    readonly now: number;
  },
): profile is Profile {
  if (profile === null || profile.verifiedHuman !== null) return false;
  return hasKinds(profile) && firstTxAt !== null &&
    now - firstTxAt >= MIN_AGE_MS;
}

/** Returns whether a profile has verified accounts of enough kinds. */
export function hasKinds({ socials }: Profile): boolean {
  return new Set(socials.map(({ kind }) => kind)).size >= MIN_KINDS;
}
