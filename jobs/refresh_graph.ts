/** Job that looks up unknown followers and updates outdated weights in the follow graph. */
import type { ScoresDeps } from "../services/scores/deps.ts";
import { lookUpFollowers } from "../services/scores/follower_lookups.ts";
import { reweighFollower } from "../services/profiles/follows/follows.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";

/** Maximum number of addresses and of edges per run. */
const MAX_ADDRESSES = 20_000;
const MAX_EDGES = 200_000;

/** Maximum number of edges of one address per run, so that large followers do not delay others. */
const MAX_EDGES_EACH = 50_000;

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
