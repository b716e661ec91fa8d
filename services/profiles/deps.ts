/** Dependencies of the profiles capability. */
import type { AccountsDeps } from "../accounts/deps.ts";
import type { Origins } from "./donation_credit.ts";
import type { donationStore } from "./donations_store.ts";
import type { pendingWeightUpdateStore } from "./follows/graph_store.ts";
import type { followerLookupStore } from "./follows/follower_lookups_store.ts";
import type { followStore } from "./follows/follows_store.ts";
import type { profileImportStore } from "./profile_imports_store.ts";
import type { profileStore } from "./profiles_store.ts";
import type { NameNode } from "./avax_names_client.ts";
import type { ProofChain } from "./human_proofs_client.ts";
import type { humanProofStore } from "./human_proofs_store.ts";
import type { DomainNames } from "./socials/dns_client.ts";
import type { GitHub } from "./socials/github_client.ts";
import type { socialProofStore } from "./socials/social_proofs_store.ts";
import type { humanStore } from "./verified_humans_store.ts";

/** Stores of profiles. */
export interface ProfilesStores {
  readonly donations: ReturnType<typeof donationStore>;
  readonly pendingWeightUpdates: ReturnType<typeof pendingWeightUpdateStore>;
  readonly followerLookups: ReturnType<typeof followerLookupStore>;
  readonly follows: ReturnType<typeof followStore>;
  readonly humanProofs: ReturnType<typeof humanProofStore>;
  readonly humans: ReturnType<typeof humanStore>;
  readonly profileImports: ReturnType<typeof profileImportStore>;
  readonly profiles: ReturnType<typeof profileStore>;
  readonly socialProofs: ReturnType<typeof socialProofStore>;
}

/** Dependencies of profiles. */
export interface ProfilesDeps extends AccountsDeps {
  /** Returns when an address sent its first transaction, epoch ms, from its stored signals; null if none are stored. */
  readonly findFirstTxAt: (address: string) => Promise<number | null>;
  /** Returns who funded addresses first, and where they sent all they had, from their stored signals. */
  readonly findOrigins: (addresses: readonly string[]) => Promise<Origins[]>;
  readonly store: AccountsDeps["store"] & ProfilesStores;
  readonly upstream: AccountsDeps["upstream"] & {
    readonly domains: DomainNames;
    readonly proofChains: readonly ProofChain[];
    /** Nodes that must all agree on the address of a name; none if names are not read. */
    readonly names: readonly NameNode[];
    /** Null if GitHub linking is disabled. */
    readonly github: GitHub | null;
  };
}
