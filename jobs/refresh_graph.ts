/**
 * Job that looks up followers of whom no history is known, in batches and within a
 * budget, and updates outdated weights in the follow graph.
 */
import type { ScoresDeps } from "../services/scores/scores.ts";
import { reweighFollower } from "../services/profiles/follows/follows.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import { DAY_MS, MINUTE_MS } from "../services/platform/days.ts";
import { MAX_BATCH } from "../services/platform/http/numeric_schema.ts";
import {
  SERVICE,
  UNSHARED,
} from "../services/platform/rate_limit/call_budget.ts";
import { timeoutSignal } from "../services/platform/clock.ts";

/** Maximum number of addresses and of edges per run. */
const MAX_ADDRESSES = 20_000;
const MAX_EDGES = 200_000;

/** Maximum number of edges of one address per run, so that large followers do not delay others. */
const MAX_EDGES_EACH = 50_000;

/** Returns the outcome if no follower is to be looked up and no weight to be updated; else null. */
export async function findIdleGraph(
  { now, store }: Pick<ScoresDeps, "now" | "store">,
): Promise<string | null> {
  for await (const _ of store.followerLookups.list(now().getTime())) {
    return null;
  }
  for await (const _ of store.pendingWeightUpdates.list()) return null;
  return "0 followers updated, 0 edges read, 0 looked up";
}

/**
 * Looks up followers with unknown history, then updates the edges of addresses
 * whose signals or profile changed. If the node fails, the edges are updated
 * before the fault is thrown.
 */
export async function refreshGraph(
  deps: ScoresDeps,
  context: RunContext,
): Promise<string> {
  const looking = await Promise.allSettled([lookUpFollowers(deps, context)]);
  const updated = await updateWeights(deps, context);
  const [lookup] = looking;
  if (lookup.status === "rejected") throw lookup.reason;
  return `${updated}, ${lookup.value} looked up`;
}

/** Starts after the address that the last run updated last. The progress of each is stored. */
async function updateWeights(
  deps: ScoresDeps,
  { proceed }: RunContext,
): Promise<string> {
  let addresses = 0;
  let edges = 0;
  const outcome = () => `${addresses} followers updated, ${edges} edges read`;
  for await (const changed of deps.store.pendingWeightUpdates.list()) {
    if (addresses === MAX_ADDRESSES || edges >= MAX_EDGES) break;
    addresses++;
    const end = Math.min(edges + MAX_EDGES_EACH, MAX_EDGES);
    let next: typeof changed | null = changed;
    while (next !== null && edges < end) {
      if (!await proceed()) return outcome();
      const done = await reweighFollower(deps, next);
      edges += done.edges;
      next = done.left;
    }
  }
  return outcome();
}

type LookupDeps = Pick<
  ScoresDeps,
  "now" | "runningJobs" | "sleep" | "store" | "upstream"
>;
type FollowerLookup = Parameters<
  ScoresDeps["store"]["followerLookups"]["isNeeded"]
>[0];

/** Batches in one run. */
const MAX_BATCHES = 25;

/**
 * Batches of all processes. A node may count each call of a batch: five batches are
 * 200 calls a minute, below the 240 that were never refused.
 */
const BUDGET = {
  name: "follower-lookups",
  limits: [
    { calls: 5, perMs: MINUTE_MS },
    { calls: 24 * MAX_BATCHES, perMs: DAY_MS },
  ],
  shares: UNSHARED,
};

/** Entries that one run reads. */
const MAX_READ = 20_000;

/** Entries of one follower that are removed with its answer. */
const MAX_EACH = 100;

/** Longest wait for a place in the budget, and for an answer. */
const WAIT_MS = 65_000;

/** Lookups by follower. */
type Batch = Map<string, [FollowerLookup, ...FollowerLookup[]]>;

/**
 * Looks up unknown followers by their nonces, those of the newest edges first.
 * Returns the number of followers that were answered. Throws a fault if the node
 * fails; what was not answered waits for the next run.
 */
export async function lookUpFollowers(
  deps: LookupDeps,
  { proceed }: RunContext,
): Promise<number> {
  const answered = new Set<string>();
  let batches = 0;
  for await (const batch of batchesOf(deps, answered)) {
    if (batches++ === MAX_BATCHES) break;
    if (!await proceed() || !await takeBatch(deps)) break;
    const followers = [...batch.keys()];
    const { body: nonces } = await deps.upstream.cChain.readNonces(followers, {
      priority: "job",
      signal: timeoutSignal(WAIT_MS),
      requester: SERVICE,
    });
    const at = deps.now().getTime();
    for (const [nth, follower] of followers.entries()) {
      const nonce = nonces[nth]!;
      if (nonce === null) continue;
      const lookups = batch.get(follower)!;
      await deps.store.followerLookups.answer(lookups, { nonce, at });
      answered.add(follower);
    }
  }
  return answered.size;
}

/** Collects the followers to look up. Lookups that are no longer needed are removed. */
async function* batchesOf(
  { now, store: { followerLookups } }: LookupDeps,
  answered: ReadonlySet<string>,
): AsyncGenerator<Batch> {
  let batch: Batch = new Map();
  for await (const lookups of pagesOf(followerLookups.list(now().getTime()))) {
    const areNeeded = await Promise.all(lookups.map(followerLookups.isNeeded));
    for (const [nth, lookup] of lookups.entries()) {
      const { follower } = lookup;
      const others = batch.get(follower);
      if (others !== undefined) {
        if (others.length < MAX_EACH) others.push(lookup);
        continue;
      }
      if (answered.has(follower) || !areNeeded[nth]) continue;
      batch.set(follower, [lookup]);
      if (batch.size < MAX_BATCH) continue;
      yield batch;
      batch = new Map();
    }
  }
  if (batch.size > 0) yield batch;
}

/** Collects listed lookups into pages, up to the number that one run reads. */
async function* pagesOf(
  listed: AsyncIterable<FollowerLookup>,
): AsyncGenerator<FollowerLookup[]> {
  let page: FollowerLookup[] = [];
  let read = 0;
  for await (const lookup of listed) {
    if (read++ === MAX_READ) break;
    page.push(lookup);
    if (page.length < MAX_BATCH) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** Takes a batch from the budget, and waits for it if need be. False if none is left today. */
async function takeBatch(deps: LookupDeps): Promise<boolean> {
  for (;;) {
    const admission = await deps.store.budgets.takeShared(
      BUDGET,
      SERVICE,
      deps,
    );
    if (admission.allowed) return true;
    if (admission.retryAfterMs > WAIT_MS) return false;
    const { runningJobs, sleep } = deps;
    await Promise.race([sleep(admission.retryAfterMs), runningJobs.untilStop]);
    if (runningJobs.isStopping()) return false;
  }
}
