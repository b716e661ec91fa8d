/** Verified Human numbers: the conditions, and granting. */
import type { Clock } from "../platform/clock.ts";
import {
  evidenceFor,
  isClaimed,
  type Profile,
  type StoredProfile,
} from "./profile.ts";
import { type ProofRecord, proofSignalsOf } from "./human_proofs.ts";
import type { HumanProofStore } from "./human_proofs_store.ts";
import type { HumanStore } from "./verified_humans_store.ts";
import { DAY_MS } from "../platform/days.ts";
import type { ProofSignal } from "../model/signals.ts";
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

/** What granting a number needs. */
interface GrantDeps extends Clock {
  readonly store: { readonly humans: Pick<HumanStore, "grantByEvidence"> };
}

/**
 * Grants a number if the profile meets the conditions, and returns the resulting
 * profile. Otherwise nothing is read or written.
 */
export async function grantIfDue(
  { now, store }: GrantDeps,
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
  deps: GrantDeps & {
    readonly findFirstTxAt: (address: string) => Promise<number | null>;
    readonly store: { readonly humanProofs: Pick<HumanProofStore, "find"> };
  },
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
