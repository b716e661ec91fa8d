/** Job that updates outdated weights in the follow graph. */
import type { ProfilesDeps } from "../services/profiles/deps.ts";
import { reweighFollower } from "../services/profiles/follows/follows.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";

/** Maximum number of addresses and of edges per run. */
const MAX_ADDRESSES = 20_000;
const MAX_EDGES = 200_000;

/** Maximum number of edges of one address per run, so that large followers do not delay others. */
const MAX_EDGES_EACH = 50_000;

/**
 * Updates the edges of addresses whose signals or profile changed. It starts after
 * the address that the last run updated last. The progress of each is stored.
 */
export async function refreshGraph(
  deps: ProfilesDeps,
  { proceed }: RunContext,
): Promise<string> {
  let addresses = 0;
  let edges = 0;
  const outcome = () => `${addresses} followers seen to, ${edges} edges read`;
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
