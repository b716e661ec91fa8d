/** Edges with chosen times, and scores by followers only. */
import type { ImportedFollow } from "../../services/profiles/follows/follows.ts";
import { S4_2026_3 } from "../../services/model/s4_2026_3.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { scoreOf } from "../../services/model/model.ts";
import { NO_CHAIN, NO_PROFILE } from "../../services/model/signals.ts";
import type { TestDeps } from "./deps.ts";

/** Edges created two days apart, the last one two days ago. */
export function daily(
  deps: TestDeps,
  ends: readonly (readonly [follower: string, followee: string])[],
): ImportedFollow[] {
  const now = deps.now().getTime();
  return ends.map(([follower, followee], nth) => {
    return { follower, followee, at: now - (nth + 1) * 2 * DAY_MS };
  });
}

/** Edges created at the same time, a day ago. */
export function atOnce(
  deps: TestDeps,
  ends: readonly (readonly [follower: string, followee: string])[],
): ImportedFollow[] {
  const at = deps.now().getTime() - DAY_MS;
  return ends.map(([follower, followee]) => ({ follower, followee, at }));
}

/** Scores an address by its followers only. */
export async function scoreFollowed(
  { store, now }: TestDeps,
  address: string,
  profile = NO_PROFILE,
) {
  const graph = await store.follows.findGraph(address);
  return scoreOf(
    { chain: NO_CHAIN, profile, graph, freshness: "fresh" },
    now().getTime(),
    S4_2026_3,
  );
}
