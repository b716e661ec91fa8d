/** The conditions for a Verified Human number. */
import { DAY_MS } from "../platform/days.ts";
import { hasEvidence } from "./human_evidence.ts";
import type { Profile } from "./profile.ts";

/** Required age of the wallet. */
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
  return hasEvidence(profile) && firstTxAt !== null &&
    now - firstTxAt >= MIN_AGE_MS;
}
