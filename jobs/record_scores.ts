/** The job that records daily scores of recently read addresses. */
import type { ScoresDeps } from "../services/scores/deps.ts";
import { dayAt } from "../services/platform/days.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import { recordScore } from "../services/scores/scores.ts";

/** An address gets points for this many days after its last read. */
const READ_WITHIN_DAYS = 30;

/** Addresses per run. The next run continues, as it skips those with a point of today. */
const MAX_ADDRESSES = 5_000;

/** Scores recently read addresses without a point of today, from stored signals. */
export async function recordScores(
  deps: ScoresDeps,
  { proceed }: RunContext,
): Promise<string> {
  const today = dayAt(deps.now().getTime());
  let recorded = 0;
  for await (const { address, points, readAt } of deps.store.scores.list()) {
    const isDue = today - dayAt(readAt) <= READ_WITHIN_DAYS &&
      points.at(-1)?.day !== today;
    if (!isDue) continue;
    if (recorded === MAX_ADDRESSES || !await proceed()) break;
    if (await recordScore(deps, address)) recorded++;
  }
  return `${recorded} scores recorded`;
}
