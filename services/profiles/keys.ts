/** KV keys of profiles. */

/** The profile of an address. */
export const profile = (address: string) => ["profiles", address];
/** Who has the slug that looks like this. */
export const slug = (skeleton: string) => ["slugs", skeleton];
/** Who has an account elsewhere, under its id or its handle. */
export const socialAccount = (
  kind: string,
  name: string,
) => ["socials", kind, name];
/** A sign-in elsewhere that was begun here, under the hash of its state. */
export const oauthState = (hash: string) => ["oauth_states", hash];
/** What a wallet was told to put into the zone of a domain. */
export const domainClaim = (wallet: string, domain: string) => [
  "domain_claims",
  wallet,
  domain,
];
/** The Verified Human numbers given so far. */
export const humanCount = () => ["human_count"];
/** Whose a Verified Human number is. */
export const human = (number: number) => ["humans", number];
/** All Verified Human numbers. */
export const humans = () => ["humans"];
/** What one address gave another in a transaction. */
export const donation = (txHash: string, from: string, to: string) => [
  "donations",
  txHash,
  from,
  to,
];
/** What counted of donations between two addresses, the lower one first. */
export const donationPair = (a: string, b: string) => ["donation_pairs", a, b];
/** How far a file of profiles was put in, under the hash of the file. */
export const profileImport = (sha256: string) => ["profile_imports", sha256];
/** The sums over the edges of an address; all that belongs to them lies beside them. */
export const graph = (address: string) => ["graphs", address];
/** That one address follows another. */
export const follow = (follower: string, followee: string) => [
  ...follows(follower),
  followee,
];
/** Whom an address follows. */
export const follows = (follower: string) => ["graphs", follower, "follows"];
/** That an address is followed by another. */
export const follower = (followee: string, follower: string) => [
  ...followers(followee),
  follower,
];
/** Who follows an address. */
export const followers = (followee: string) => [
  "graphs",
  followee,
  "followers",
];
/** The hours in which the followers of an address arrived, a stretch of them. */
export const followerHours = (address: string, stretch: number) => [
  ...followerHoursOf(address),
  stretch,
];
/** All hours in which the followers of an address arrived. */
export const followerHoursOf = (address: string) => [
  "graphs",
  address,
  "hours",
];
/** That an address weighs something else than its edges say. */
export const pendingWeightUpdate = (
  address: string,
) => ["graph_changes", address];
/** The addresses whose edges have to be weighed anew. */
export const pendingWeightUpdates = () => ["graph_changes"];
/** The address that was last weighed anew. */
export const pendingWeightUpdateCursor = () => ["graph_cursor"];
