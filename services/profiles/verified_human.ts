/** Who gets a Verified Human number. */
import { DAY_MS } from "../platform/days.ts";
import type { Profile } from "./profile.ts";

/** Kinds of verified socials that are needed, and the age of the wallet. */
const LEAST_KINDS = 2;
const LEAST_AGE_MS = 90 * DAY_MS;

/** Returns whether enough speaks for a person at an instant, and they have no number yet; times in epoch ms. */
export function isNumberDue(
  profile: Profile | null,
  { firstTxAt, now }: {
    readonly firstTxAt: number | null;
    readonly now: number;
  },
): profile is Profile {
  if (profile === null || profile.verifiedHuman !== null) return false;
  return hasKinds(profile) && firstTxAt !== null &&
    now - firstTxAt >= LEAST_AGE_MS;
}

/** Returns whether a profile has verified socials of enough kinds. */
export function hasKinds({ socials }: Profile): boolean {
  return new Set(socials.map(({ kind }) => kind)).size >= LEAST_KINDS;
}
