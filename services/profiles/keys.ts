/** KV keys of profiles. */
import type { Collections } from "../platform/kv/collection.ts";
import { DAY_MS, MINUTE_MS } from "../platform/days.ts";
import { type GraphRecord, isExpiring } from "./follows/follow_edges.ts";

/**
 * Expiry of signals and of what follows from them. An address without signals counts
 * as never scored, so its history and its cohorts expire with them, as does a graph
 * record without edges, which holds a copy.
 */
export const SIGNALS_EXPIRE_MS = 180 * DAY_MS;

/** Verified Human numbers that the import of a backup skips: far more than are granted between two backups. */
export const SKIPPED_NUMBERS = 1_000;

/** The collections of profiles. */
export const COLLECTIONS = {
  domain_claims: { expireMs: 8 * DAY_MS, isLeftOut: true, isUnchecked: true },
  donation_flows: {},
  donations: {},
  empty_followers: { isUnchecked: true },
  graph_changes: { isUnchecked: true },
  graph_cursor: { isUnchecked: true },
  graphs: {
    // The other keys below an address are its edges and arrivals.
    expireMsOf: (key: Deno.KvKey, record: GraphRecord) =>
      key.length === graph("").length && isExpiring(record)
        ? SIGNALS_EXPIRE_MS
        : undefined,
  },
  human_count: {
    whenOutdated: {
      says:
        `counter of Verified Human numbers skips ${SKIPPED_NUMBERS} numbers, which may have been granted after the backup`,
      change: (count: number) => count + SKIPPED_NUMBERS,
    },
  },
  human_evidence: {},
  human_proof_queue: { expireMs: DAY_MS, isLeftOut: true, isUnchecked: true },
  human_proofs: { expireMs: SIGNALS_EXPIRE_MS, isIndependent: true },
  humans: {},
  oauth_states: {
    expireMs: 20 * MINUTE_MS,
    isLeftOut: true,
    isUnchecked: true,
  },
  profile_imports: {},
  // An older version counted reports of profiles. Nothing reads what is left of
  // them, so a backup leaves them out and an import skips them.
  profile_reports: { isLeftOut: true, isUnchecked: true },
  profiles: {},
  slugs: {},
  socials: {},
  unknown_followers: {},
} as const satisfies Collections;

/** The profile of an address. */
export const profile = (address: string) => ["profiles", address];
/** Holder of a slug, by its skeleton. */
export const slug = (skeleton: string) => ["slugs", skeleton];
/** Holder of a linked account, by its id or its handle. */
export const socialAccount = (
  kind: string,
  name: string,
) => ["socials", kind, name];
/** A pending OAuth sign-in, by the hash of its state. */
export const oauthState = (hash: string) => ["oauth_states", hash];
/** The pending verification of a domain by a wallet. */
export const domainClaim = (wallet: string, domain: string) => [
  ...domainClaimsOf(wallet),
  domain,
];
/** Prefix of the pending verifications of a wallet. */
export const domainClaimsOf = (wallet: string) => ["domain_claims", wallet];
/** Number of Verified Human numbers granted so far. */
export const humanCount = () => ["human_count"];
/** The number that rests on a linked account, by the account's id or its handle. */
export const humanEvidence = (
  kind: string,
  name: string,
) => ["human_evidence", kind, name];
/** What other chains say about the human behind an address. */
export const humanProofs = (address: string) => ["human_proofs", address];
/** An address whose proofs are to be read, by the time it was queued. */
export const queuedHumanProof = (
  at: number,
  address: string,
) => [...humanProofQueue(), at, address];
/** Prefix of the queue. */
export const humanProofQueue = () => ["human_proof_queue"];
/** Address with a Verified Human number. */
export const human = (number: number) => ["humans", number];
/** Prefix of all Verified Human numbers. */
export const humans = () => ["humans"];
/** A donation of one address to another in a transaction. */
export const donation = (txHash: string, from: string, to: string) => [
  "donations",
  txHash,
  from,
  to,
];
/** Donations of an address and to it that later ones are compared with. */
export const donationFlows = (address: string) => ["donation_flows", address];
/** Progress of a profile import, by the hash of the file. */
export const profileImport = (sha256: string) => ["profile_imports", sha256];
/** Sums over the follow edges of an address. */
export const graph = (address: string) => ["graphs", address];
/** The edge of one address that follows another. */
export const follow = (follower: string, followee: string) => [
  ...follows(follower),
  followee,
];
/** Prefix of the edges of a follower. */
export const follows = (follower: string) => ["graphs", follower, "follows"];
/** Index entry: an address is followed by another. */
export const follower = (followee: string, follower: string) => [
  ...followers(followee),
  follower,
];
/** Prefix of the followers of an address. */
export const followers = (followee: string) => [
  "graphs",
  followee,
  "followers",
];
/** Follower arrivals of an address in one hour range. */
export const followerHours = (address: string, hourRange: number) => [
  ...followerHoursOf(address),
  hourRange,
];
/** Prefix of the follower arrivals of an address. */
export const followerHoursOf = (address: string) => [
  "graphs",
  address,
  "hours",
];
/** Marks the edge of a follower of whom no history is known, by the time of the edge. */
export const unknownFollower = (
  at: number,
  follower: string,
  followee: string,
) => [...unknownFollowers(), at, follower, followee];
/** Prefix of all edges of unknown followers. */
export const unknownFollowers = () => ["unknown_followers"];
/** A follower that had sent nothing when its nonce was read, by that time. */
export const emptyFollower = (
  at: number,
  follower: string,
) => [...emptyFollowers(), at, follower];
/** Prefix of all followers that had sent nothing. */
export const emptyFollowers = () => ["empty_followers"];
/** Marks an address whose edges have outdated weights. */
export const pendingWeightUpdate = (
  address: string,
) => ["graph_changes", address];
/** Prefix of all pending weight updates. */
export const pendingWeightUpdates = () => ["graph_changes"];
/** The address whose weights were updated last. */
export const pendingWeightUpdateCursor = () => ["graph_cursor"];
