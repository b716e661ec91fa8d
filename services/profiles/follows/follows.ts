/** Follow graph use cases: following, importing edges, and updating weights. */
import {
  type Edge,
  type Ends,
  hasSameWeight,
  hourAt,
  hourRangeOf,
  maxFollowing,
  weigh,
} from "./follow_edges.ts";
import { MINUTE_MS } from "../../platform/days.ts";
import type { Clock } from "../../platform/clock.ts";
import { Fault } from "../../platform/fault.ts";
import type { followStore } from "./follows_store.ts";
import type { pendingWeightUpdateStore } from "./pending_follows_store.ts";

interface FollowStores {
  readonly follows: ReturnType<typeof followStore>;
  readonly pendingWeightUpdates: ReturnType<typeof pendingWeightUpdateStore>;
}

interface FollowDeps extends Clock {
  readonly store: Pick<FollowStores, "follows">;
}

/** An edge to import. */
export interface ImportedFollow extends Ends {
  /** When it was created, epoch ms. */
  readonly at: number;
}

/** Result of an import. */
interface ImportedFollows {
  readonly added: number;
  readonly unchanged: number;
  /** Rejected edges, by index in the input. */
  readonly refused: readonly {
    readonly index: number;
    readonly reason: string;
  }[];
}

/** An address whose edges have to be updated. */
type FollowerChange = Parameters<
  FollowStores["pendingWeightUpdates"]["advance"]
>[0];

/** Retry-After of a follow while the follows of a deleted profile are removed. */
const LEAVING_MS = MINUTE_MS;

/** Why an imported follow is rejected meanwhile. */
const LEAVING =
  "the follows of its deleted profile are being removed; import it again in a minute";

/** Edges that one call of `reweighFollower` reads. */
const EDGES_PER_PAGE = 500;

/**
 * Makes an address follow another, which differs, and returns the edge. Nothing changes
 * if it already does. Throws a fault under too many concurrent writes.
 */
export async function follow(
  { now, store }: FollowDeps,
  ends: Ends,
): Promise<Edge> {
  const { edge } = await store.follows.change({
    kind: "follow",
    ...ends,
    at: now().getTime(),
    isLimited: true,
  });
  if (edge !== null) return edge;
  const { known, following } = await store.follows.find(ends.follower);
  const most = maxFollowing(known);
  if (following >= most) {
    throw new Fault(
      `Cannot follow the address: the wallet follows ${most} addresses already, which is the most for one ${
        known?.gasAvax ? "wallet" : "that is not known to have paid gas"
      }; unfollow one first`,
      { kind: "tooManyFollows", most },
    );
  }
  throw new Fault(
    "Cannot follow the address: the follows of your deleted profile are being removed; retry in a minute",
    { kind: "contended", retryAfterMs: LEAVING_MS },
  );
}

/**
 * Imports edges in batches, without the limit per wallet. An existing edge stays
 * unchanged, so an import can be repeated after an interruption. Rejects edges of
 * an address to itself, edges later than now, and those of an address whose deleted
 * profile still has follows. Larger inputs are faster; 20,000 edges per call work well.
 */
export async function importFollows(
  { now, store }: FollowDeps,
  edges: readonly ImportedFollow[],
): Promise<ImportedFollows> {
  const latest = now().getTime();
  const reasons = edges.map((edge) => refusalReason(edge, latest));
  const changes = edges
    .map((edge, index) => ({ ...edge, index, kind: "follow" as const }))
    .filter(({ index }) => reasons[index] === null)
    .sort(byKey);
  let [added, unchanged] = [0, 0];
  const outcomes = await store.follows.changeAll(changes);
  for (const [nth, { changed, edge }] of outcomes.entries()) {
    if (edge === null) reasons[changes[nth]!.index] = LEAVING;
    else if (changed) added++;
    else unchanged++;
  }
  return {
    added,
    unchanged,
    refused: reasons.flatMap((reason, index) =>
      reason === null ? [] : [{ index, reason }]
    ),
  };
}

/**
 * Updates the weights of the next page of edges of a changed follower, or removes
 * the page if the follower is leaving. Returns the number of edges read, and the
 * remaining update or null.
 */
export async function reweighFollower(
  { store }: { readonly store: FollowStores },
  changed: FollowerChange,
): Promise<{ edges: number; left: FollowerChange | null }> {
  const { address: follower, after } = changed;
  const { follows, pendingWeightUpdates } = store;
  // Read the weight first: edges created later already use it.
  const { known, following, isLeaving } = await follows.find(follower);
  const weight = weigh(known, following);
  const page = await follows.listFollowees(follower, {
    after,
    limit: EDGES_PER_PAGE,
  });
  const kind = isLeaving ? "leave" : "reweigh";
  const changes = page
    .filter(({ edge }) => isLeaving || !hasSameWeight(edge, weight))
    .map(({ address }) => ({ kind, follower, followee: address } as const));
  await follows.changeAll(changes);
  const last = page.length < EDGES_PER_PAGE ? null : page.at(-1)!.address;
  const holds = await pendingWeightUpdates.advance(changed, last);
  const hasMore = holds && last !== null;
  return {
    edges: page.length,
    left: hasMore ? { ...changed, after: last } : null,
  };
}

/** Sorts edges so that neighbours share sums, hour ranges and database pages. */
function byKey(a: ImportedFollow, b: ImportedFollow): number {
  return compare(a.followee, b.followee) ||
    hourRangeOf(hourAt(a.at)) - hourRangeOf(hourAt(b.at)) ||
    compare(a.follower, b.follower);
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** Returns why an edge is rejected; null if it is accepted. */
function refusalReason(
  { follower, followee, at }: ImportedFollow,
  latest: number,
): string | null {
  if (follower === followee) return "an address cannot follow itself";
  if (!(at >= 0)) return "the time is before 1970";
  return at <= latest ? null : "the time is later than now";
}
