/** The conditions for a Verified Human number. */
import { DAY_MS } from "../platform/days.ts";
import type { ProofSignal } from "../model/signals.ts";
import { evidenceFor } from "./human_evidence.ts";
import { isClaimed, type Profile, type StoredProfile } from "./profile.ts";
import { HUMAN_CONDITIONS, type HumanCondition } from "./profiles_schema.ts";

/** Required age of the wallet. */
const MIN_AGE_MS = 90 * DAY_MS;

/** What the conditions look at; times in epoch ms. */
interface WalletHistory {
  /** Null if no transaction is known. */
  readonly firstTxAt: number | null;
  readonly now: number;
  /** Proofs of a unique human on other chains. */
  readonly proofs: readonly ProofSignal[];
}

/** Returns whether a profile without a number meets the conditions at an instant. */
export function isNumberDue(
  profile: StoredProfile | null,
  history: WalletHistory,
): profile is Profile {
  return isClaimed(profile) && profile.verifiedHuman === null &&
    missingConditions(profile, history).length === 0;
}

/** Lists the conditions that a wallet does not meet; none with a number. */
export function missingConditions(
  profile: Profile | null,
  { firstTxAt, now, proofs }: WalletHistory,
): HumanCondition[] {
  if (profile !== null && profile.verifiedHuman !== null) return [];
  const isMet: Readonly<Record<HumanCondition, boolean>> = {
    profile: profile !== null,
    evidence: profile !== null &&
      evidenceFor(profile, { proofs, now }) !== null,
    walletHistory: firstTxAt !== null && now - firstTxAt >= MIN_AGE_MS,
  };
  return HUMAN_CONDITIONS.filter((condition) => !isMet[condition]);
}
