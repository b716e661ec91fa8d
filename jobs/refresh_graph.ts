/** The job that keeps the weights in the follow graph current. */
import type { ProfilesDeps } from "../services/profiles/deps.ts";
import { reweighFollower } from "../services/profiles/follows/follows.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";

/** Addresses that a run sees to, and edges that it reads. */
const MOST_ADDRESSES = 20_000;
const MOST_EDGES = 200_000;

/** Edges of one address that a run reads, so that who follows many holds up nobody. */
const MOST_EDGES_EACH = 50_000;

/**
 * Weighs anew the edges of addresses whose signals or profile have changed, those
 * first that the last run did not come to. How far each has got is stored.
 */
export async function refreshGraph(
  deps: ProfilesDeps,
  { proceed }: RunContext,
): Promise<string> {
  let addresses = 0;
  let edges = 0;
  const outcome = () => `${addresses} followers seen to, ${edges} edges read`;
  for await (const changed of deps.store.pendingWeightUpdates.list()) {
    if (addresses === MOST_ADDRESSES || edges >= MOST_EDGES) break;
    addresses++;
    const end = Math.min(edges + MOST_EDGES_EACH, MOST_EDGES);
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
