/** What a profile page shows. */
import type { PublicProfile } from "../profiles/profiles_schema.ts";
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
