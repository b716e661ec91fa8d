/** The job that scores the addresses on the waiting list, refreshes others, reads proofs of a unique human, and settles units. */
import type { ScoresDeps } from "../services/scores/deps.ts";
import { Fault } from "../services/platform/fault.ts";
import { readHumanProofs } from "../services/profiles/read_human_proofs.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import { isRefreshDue, refreshOften } from "../services/scores/refreshes.ts";
import { scoreWithinBudget } from "../services/scores/public_scores.ts";

/** Consecutive failures after which the run stops. */
const MAX_FAILURES = 3;

/** Returns the outcome if no address waits for its score, and none for its proofs, and no units wait to be settled. */
export async function findIdleWaiting(
  deps: ScoresDeps,
): Promise<string | null> {
  const { store, upstream } = deps;
  if (await store.usage.isUnsettled()) return null;
  const { length } = await store.waitingScores.list();
  if (length > 0) return null;
  if (upstream.proofChains.length > 0) {
    for await (const _ of store.humanProofs.listQueued()) return null;
  }
  if (await isRefreshDue(deps)) return null;
  return "no address waits";
}

/**
 * Settles the units of commits whose outcome was unknown, scores waiting addresses,
 * then asks other chains about the humans behind scored ones, also if scoring fails,
 * and refreshes addresses that are read often.
 */
export async function scoreWaiting(
  deps: ScoresDeps,
  context: RunContext,
): Promise<string> {
  const settled = await deps.store.usage.settle();
  return [
    await scoreAndProve(deps, context),
    await refreshOften(deps, context),
    settled === 0 ? "" : `${settled} commits settled`,
  ].filter((words) => words !== "").join(", ");
}

async function scoreAndProve(
  deps: ScoresDeps,
  context: RunContext,
): Promise<string> {
  if (deps.upstream.proofChains.length === 0) {
    return await scoreAll(deps, context);
  }
  const scoring = await Promise.allSettled([scoreAll(deps, context)]);
  const proofs = await readHumanProofs(deps, context);
  const [scored] = scoring;
  if (scored.status === "rejected") throw scored.reason;
  return `${scored.value}, ${proofs}`;
}

/**
 * Scores addresses, longest wait first, until the list is empty or the budget is
 * used up. An address that fails leaves the list: its badge adds it again. Several
 * failures in a row end the run, because upstream is down; a single one does not, so
 * that nobody can make the job fail with an address that cannot be read.
 */
async function scoreAll(
  deps: ScoresDeps,
  { proceed }: RunContext,
): Promise<string> {
  const { waitingScores } = deps.store;
  let scored = 0;
  let failed = 0;
  let failedInRow = 0;
  for (const address of await waitingScores.list()) {
    if (!await proceed()) break;
    try {
      const { read } = await scoreWithinBudget(deps, address, {
        priority: "job",
      });
      if (read === null) break;
      scored++;
      failedInRow = 0;
    } catch (error) {
      failed++;
      if (++failedInRow === MAX_FAILURES || !(error instanceof Fault)) {
        await waitingScores.remove(address);
        throw error;
      }
    }
    await waitingScores.remove(address);
  }
  return `${scored} addresses scored, ${failed} failed`;
}
