/** The number of followers of an address, and whether the visitor of its page follows it. */
import type { ScoresDeps } from "./deps.ts";
import type { FollowState } from "./profile_page_schema.ts";

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
