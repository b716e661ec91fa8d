/** Looks up followers of whom no history is known, in batches and within a budget. */
import type { ScoresDeps } from "./deps.ts";
import { DAY_MS, MINUTE_MS } from "../platform/days.ts";
import { MAX_BATCH } from "../platform/http/numeric_schema.ts";
import type { RunContext } from "../platform/jobs/job_run.ts";
import { SERVICE } from "../platform/rate_limit/requesters.ts";
import { UNSHARED } from "../platform/rate_limit/shared_budget.ts";
import { takeCall } from "../platform/rate_limit/take_call.ts";
import { timeoutSignal } from "../platform/with_timeout.ts";

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
    const admission = await takeCall(deps, BUDGET, SERVICE);
    if (admission.allowed) return true;
    if (admission.retryAfterMs > WAIT_MS) return false;
    const { runningJobs, sleep } = deps;
    await Promise.race([sleep(admission.retryAfterMs), runningJobs.untilStop]);
    if (runningJobs.isStopping()) return false;
  }
}
