/** Signals from the service's own database: profile, purchases and followers. */
import type { PaymentsStores } from "../../payments/deps.ts";
import type { ProfilesStores } from "../../profiles/deps.ts";
import type {
  ProfilePurchases,
  StoredProfile,
} from "../../profiles/profile.ts";
import {
  type ProofRecord,
  proofSignalsOf,
} from "../../profiles/human_proofs.ts";
import type { GraphSignals, ProofSignal } from "../../model/signals.ts";

/** Signals of an address, from the service's database. */
export interface ServiceSignals {
  /** What remains of a deleted profile counts as none, except for its number. */
  readonly profile: StoredProfile | null;
  readonly purchases: ProfilePurchases | null;
  readonly graph: GraphSignals;
  /** What other chains say about a unique human; null if none was asked. */
  readonly proofs: ProofRecord | null;
  /** The same as signals. */
  readonly proofSignals: readonly ProofSignal[];
}

/** Finds the signals of an address. The number of keys read does not depend on its followers. */
export async function findServiceSignals(
  { store }: {
    readonly store: Pick<
      PaymentsStores & ProfilesStores,
      "follows" | "humanProofs" | "plans" | "profiles"
    >;
  },
  address: string,
): Promise<ServiceSignals> {
  const [profile, purchases, graph, proofs] = await Promise.all([
    store.profiles.findStored(address),
    store.plans.find(address),
    store.follows.findGraph(address),
    store.humanProofs.find(address),
  ]);
  const proofSignals = proofSignalsOf(proofs);
  return { profile, purchases, graph, proofs, proofSignals };
}
