/** What the public page of a profile shows: its fields, its score, and who follows whom. */
import type { PublicProfile } from "../profiles/profiles_schema.ts";
import { findPublicProfile } from "../profiles/profiles.ts";
import { shownProfile } from "../profiles/profile.ts";
import { findScore, type ScoresDeps } from "./scores.ts";
import type { ScoreRead } from "../model/scores_schema.ts";

/** The two lists of a profile page. */
export const FOLLOW_LISTS = ["followers", "following"] as const;
/** A list of a profile page. */
export type FollowList = typeof FOLLOW_LISTS[number];

/** An address in a list, with its display name and slug if it is claimed. */
export interface ListedProfile {
  readonly address: string;
  readonly displayName: string | null;
  readonly slug: string | null;
}

/** The follows of an address as a visitor sees them. */
export interface FollowState {
  readonly address: string;
  readonly counts: Readonly<Record<FollowList, number>>;
  /** Whether the visitor follows the address. */
  readonly isFollowed: boolean;
}

/** The page of an address. */
export interface ProfilePage extends FollowState {
  /** Null if the address is not claimed. */
  readonly profile: PublicProfile | null;
  /** The score from stored signals; null if the address was never scored. */
  readonly read: ScoreRead | null;
  readonly list: FollowList;
  readonly listed: readonly ListedProfile[];
  /** The address after which the next page of the list begins; null on the last one. */
  readonly next: string | null;
}

/** Addresses of one page of a list. */
const PER_PAGE = 25;

type PageDeps = Pick<
  ScoresDeps,
  "modelSchedule" | "now" | "store" | "upstream"
>;

/** The request for a profile page. */
interface ProfilePageRequest {
  /** An address, lower-case, or a slug. */
  readonly addressOrSlug: string;
  readonly list: FollowList;
  /** The address after which the list begins; null for the first page. */
  readonly after: string | null;
  /** The signed-in wallet of the visitor; null if there is none. */
  readonly viewer: string | null;
}

/**
 * Reads the page of a profile. It calls no source: the score comes from stored
 * signals. Throws a fault for a slug that nobody has.
 */
export async function readProfilePage(
  deps: PageDeps,
  { addressOrSlug, list, after, viewer }: ProfilePageRequest,
): Promise<ProfilePage> {
  const { follows } = deps.store;
  const profile = await findPublicProfile(deps, addressOrSlug);
  const address = profile?.address ?? addressOrSlug;
  const page = { after, limit: PER_PAGE + 1 };
  const [state, found, addresses] = await Promise.all([
    readFollowState(deps, address, viewer),
    findScore(deps, address),
    list === "followers"
      ? follows.listFollowers(address, page)
      : follows.listFollowees(address, page)
        .then((followees) => followees.map(({ address }) => address)),
  ]);
  const shown = addresses.slice(0, PER_PAGE);
  return {
    ...state,
    profile,
    read: found?.read ?? null,
    list,
    listed: await Promise.all(shown.map((other) => readListed(deps, other))),
    next: addresses.length > PER_PAGE ? shown.at(-1)! : null,
  };
}

async function readListed(
  { store }: PageDeps,
  address: string,
): Promise<ListedProfile> {
  const profile = await store.profiles.find(address);
  const shown = profile && shownProfile(profile);
  const { displayName = null, slug = null } = shown ?? {};
  return { address, displayName, slug };
}

/** Reads the follows of an address for a visitor, whose wallet is null when signed out. */
export async function readFollowState(
  { store }: Pick<ScoresDeps, "store">,
  address: string,
  viewer: string | null,
): Promise<FollowState> {
  const [{ followers, following }, isFollowed] = await Promise.all([
    store.follows.find(address),
    viewer !== null && store.follows.isFollowing(viewer, address),
  ]);
  return { address, counts: { followers, following }, isFollowed };
}
