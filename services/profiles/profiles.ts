/** Reading, saving, exporting and deleting profiles. */
import type {
  DeletedProfile,
  OwnProfile,
  ProfileBody,
  ProfileExport,
  PublicProfile,
} from "./profiles_schema.ts";
import type { SocialKind } from "../model/score_terms_schema.ts";
import type { AccountsDeps } from "../accounts/deps.ts";
import type { DonationDeps } from "./donations.ts";
import type { DonationStore } from "./donations_store.ts";
import type {
  followerLookupStore,
  pendingWeightUpdateStore,
} from "./follows/pending_follows_store.ts";
import type { followStore } from "./follows/follows_store.ts";
import type { profileImportStore, ProfileStore } from "./profiles_store.ts";
import type { NameNode } from "./avax_names_client.ts";
import type { ProofChain } from "./human_proofs_client.ts";
import type { HumanProofStore } from "./human_proofs_store.ts";
import type { DomainNames } from "./dns_client.ts";
import type { GitHub } from "./github_client.ts";
import type { socialProofStore } from "./social_proofs_store.ts";
import type { HumanStore } from "./verified_humans_store.ts";
import { readAddress } from "../platform/address_schema.ts";
import { Fault, invalidParameter } from "../platform/fault.ts";
import { instant } from "../platform/clock.ts";
import { formatUsdc } from "../payments/plans_schema.ts";
import {
  isSlugPaid,
  newProfile,
  type Profile,
  type ProfilePurchases,
  showEvidence,
  shownProfile,
  signalsOf,
} from "./profile.ts";
import { checkName, checkSlug, resembledName, slugProblem } from "./names.ts";
import type { GraphRecord } from "./follows/follow_edges.ts";
import { proofSignalsOf } from "./human_proofs.ts";
import { missingConditions } from "./verified_humans.ts";
import { reweighFollower } from "./follows/follows.ts";

/** Stores of profiles. */
export interface ProfilesStores {
  readonly donations: DonationStore;
  readonly pendingWeightUpdates: ReturnType<typeof pendingWeightUpdateStore>;
  readonly followerLookups: ReturnType<typeof followerLookupStore>;
  readonly follows: ReturnType<typeof followStore>;
  readonly humanProofs: HumanProofStore;
  readonly humans: HumanStore;
  readonly profileImports: ReturnType<typeof profileImportStore>;
  readonly profiles: ProfileStore;
  readonly socialProofs: ReturnType<typeof socialProofStore>;
}

/** Dependencies of profiles. */
export interface ProfilesDeps extends AccountsDeps {
  /** Returns when an address sent its first transaction, epoch ms, from its stored signals; null if none are stored. */
  readonly findFirstTxAt: (address: string) => Promise<number | null>;
  readonly findOrigins: DonationDeps["findOrigins"];
  readonly store: AccountsDeps["store"] & ProfilesStores;
  readonly upstream: AccountsDeps["upstream"] & {
    readonly domains: DomainNames;
    readonly proofChains: readonly ProofChain[];
    readonly names: readonly NameNode[];
    /** Null if GitHub linking is disabled. */
    readonly github: GitHub | null;
  };
}

type ProfileDeps = Pick<ProfilesDeps, "findFirstTxAt" | "now" | "store">;

/** Kinds whose handles are never public. */
const NEVER_SHOWN: readonly SocialKind[] = ["email"];

/** Reads a profile for its owner. An unclaimed one is answered with empty fields. */
export async function readOwnProfile(
  { findFirstTxAt, now, store }: ProfileDeps,
  wallet: string,
): Promise<OwnProfile> {
  const [profile, purchases, counts, firstTxAt, record] = await Promise.all([
    store.profiles.find(wallet),
    store.plans.find(wallet),
    store.follows.find(wallet),
    findFirstTxAt(wallet),
    store.humanProofs.find(wallet),
  ]);
  const at = now().getTime();
  const proofs = proofSignalsOf(record);
  const held = profile ?? newProfile(at);
  return {
    ...await showCommon(wallet, held, { purchases, counts }),
    claimedAt: profile && instant(profile.claimedAt),
    linksPublic: held.linksPublic,
    socials: held.socials.map(({ kind, handle, verifiedAt }) => ({
      kind,
      handle,
      verifiedAt: instant(verifiedAt),
    })),
    premiumMonths: signalsOf(held, purchases, { proofs, now: at })
      .premiumMonths,
    verifiedHumanMissing: missingConditions(profile, {
      firstTxAt,
      now: at,
      proofs,
    }),
  };
}

/** Reads the public profile of an address or a slug; throws a fault if it is not claimed. */
export async function readPublicProfile(
  deps: Pick<ProfilesDeps, "store">,
  addressOrSlug: string,
): Promise<PublicProfile> {
  const found = await findPublicProfile(deps, addressOrSlug);
  if (found === null) throw unknownProfile();
  return found;
}

/** Finds what others see of a profile; null for an address that nobody claimed. Throws a fault for a slug that nobody has. */
export async function findPublicProfile(
  { store }: Pick<ProfilesDeps, "store">,
  addressOrSlug: string,
): Promise<PublicProfile | null> {
  const found = await findProfile(store, addressOrSlug);
  if (found === null) {
    if ("address" in readAddress(addressOrSlug)) return null;
    throw unknownProfile();
  }
  const { address } = found;
  const profile = shownProfile(found.profile);
  const [purchases, counts] = await Promise.all([
    store.plans.find(address),
    store.follows.find(address),
  ]);
  return {
    ...await showCommon(address, profile, { purchases, counts }),
    claimedAt: instant(profile.claimedAt),
    socials: profile.socials.map(({ kind, handle, verifiedAt }) => ({
      kind,
      handle: profile.linksPublic && !NEVER_SHOWN.includes(kind)
        ? handle
        : null,
      verifiedAt: instant(verifiedAt),
    })),
  };
}

/** Returns the fault for an address or a slug that is not claimed. */
function unknownProfile(): Fault {
  return new Fault(
    "Cannot find the profile: this address or slug is not claimed",
    { kind: "unknownProfile" },
  );
}

async function findProfile(
  { profiles }: ProfilesDeps["store"],
  addressOrSlug: string,
): Promise<{ address: string; profile: Profile } | null> {
  const read = readAddress(addressOrSlug);
  if (!("address" in read)) {
    // A typing error in an address, and no name.
    if (/0x[0-9a-f]{40}/i.test(addressOrSlug)) {
      throw invalidParameter("addressOrSlug", addressOrSlug, read.expected);
    }
    if (slugProblem(addressOrSlug) !== null) return null;
    const found = await profiles.findBySlug(addressOrSlug);
    // The slug may be what was reported.
    return found?.profile.hiddenAt === undefined ? found : null;
  }
  const { address } = read;
  const profile = await profiles.find(address);
  return profile && { address, profile };
}

/** Saves the owner's fields of a profile, and claims it if it is new. */
export async function saveProfile(
  deps: ProfileDeps,
  wallet: string,
  { displayName, slug, linksPublic, requestId }: ProfileBody & {
    readonly requestId: string;
  },
): Promise<OwnProfile> {
  const at = deps.now().getTime();
  const written = {
    displayName: displayName === null ? null : checkName(displayName),
    slug: slug === null ? null : checkSlug(slug),
    linksPublic,
  };
  const changed = await deps.store.profiles.change(wallet, (held) => ({
    profile: { ...(held ?? newProfile(at)), ...written },
    audit: { at, event: "profile.update", requestId, slug: written.slug },
  }));
  if (changed.kind === "slugTaken") throw slugTaken(slug);
  return await readOwnProfile(deps, wallet);
}

/** Returns the fault for a slug that is taken. */
export function slugTaken(slug: string | null): Fault {
  return new Fault(
    `Cannot take slug "${slug}": another profile has this slug or one that looks like it`,
    { kind: "slugTaken" },
  );
}

async function showCommon(
  address: string,
  profile: Profile,
  { purchases, counts }: {
    readonly purchases: ProfilePurchases | null;
    readonly counts: Pick<GraphRecord, "followers" | "following">;
  },
) {
  const { displayName, slug, verifiedHuman, donated } = profile;
  return {
    address,
    displayName,
    resembles: await resembledName(displayName),
    slug,
    paidSlug: isSlugPaid(profile, purchases),
    verifiedHuman,
    verifiedHumanEvidence: showEvidence(profile),
    donatedUsdc: formatUsdc(donated),
    followers: counts.followers,
    following: counts.following,
    hidden: profile.hiddenAt !== undefined,
  };
}

/** Pages of follows that the request of a deletion removes; a job removes the others. */
const PAGES_AT_ONCE = 4;

/** Addresses read at a time. */
const PAGE = 500;

/** Reads the profile of a wallet, its follows, and the donations that later ones are compared with. */
export async function exportProfile(
  deps: Pick<ProfilesDeps, "findFirstTxAt" | "now" | "store">,
  wallet: string,
): Promise<ProfileExport> {
  const { follows, donations } = deps.store;
  const [profile, followers, following, { given, received }] = await Promise
    .all([
      readOwnProfile(deps, wallet),
      readAll((page) => follows.listFollowers(wallet, page), (one) => one),
      readAll(
        (page) => follows.listFollowees(wallet, page),
        ({ address }) => address,
      ),
      donations.findFlows(wallet),
    ]);
  return {
    exportedAt: instant(deps.now().getTime()),
    profile,
    following: following.map(({ address, edge }) => ({
      address,
      since: instant(edge.at),
    })),
    followers,
    donations: {
      given: given.map(({ at, to, amount }) => ({
        at: instant(at),
        to,
        usdc: formatUsdc(amount),
      })),
      received: received.map(({ at, amount }) => ({
        at: instant(at),
        usdc: formatUsdc(amount),
      })),
    },
  };
}

/** Reads all pages of a list. */
async function readAll<Item>(
  readPage: (
    page: { readonly after: string | null; readonly limit: number },
  ) => Promise<Item[]>,
  addressOf: (item: Item) => string,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let after: string | null = null;;) {
    const page: Item[] = await readPage({ after, limit: PAGE });
    for (const item of page) all.push(item);
    if (page.length < PAGE) return all;
    after = addressOf(page.at(-1)!);
  }
}

/**
 * Deletes the profile of a wallet in one transaction. Its follows are removed
 * afterwards, page by page; if that is interrupted, a job goes on. Throws a fault
 * if the wallet has no profile.
 */
export async function deleteProfile(
  deps: Pick<ProfilesDeps, "now" | "store">,
  wallet: string,
  { requestId }: { readonly requestId: string },
): Promise<DeletedProfile> {
  const { follows, pendingWeightUpdates, profiles } = deps.store;
  const at = deps.now().getTime();
  if (!await profiles.delete(wallet, { at, requestId })) throw unknownProfile();
  let pending = await pendingWeightUpdates.find(wallet);
  for (let page = 0; pending !== null && page < PAGES_AT_ONCE; page++) {
    const removed = await removePage(deps, pending);
    pending = removed;
  }
  const { following, isLeaving } = await follows.find(wallet);
  return { address: wallet, remainingFollows: isLeaving ? following : 0 };
}

/** Removes a page of follows. Returns what is left, or null if the job has to go on. */
async function removePage(
  deps: Pick<ProfilesDeps, "store">,
  pending: Parameters<typeof reweighFollower>[1],
): Promise<typeof pending | null> {
  try {
    return (await reweighFollower(deps, pending)).left;
  } catch (error) {
    // The profile is deleted whether or not others change its follows meanwhile.
    if (error instanceof Fault && error.failure.kind === "contended") {
      return null;
    }
    throw error;
  }
}
