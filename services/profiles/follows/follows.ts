/** The follow graph: who follows whom, what that comes to, and what keeps it current. */
import type { ProfilesDeps } from "../deps.ts";
import { hourAt, hourRangeOf } from "./follower_arrivals.ts";
import { Fault } from "../../platform/fault.ts";
import { hasSameWeight, weigh } from "./follow_edges.ts";
import { limitWallet } from "../../platform/rate_limit/wallet_limits.ts";

type FollowDeps = Pick<ProfilesDeps, "now" | "store">;

/** Two addresses, lower-case. */
export interface Ends {
  readonly follower: string;
  readonly followee: string;
}

/** How one address stands to another. */
export interface FollowState {
  /** False where it stood so already. */
  readonly changed: boolean;
  /** Since when it follows the other, epoch ms; null where it does not. */
  readonly since: number | null;
  /** Whether the other follows it, too. */
  readonly mutual: boolean;
}

/** How many edges an address has. */
export interface FollowCounts {
  readonly followers: number;
  readonly following: number;
  /** Followers that it follows back. */
  readonly mutual: number;
}

/** An edge to be put in. */
export interface ImportedFollow extends Ends {
  /** Since when, epoch ms. */
  readonly at: number;
}

/** What became of edges that were put in. */
export interface ImportedFollows {
  readonly added: number;
  readonly unchanged: number;
  /** Edges that cannot be, by their place in what was given. */
  readonly refused: readonly {
    readonly index: number;
    readonly reason: string;
  }[];
}

/** An address whose edges are to be weighed anew. */
type FollowerChange = Parameters<
  ProfilesDeps["store"]["pendingWeightUpdates"]["advance"]
>[0];

/** The wait that is told where too many others write the same sums. */
const CONTENDED_MS = 1_000;

/** Edges that one call weighs anew, read at once. */
const EDGES_PER_PAGE = 500;

/**
 * Makes an address follow another, from now on; nothing changes where it does.
 * Throws a fault where both are the same, past 100 calls a minute, and where too
 * many others follow or are followed at this moment.
 */
export async function follow(
  deps: FollowDeps,
  { follower, followee }: Ends,
): Promise<FollowState> {
  if (follower === followee) {
    throw new Fault("Cannot follow the address: it is your own", {
      kind: "badInput",
      parameter: "address",
    });
  }
  await limitWallet(deps, "follow", follower);
  const at = deps.now().getTime();
  return await change(deps, { kind: "follow", follower, followee, at });
}

/** Makes an address follow another no more; of the time it did, nothing is kept. */
export async function unfollow(
  deps: Pick<ProfilesDeps, "store">,
  { follower, followee }: Ends,
): Promise<FollowState> {
  if (follower === followee) {
    return { changed: false, since: null, mutual: false };
  }
  return await change(deps, { kind: "unfollow", follower, followee });
}

/** Reads how many edges an address has. */
export async function readGraph(
  { store }: Pick<ProfilesDeps, "store">,
  address: string,
): Promise<FollowCounts> {
  const { followers, following, mutual } = await store.follows.find(address);
  return { followers, following, mutual };
}

/**
 * Puts edges in, many in one transaction, without a limit on any wallet. An edge
 * that is there stays as it is, so the same edges put in again change nothing,
 * and what was put in when this stops half way is passed over the next time.
 * Refuses edges of an address to itself, and those from later than now. The more
 * edges at once, the faster: 20,000 are a good number.
 */
export async function importFollows(
  { now, store }: FollowDeps,
  edges: readonly ImportedFollow[],
): Promise<ImportedFollows> {
  const latest = now().getTime();
  const reasons = edges.map((edge) => refusalReason(edge, latest));
  const changes = edges.filter((_, index) => reasons[index] === null)
    .map((edge) => ({ ...edge, kind: "follow" as const }))
    .sort(byKey);
  let added = 0;
  await store.follows.changeAll(changes, (outcome) => {
    throwContended(outcome);
    if (outcome.changed) added++;
  });
  return {
    added,
    unchanged: changes.length - added,
    refused: reasons.flatMap((reason, index) =>
      reason === null ? [] : [{ index, reason }]
    ),
  };
}

/**
 * Weighs anew some of the edges of an address of which something has changed, at
 * each call the next ones. Returns how many it read, and what is left to be done.
 */
export async function reweighFollower(
  { store }: Pick<ProfilesDeps, "store">,
  changed: FollowerChange,
): Promise<{ edges: number; left: FollowerChange | null }> {
  const { address: follower, after } = changed;
  const { follows, pendingWeightUpdates } = store;
  // What is known is read first: edges that come later go by it already.
  const weight = weigh((await follows.find(follower)).known);
  const part = await follows.listFollowees(follower, {
    after,
    limit: EDGES_PER_PAGE,
  });
  const changes = part.filter(({ edge }) => !hasSameWeight(edge, weight))
    .map(({ address }) => {
      return { kind: "reweigh", follower, followee: address } as const;
    });
  await follows.changeAll(changes, throwContended);
  const last = part.length < EDGES_PER_PAGE ? null : part.at(-1)!.address;
  const holds = await pendingWeightUpdates.advance(changed, last);
  const hasMore = holds && last !== null;
  return {
    edges: part.length,
    left: hasMore ? { ...changed, after: last } : null,
  };
}

async function change(
  { store }: Pick<ProfilesDeps, "store">,
  asked: Parameters<ProfilesDeps["store"]["follows"]["change"]>[0],
): Promise<FollowState> {
  const outcome = await store.follows.change(asked);
  throwContended(outcome);
  const { changed, edge } = outcome;
  return {
    changed,
    since: edge?.at ?? null,
    mutual: edge?.mutual ?? false,
  };
}

function throwContended(
  outcome: Awaited<ReturnType<ProfilesDeps["store"]["follows"]["change"]>>,
): asserts outcome is Exclude<typeof outcome, "contended"> {
  if (outcome !== "contended") return;
  throw new Fault(
    "Cannot change the follow graph: too many others change it at once",
    { kind: "contended", retryAfterMs: CONTENDED_MS },
  );
}

/** The order in which edges share most of what they change: sums, hours, and places in the database. */
function byKey(a: ImportedFollow, b: ImportedFollow): number {
  return compare(a.followee, b.followee) ||
    hourRangeOf(hourAt(a.at)) - hourRangeOf(hourAt(b.at)) ||
    compare(a.follower, b.follower);
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** Says why an edge cannot be; null where it can. */
function refusalReason(
  { follower, followee, at }: ImportedFollow,
  latest: number,
): string | null {
  if (follower === followee) return "an address cannot follow itself";
  if (!(at >= 0)) return "the time is before 1970";
  return at <= latest ? null : "the time is later than now";
}
