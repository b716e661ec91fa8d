/** Every key of the store, spelled once. */
import type {
  IndexMetric,
  SeriesId,
} from "../../chain_data/series/series_id.ts";

/** Head and members of the chain list, the head first: strings sort before numbers. */
export const chains = () => ["chains"];
/** When and where the chain list was read. */
export const chainsHead = () => ["chains", "head"];
/** A tracked chain. */
export const chain = (chainId: number) => ["chains", chainId];
/** Head and years of a series, the head first. */
export const series = ({ subject, metric }: SeriesId) => [
  "series",
  subject,
  metric,
];
/** What is known about a series as a whole. */
export const seriesHead = ({ subject, metric }: SeriesId) => [
  "series",
  subject,
  metric,
  "head",
];
/** One year of a series. */
export const seriesYear = ({ subject, metric }: SeriesId, year: number) => [
  "series",
  subject,
  metric,
  year,
];
/** When a read of a series last failed. */
export const seriesFailure = ({ subject, metric }: SeriesId) => [
  "series_failures",
  subject,
  metric,
];
/** All series whose last read failed. */
export const seriesFailures = () => ["series_failures"];
/** The calls that an upstream got or a client made lately. */
export const budget = (whose: string) => ["budgets", whose];
/** Who runs a job, and until when. */
export const jobLease = (name: string) => ["job_leases", name];
/** The last run of a job. */
export const jobRun = (name: string) => ["job_runs", name];
/** The last runs of all jobs. */
export const jobRuns = () => ["job_runs"];
/** The validator set of a day. */
export const validatorDay = (day: number) => ["validator_days", day];
/** The validator sets of all days. */
export const validatorDays = () => ["validator_days"];
/** The blocks of a day by the RPC. */
export const blockSample = (day: number) => ["block_samples", day];
/** The blocks of all sampled days. */
export const blockSamples = () => ["block_samples"];
/** The next day that a second source is checked again from. */
export const recheck = (metric: IndexMetric) => ["rechecks", metric];
/** What a wallet spent lately, and when its keys were used. */
export const usage = (wallet: string) => ["usage", wallet];
/** The on-chain signals of an address. */
export const signals = (address: string) => ["signals", address.toLowerCase()];
/** What is known of an API key, under the hash of the key. */
export const apiKey = (hash: string) => ["api_keys", hash];
/** The keys of a wallet: their hashes by id. */
export const walletKeys = (wallet: string) => ["wallet_keys", wallet];
/** Changes with every key that is revoked or replaced. */
export const apiKeyRevision = () => ["api_key_revision"];
/** The wallet that a key's id belongs to. */
export const apiKeyOwner = (id: string) => ["api_key_owners", id];
/** A session, under the hash of its token. */
export const session = (hash: string) => ["sessions", hash];
/** A one-time message, under its nonce. */
export const challenge = (nonce: string) => ["challenges", nonce];
/** What was done in the name of a wallet. */
export const auditTrail = (wallet: string) => ["audit", wallet];
/** One thing that was done in the name of a wallet. */
export const auditEntry = (wallet: string, at: number, id: string) => [
  "audit",
  wallet,
  at,
  id,
];
/** What a wallet has paid for. */
export const plan = (wallet: string) => ["plans", wallet];
/** All that happened to what a wallet has, in order. */
export const ledger = (wallet: string) => ["ledgers", wallet];
/** One thing that happened to what a wallet has. */
export const ledgerEntry = (wallet: string, number: number) => [
  "ledgers",
  wallet,
  number,
];
/** The ledger entry of what a wallet paid in a transaction: none is counted twice. */
export const paidTransaction = (txHash: string, wallet: string) => [
  "paid_transactions",
  txHash,
  wallet,
];
/** The payments credited from a block on. */
export const paidBlock = (blockNumber: number) => ["paid_blocks", blockNumber];
/** A payment that was credited from a block. */
export const blockPayment = (
  blockNumber: number,
  txHash: string,
  wallet: string,
) => ["paid_blocks", blockNumber, txHash, wallet];
/** How far the chain was looked through for payments. */
export const paymentScan = () => ["payment_scan"];
/** What a wallet was offered lately. */
export const quotes = (wallet: string) => ["quotes", wallet];
/** The scores of an address, day by day. */
export const scoreHistory = (address: string) => ["score_histories", address];
/** The scores of all addresses. */
export const scoreHistories = () => ["score_histories"];
/** The addresses that wait to be scored. */
export const waitingScores = () => ["waiting_scores"];
/** The last nonce of the attestations of an address. */
export const attestationNonce = (subject: string) => [
  "attestation_nonces",
  subject,
];
/** The profile of an address. */
export const profile = (address: string) => ["profiles", address];
/** Who has the slug that looks like this. */
export const slug = (skeleton: string) => ["slugs", skeleton];
/** Who has an account elsewhere, under its id or its handle. */
export const social = (kind: string, name: string) => ["socials", kind, name];
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
export const graphChange = (address: string) => ["graph_changes", address];
/** The addresses whose edges have to be weighed anew. */
export const graphChanges = () => ["graph_changes"];
/** The address that was last weighed anew. */
export const graphCursor = () => ["graph_cursor"];
/** A key that says nothing: reading and writing it shows that the database does. */
export const ping = () => ["ping"];
/** Which copy is being put into this database. */
export const importMark = () => ["import"];
