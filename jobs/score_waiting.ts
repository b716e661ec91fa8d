/** The job that scores the addresses on the waiting list. */
import type { ScoresDeps } from "../services/scores/deps.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import { scoreWithinBudget } from "../services/scores/public_scores.ts";

/**
 * Scores addresses, longest wait first, until the list is empty or the budget is
 * used up. An address that fails ends the run and leaves the list: its badge adds
 * it again.
 */
export async function scoreWaiting(
  deps: ScoresDeps,
  { proceed }: RunContext,
): Promise<string> {
  const { waitingScores } = deps.store;
  let scored = 0;
  for (const address of await waitingScores.list()) {
    if (!await proceed()) break;
    try {
      const { read } = await scoreWithinBudget(deps, address, {
        priority: "job",
      });
      if (read === null) break;
    } catch (error) {
      await waitingScores.remove(address);
      throw error;
    }
    await waitingScores.remove(address);
    scored++;
  }
  return `${scored} addresses scored`;
}
